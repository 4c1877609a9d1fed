/// A configuration of a Core Data model: a named list of the entities that are kept in one store.
public struct CoreDataConfiguration: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The names of the entities, sorted.
    public var entities: [String]

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - name: The configuration's name.
    ///   - entities: The names of the entities.
    public init(_ name: String, entities: [String]) {
        self.name = name
        self.entities = entities.sorted()
    }
}
