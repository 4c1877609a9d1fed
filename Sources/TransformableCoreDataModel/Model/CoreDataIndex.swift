/// A fetch index of an entity in a Core Data model, or a compound index of an older model.
public struct CoreDataIndex: Sendable, Hashable {
    /// The name, or `nil` for a compound index of an older model.
    public var name: String?
    /// The properties that are indexed, in the order of the index.
    public var elements: [CoreDataIndexElement]
    /// The predicate of the objects that the index contains, or `nil` if it contains all.
    public var predicate: String?

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - name: The index's name, or `nil` for a compound index of an older model.
    ///   - elements: The properties that are indexed.
    ///   - predicate: The predicate of the objects that the index contains.
    public init(_ name: String?, _ elements: [CoreDataIndexElement], predicate: String? = nil) {
        self.name = name
        self.elements = elements
        self.predicate = predicate
    }
}

/// A property in a fetch index.
public struct CoreDataIndexElement: Sendable, Hashable {
    /// The kind of an index.
    public enum Kind: Int, Sendable, Hashable {
        /// A sorted index.
        case binary = 0
        /// An R-tree, for coordinates.
        case rTree = 1
    }

    /// The name of the attribute or relationship.
    public var property: String
    /// Whether the index is sorted in ascending order.
    public var isAscending: Bool
    /// The kind of the index.
    public var kind: Kind

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - property: The name of the attribute or relationship.
    ///   - ascending: Whether the index is sorted in ascending order.
    ///   - kind: The kind of the index.
    public init(_ property: String, ascending: Bool = true, kind: Kind = .binary) {
        self.property = property
        isAscending = ascending
        self.kind = kind
    }
}
