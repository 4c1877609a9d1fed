public import Transformable

extension TypedExpression where Value == String {
    /// A text encrypted and bound to its place, by the ring's default key.
    public static var sealed: Self { Self("sealed") }
}

extension TypedExpression {
    /// The bytes of the stages before, encrypted and bound to their place: `.png.sealed()`.
    ///
    /// - Parameter key: The name of the key for new values; nil takes the ring's default.
    /// - Returns: The expression with the stage at its end.
    public func sealed(key: String? = nil) -> Self {
        then(SealedStage.text(key: key))
    }
}

extension CodableExpression {
    /// The bytes of the stages before, encrypted and bound to their place: `.json.sealed()`.
    ///
    /// - Parameter key: The name of the key for new values; nil takes the ring's default.
    /// - Returns: The expression with the stage at its end.
    public func sealed(key: String? = nil) -> Self {
        then(SealedStage.text(key: key))
    }
}

private enum SealedStage {
    static func text(key: String?) -> String {
        key.map { "sealed(key: \(ArgumentValue.string($0)))" } ?? "sealed"
    }
}
