/// An expression that takes values of any `Codable` type, such as `.json` or `.keyedArchive`.
public struct CodableExpression: Sendable, Hashable {
    /// The text of the expression.
    public let text: String

    /// Declares that an expression takes values of any `Codable` type.
    ///
    /// - Parameter text: The expression, which is checked when a registry resolves it.
    public init(_ text: String) {
        self.text = text
    }

    /// Appends a stage that takes the bytes produced by the previous stages.
    ///
    /// - Parameter stage: The text of the stage.
    /// - Returns: The expression with the stage appended.
    public func then(_ stage: String) -> Self {
        Self("\(text) | \(stage)")
    }
}

extension CodableExpression: CustomStringConvertible {
    /// The text of the expression.
    public var description: String { text }
}
