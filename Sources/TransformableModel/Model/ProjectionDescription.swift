/// A plain column that is computed from an attribute's value, so that the value can be queried.
///
/// If a projection cannot measure a value and returns NaN, the column contains NULL. Comparisons of the projection do
/// not find the object then, but comparisons of the attribute itself do.
public struct ProjectionDescription: Sendable, Hashable {
    /// The column's name, which conditions and sort orders use like the name of an attribute.
    public var name: String
    /// The expression of a one-way transformer that turns the attribute's value into a number, text, or bytes.
    public var transformer: String
    /// Whether the column is indexed.
    public var isIndexed: Bool
    /// Whether the column may reveal something about a confidential attribute to anyone who has the file.
    ///
    /// If it is `false`, a confidential attribute can have only keyed projections, such as a blind index.
    public var reveals: Bool

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - transformer: An expression that returns `Int64`, `Double`, `String`, or `Data`.
    ///   - indexed: Whether the column is indexed.
    ///   - reveals: Whether the column may reveal something about a confidential attribute to anyone who has the file.
    public init(_ name: String, _ transformer: String, indexed: Bool = true, reveals: Bool = false) {
        self.name = name
        self.transformer = transformer
        isIndexed = indexed
        self.reveals = reveals
    }
}

/// An option of a projection.
public struct ProjectionOption: Sendable {
    let apply: @Sendable (inout ProjectionDescription) -> Void
}

extension ProjectionOption {
    /// The column may reveal something about a confidential attribute to anyone who has the file.
    public static let revealing = Self { $0.reveals = true }
}
