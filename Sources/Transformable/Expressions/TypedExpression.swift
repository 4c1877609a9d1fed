/// An expression whose values have a type that the compiler knows.
///
/// Plugins extend it with their transformers, so that a declaration can write `.png` and the compiler refuses
/// it for anything but a picture. A program does the same for its own:
///
/// ```swift
/// extension TypedExpression where Value == Int {
///     static var severity: Self { Self("acme.severity") }
/// }
/// ```
public struct TypedExpression<Value>: Sendable, Hashable {
    /// The expression.
    public let text: String

    /// States the type of an expression's values.
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

extension TypedExpression: CustomStringConvertible {
    /// The expression.
    public var description: String { text }
}
