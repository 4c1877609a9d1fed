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

/// A plain column that is computed from several attributes, so that objects can be found by all of them at once.
///
/// A blind index of a name reveals which objects may have the same name. A blind index of a birthday reveals which may
/// have the same birthday. One blind index over both reveals less and finds fewer objects that do not match:
///
/// ```swift
/// CompoundProjection("name_born", of: ["name", "born"], "blind-index(bits: 16)")
/// ```
///
/// A condition that requires equality for every part, joined by `and`, uses the projection automatically. If an object
/// has no value for a part, its column contains NULL.
public struct CompoundProjection: Sendable, Hashable {
    /// An attribute that the projection is computed from.
    public struct Part: Sendable, Hashable {
        /// The attribute's name.
        public var attribute: String
        /// The expression of a one-way transformer that normalizes the values, or `nil` to use them unchanged.
        public var transformer: String?

        /// Creates a part from an attribute.
        ///
        /// - Parameters:
        ///   - attribute: The attribute's name.
        ///   - transformer: The expression of a one-way transformer that normalizes the values.
        public init(_ attribute: String, through transformer: String? = nil) {
            self.attribute = attribute
            self.transformer = transformer
        }
    }

    /// The column's name.
    public var name: String
    /// The parts, in the order in which their values are joined.
    public var parts: [Part]
    /// The expression of a one-way transformer that turns bytes into a number, text, or bytes.
    public var transformer: String
    /// Whether the column is indexed.
    public var isIndexed: Bool
    /// Whether the column may reveal something about confidential attributes to anyone who has the file.
    ///
    /// If it is `false` and any of the attributes is confidential, the transformer must be keyed.
    public var reveals: Bool

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - parts: The parts, in the order in which their values are joined.
    ///   - transformer: An expression that takes bytes and returns `Int64`, `Double`, `String`, or `Data`.
    ///   - indexed: Whether the column is indexed.
    ///   - reveals: Whether the column may reveal something about confidential attributes to anyone who has the file.
    public init(
        _ name: String,
        of parts: [Part],
        _ transformer: String,
        indexed: Bool = true,
        reveals: Bool = false
    ) {
        self.name = name
        self.parts = parts
        self.transformer = transformer
        isIndexed = indexed
        self.reveals = reveals
    }
}

extension CompoundProjection.Part: ExpressibleByStringLiteral {
    /// Creates a part from an attribute's name.
    ///
    /// The attribute's values are used unchanged.
    public init(stringLiteral attribute: String) {
        self.init(attribute)
    }
}

extension Model {
    /// Returns an entity's compound projections, inherited ones first.
    package func projections(of name: String) -> [CompoundProjection] {
        entity(name).map { lineage(of: $0).flatMap(\.projections) } ?? []
    }
}
