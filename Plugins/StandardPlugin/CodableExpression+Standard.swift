public import Transformable

extension CodableExpression {
    /// The value as JSON.
    public static var json: Self { Self("json") }

    /// The value as a property list.
    public static var propertyList: Self { Self("plist") }
}
