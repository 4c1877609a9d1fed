public import Transformable

extension TypedExpression where Value == String {
    /// Text that is encrypted with the ring's default key and bound to its location.
    public static var sealed: Self { Self("sealed") }
}

extension TypedExpression {
    /// Appends a stage that encrypts the bytes and binds them to their location: `.png.sealed()`.
    ///
    /// - Parameter key: The name of the key for new values, or nil for the ring's default key.
    /// - Returns: The expression with the stage appended.
    public func sealed(key: String? = nil) -> Self {
        then(SealedStage.text(key: key))
    }
}

extension CodableExpression {
    /// Appends a stage that encrypts the bytes and binds them to their location: `.json.sealed()`.
    ///
    /// - Parameter key: The name of the key for new values, or nil for the ring's default key.
    /// - Returns: The expression with the stage appended.
    public func sealed(key: String? = nil) -> Self {
        then(SealedStage.text(key: key))
    }
}

private enum SealedStage {
    static func text(key: String?) -> String {
        key.map { "sealed(key: \(ArgumentValue.string($0)))" } ?? "sealed"
    }
}
