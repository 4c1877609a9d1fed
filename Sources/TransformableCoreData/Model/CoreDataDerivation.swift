/// How Core Data computes the value of a derived attribute.
public struct CoreDataDerivation: Sendable, Hashable {
    /// The expression, such as `messages.@count` or `lowercase:(name)`.
    public var expression: String
    /// The predicate that restricts the objects that the expression counts or sums, or `nil` if there is none.
    public var predicate: String?

    /// Creates a derivation.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - predicate: The predicate that restricts the objects that the expression counts or sums.
    public init(_ expression: String, predicate: String? = nil) {
        self.expression = expression
        self.predicate = predicate
    }
}
