/// A reference to objects that is kept only in memory, and discarded along with its object.
///
/// It has no inverse and no delete rule. Objects that are deleted disappear from it. Conditions cannot use it, because the
/// database does not know about it.
public struct TransientRelationship: Sendable, Hashable {
    /// The name, which must be unique among the entity's attributes and relationships.
    public var name: String
    /// The destination entity.
    public var destination: String
    /// Whether the relationship can lead to any number of objects, which then keep their order.
    public var isToMany: Bool
    /// Additional information for the program's own use.
    public var userInfo: [String: String] = [:]

    /// Creates a relationship that is kept only in memory.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The destination entity.
    ///   - many: Whether the relationship can lead to any number of objects.
    public init(_ name: String, to destination: String, many: Bool = false) {
        self.name = name
        self.destination = destination
        isToMany = many
    }
}

extension Model {
    /// Returns an entity's relationships that are kept only in memory, inherited ones first.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The relationships, or an empty array if there is no such entity.
    public func transientRelationships(of name: String) -> [TransientRelationship] {
        entity(name).map { lineage(of: $0).flatMap(\.transientRelationships) } ?? []
    }
}
