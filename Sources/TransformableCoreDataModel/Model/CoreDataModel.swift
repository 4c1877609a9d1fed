public import struct Foundation.Data

/// A Core Data or SwiftData model.
///
/// The form of the model does not depend on what it was read from: the XML of an `.xcdatamodel`, a compiled `.mom`, or
/// the copy of the model that Core Data keeps in a store. Entities and their properties are sorted by name. Details
/// that only XML states, such as the names of classes in code, are missing in a model that was read from a compiled
/// source.
public struct CoreDataModel: Sendable, Hashable {
    /// The name of the version, such as `App 3`, or `nil` if the source has none.
    public var name: String?
    /// The entities, sorted by name.
    public var entities: [CoreDataEntity]
    /// The configurations, sorted by name.
    public var configurations: [CoreDataConfiguration] = []
    /// The stored fetch requests, sorted by name.
    public var fetchRequests: [CoreDataFetchRequest] = []
    /// The identifiers that the app gave to the version, sorted.
    public var versionIdentifiers: [String] = []
    /// The version hash of each entity, 32 bytes, if the source states them.
    ///
    /// Only an `.momd` does.
    public var versionHashes: [String: Data] = [:]
    /// Whether the model was read from a compiled source, which lacks the properties documented as “XML
    /// only”.
    public var isCompiled = false
    /// Whether the model is marked for use with CloudKit.
    ///
    /// XML only.
    public var usesCloudKit = false
    /// Whether the model is marked for use with SwiftData.
    ///
    /// XML only.
    public var usesSwiftData = false
    /// Notes about parts that were not recognized when the model was read, or were read as
    /// something else.
    public var notes: [CoreDataNote] = []

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - name: The name of the version.
    ///   - entities: The entities.
    public init(name: String? = nil, entities: [CoreDataEntity]) {
        self.name = name
        self.entities = entities.sorted { $0.name < $1.name }
    }
}

extension CoreDataModel {
    /// Returns the entity with the given name.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The entity, or `nil` if there is none.
    public func entity(_ name: String) -> CoreDataEntity? {
        entities.first { $0.name == name }
    }

    /// Returns the entities that directly inherit from an entity, sorted by name.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The entities.
    public func children(of name: String) -> [CoreDataEntity] {
        entities.filter { $0.parent == name }
    }

    /// Returns an entity and the entities that it inherits from, topmost first.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The entities, or an empty array if there is no such entity.
    public func lineage(of name: String) -> [CoreDataEntity] {
        var lineage: [CoreDataEntity] = []
        var next = entity(name)
        // The parents of a model that was not read from a file can form a cycle.
        while let entity = next, !lineage.contains(where: { $0.name == entity.name }) {
            lineage.insert(entity, at: 0)
            next = entity.parent.flatMap { self.entity($0) }
        }
        return lineage
    }
}

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
