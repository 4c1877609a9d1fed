/// An expression that takes values of any `Codable` type: `.json`, `.keyedArchive`.
public struct CodableExpression: Sendable, Hashable {
    /// The expression.
    public let text: String

    /// States that an expression takes any `Codable` type.
    ///
    /// - Parameter text: The expression, which is checked when it is resolved in a registry.
    public init(_ text: String) {
        self.text = text
    }

    /// Adds a stage that takes the bytes of the ones before.
    ///
    /// - Parameter stage: The stage's text.
    /// - Returns: The expression with the stage at its end.
    public func then(_ stage: String) -> Self {
        Self("\(text) | \(stage)")
    }
}

extension CodableExpression: CustomStringConvertible {
    /// The expression.
    public var description: String { text }
}
