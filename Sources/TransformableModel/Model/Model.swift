/// The entities of a store.
///
/// You can create a model in code or read it from JSON. The model is checked as a whole. If it is invalid, the error
/// lists its faults, up to a hundred of them, each with the entity and attribute that it concerns.
///
/// ```swift
/// let model = try Model(entities: [
///     EntityDescription("Patient", attributes: [
///         .string("name", .indexed),
///         .transformed("bed", "rect", as: CGRect.self),
///     ])
/// ])
/// ```
public struct Model: Sendable, Hashable {
    /// The model's version, to be increased whenever the entities change.
    public let version: Int
    /// The entities, in declaration order.
    public let entities: [EntityDescription]
    /// The fetch requests that programs can run by name.
    public let fetchRequests: [FetchRequestDescription]
    /// Whether every object belongs to a tenant, except those of entities that are shared.
    ///
    /// Tenants are the parties that share a store, such as the customers of a service. A program reads and writes as one
    /// tenant at a time and sees only that tenant's objects. Values are unique within a tenant, and relationships refer
    /// to objects of the same tenant.
    public let hasTenants: Bool
    /// The positions of the entities, by name.
    private let positions: [String: Int]
    /// The names of the entities with objects that are of an entity's kind, by the entity's name.
    private let families: [String: [String]]
    /// The names of the entities that others inherit from.
    private let parents: Set<String>

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - version: The model's version, at least 1.
    ///   - hasTenants: Whether every object belongs to a tenant, except those of entities that are shared.
    ///   - entities: The entities.
    ///   - fetchRequests: The fetch requests that programs can run by name.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` and a list of up to 100 faults if the model is
    ///   invalid.
    public init(
        version: Int = 1,
        hasTenants: Bool = false,
        entities: [EntityDescription],
        fetchRequests: [FetchRequestDescription] = []
    ) throws(StoreError) {
        self.version = version
        self.hasTenants = hasTenants
        self.entities = entities
        self.fetchRequests = fetchRequests
        positions = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var validator = ModelValidator(hasTenants: hasTenants, entities: entities, fetchRequests: fetchRequests)
        validator.validate(version: version)
        guard validator.faults.isEmpty else { throw .invalidModel(validator.faults) }
        families = Self.families(of: entities)
        parents = Set(entities.compactMap(\.parent))
    }

    /// Returns the members of all families of a valid model.
    private static func families(of entities: [EntityDescription]) -> [String: [String]] {
        let parents = Dictionary(entities.map { ($0.name, $0.parent) }) { first, _ in first }
        var families: [String: [String]] = [:]
        for entity in entities where !entity.isAbstract {
            var ancestor: String? = entity.name
            while let name = ancestor {
                families[name, default: []].append(entity.name)
                ancestor = parents[name] ?? nil
            }
        }
        return families
    }

    /// Returns the entity with the given name.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The entity, or `nil` if there is none.
    public func entity(_ name: String) -> EntityDescription? {
        positions[name].map { entities[$0] }
    }

    /// Returns the fetch request with the given name.
    ///
    /// - Parameter name: The request's name.
    /// - Returns: The request, or `nil` if there is none.
    public func fetchRequest(_ name: String) -> FetchRequestDescription? {
        fetchRequests.first { $0.name == name }
    }

    /// Returns the model with other fetch requests.
    ///
    /// - Parameter requests: The fetch requests.
    /// - Returns: The model.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` if a request is invalid.
    public func replacingFetchRequests(with requests: [FetchRequestDescription]) throws(StoreError) -> Self {
        try with(version: version, entities: entities, fetchRequests: requests)
    }

    /// Returns the model with another version, other entities, or other fetch requests, as far as they are given.
    package func with(
        version: Int? = nil,
        entities: [EntityDescription]? = nil,
        fetchRequests: [FetchRequestDescription]? = nil
    ) throws(StoreError) -> Self {
        try Self(
            version: version ?? self.version,
            hasTenants: hasTenants,
            entities: entities ?? self.entities,
            fetchRequests: fetchRequests ?? self.fetchRequests
        )
    }

    /// Returns an entity and the entities that it inherits from, topmost first.
    package func lineage(of entity: EntityDescription) -> [EntityDescription] {
        var lineage = [entity]
        while let name = lineage.last?.parent, let parent = self.entity(name) { lineage.append(parent) }
        return lineage.reversed()
    }

    /// Returns the names of an entity and of those that inherit from it, as far as they can have objects, in declaration
    /// order.
    package func members(of name: String) -> [String] {
        families[name] ?? []
    }

    /// Returns whether other entities inherit from an entity.
    package func hasChildren(_ name: String) -> Bool {
        parents.contains(name)
    }

    /// Returns an entity's attributes, inherited ones first.
    ///
    /// The parts of composites follow the entity's other attributes.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The attributes, or an empty array if there is no such entity.
    public func attributes(of name: String) -> [AttributeDescription] {
        entity(name).map { lineage(of: $0).flatMap(\.columns) } ?? []
    }

    /// Returns an entity's relationships, inherited ones first.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The relationships, or an empty array if there is no such entity.
    public func relationships(of name: String) -> [RelationshipDescription] {
        entity(name).map { lineage(of: $0).flatMap(\.relationships) } ?? []
    }

    /// Returns an entity's unique groups, inherited ones first, each of them once.
    package func uniqueness(of name: String) -> [[String]] {
        var seen: Set<[String]> = []
        let groups = entity(name).map { lineage(of: $0).flatMap(\.uniqueness) } ?? []
        return groups.filter { seen.insert($0).inserted }
    }

    /// Returns an entity's indexes over several columns, inherited ones first.
    package func indexes(of name: String) -> [[SortKey]] {
        entity(name).map { lineage(of: $0).flatMap(\.indexes) } ?? []
    }

    /// Returns whether an entity, or one that it inherits from, authenticates its rows.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: Whether rows are authenticated, or `false` if there is no such entity.
    public func authenticatesRows(of name: String) -> Bool {
        entity(name).map { lineage(of: $0).contains(where: \.authenticatesRows) } ?? false
    }

    /// Returns whether each object of an entity belongs to a tenant.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: Whether the model has tenants and neither the entity nor one that it inherits from is shared, or `false`
    ///   if there is no such entity.
    public func belongsToTenants(_ name: String) -> Bool {
        guard hasTenants, let entity = entity(name) else { return false }
        return !lineage(of: entity).contains(where: \.isShared)
    }
}

extension StoreError {
    /// The largest number of faults that an error lists.
    static let faultLimit = 100

    static func invalidModel(_ faults: [String]) -> Self {
        let count = faults.count == 1 ? "a fault" : "\(faults.count) faults"
        guard faults.count > faultLimit else { return Self(.invalidModel, "the model has \(count)", faults: faults) }
        let message = "the model has more than \(faultLimit) faults, of which these are the first"
        return Self(.invalidModel, message, faults: Array(faults.prefix(faultLimit)))
    }
}
