/// An expression with a value type that is known to the compiler.
///
/// Plugins extend this type with their transformers, so that a declaration can use `.png` and the compiler accepts it
/// only for images. You can do the same for your own transformers:
///
/// ```swift
/// extension TypedExpression where Value == Int {
///     static var severity: Self { Self("acme.severity") }
/// }
/// ```
public struct TypedExpression<Value>: Sendable, Hashable {
    /// The text of the expression.
    public let text: String

    /// Declares the value type of an expression.
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

extension TypedExpression: CustomStringConvertible {
    /// The text of the expression.
    public var description: String { text }
}

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
