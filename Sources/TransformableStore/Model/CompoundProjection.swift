/// A plain column computed from the values of several attributes together, so that objects can be found by
/// all of them at once.
///
/// A blind index of a name tells which objects may have the same name, and one of a birthday the same; one of
/// both together tells less, and finds fewer objects in vain:
///
/// ```swift
/// CompoundProjection("name_born", of: ["name", "born"], "blind-index(bits: 16)")
/// ```
///
/// A condition that demands equality of every part, joined by `and`, goes through it by itself. An object that
/// lacks the value of a part has NULL in the column.
public struct CompoundProjection: Sendable, Hashable {
    /// One of the attributes.
    public struct Part: Sendable, Hashable {
        /// The attribute's name.
        public var attribute: String
        /// The expression of a one-way transformer that normalizes its values; nil takes them as they are.
        public var transformer: String?

        /// Names an attribute.
        ///
        /// - Parameters:
        ///   - attribute: The attribute's name.
        ///   - transformer: The expression of a one-way transformer that normalizes its values.
        public init(_ attribute: String, through transformer: String? = nil) {
            self.attribute = attribute
            self.transformer = transformer
        }
    }

    /// The column's name.
    public var name: String
    /// The attributes, in the order in which their values are joined.
    public var parts: [Part]
    /// The expression of a one-way transformer from bytes to a number, text or bytes.
    public var transformer: String
    /// Whether the column has an index.
    public var isIndexed: Bool
    /// Whether it may show something of confidential attributes to anyone who has the file.
    ///
    /// Without it the transformer must be keyed if any of the attributes is confidential.
    public var reveals: Bool

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - parts: The attributes, in the order in which their values are joined.
    ///   - transformer: An expression that takes bytes and ends in `Int64`, `Double`, `String` or `Data`.
    ///   - indexed: Whether the column has an index.
    ///   - reveals: Whether it may show something of confidential attributes to anyone who has the file.
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
    /// Names an attribute whose values are taken as they are.
    public init(stringLiteral attribute: String) {
        self.init(attribute)
    }
}

extension Model {
    /// An entity's compound projections, those it inherits first.
    func projections(of name: String) -> [CompoundProjection] {
        entity(name).map { lineage(of: $0).flatMap(\.projections) } ?? []
    }
}
