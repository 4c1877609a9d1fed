/// A plain column computed from an attribute's value, so that the value can be queried.
///
/// A value that a projection cannot measure, for which it gives NaN, has NULL in the column: it is found by
/// no comparison of the projection, and by those of the attribute itself as ever.
public struct ProjectionDescription: Sendable, Hashable {
    /// The column's name, which conditions and sort orders use like an attribute's.
    public var name: String
    /// The expression of a one-way transformer from the attribute's value to a number, text or bytes.
    public var transformer: String
    /// Whether the column has an index.
    public var isIndexed: Bool
    /// Whether it may show something of a confidential attribute to anyone who has the file.
    ///
    /// Without it only keyed projections of such an attribute are accepted, for example a blind index.
    public var reveals: Bool

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - transformer: An expression that ends in `Int64`, `Double`, `String` or `Data`.
    ///   - indexed: Whether the column has an index.
    ///   - reveals: Whether it may show something of a confidential attribute to anyone who has the file.
    public init(_ name: String, _ transformer: String, indexed: Bool = true, reveals: Bool = false) {
        self.name = name
        self.transformer = transformer
        isIndexed = indexed
        self.reveals = reveals
    }
}

/// What may be said about a projection beside its expression.
public struct ProjectionOption: Sendable {
    let apply: @Sendable (inout ProjectionDescription) -> Void
}

extension ProjectionOption {
    /// It may show something of a confidential attribute to anyone who has the file.
    public static let revealing = Self { $0.reveals = true }
}
