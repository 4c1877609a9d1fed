public import Transformable

extension CodableExpression {
    /// A value as JSON.
    public static var json: Self { Self("json") }

    /// A value as a property list.
    public static var propertyList: Self { Self("property-list") }
}
