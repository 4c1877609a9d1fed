/// The entities of a store.
///
/// A model is made in code or read from JSON, and is checked as a whole: a fault names the entity
/// and the attribute, and every fault is listed.
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
    /// The version, which grows when the entities change.
    public let version: Int
    /// The entities, in the order they were declared.
    public let entities: [EntityDescription]

    /// Makes a model.
    ///
    /// - Parameters:
    ///   - version: The version, from 1.
    ///   - entities: The entities.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel``, listing every fault.
    public init(version: Int = 1, entities: [EntityDescription]) throws(StoreError) {
        self.version = version
        self.entities = entities
        var validator = ModelValidator(entities: entities)
        validator.validate(version: version)
        guard validator.faults.isEmpty else { throw .invalidModel(validator.faults) }
    }

    /// Finds an entity.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The entity; nil if there is none.
    public func entity(_ name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }

    /// An entity and those it inherits from, the topmost first.
    func lineage(of entity: EntityDescription) -> [EntityDescription] {
        var lineage = [entity]
        while let name = lineage[0].parent, let parent = self.entity(name) {
            lineage.insert(parent, at: 0)
        }
        return lineage
    }

    /// An entity's attributes, those it inherits first; the parts of composites follow an entity's other attributes.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The attributes; none if there is no such entity.
    public func attributes(of name: String) -> [AttributeDescription] {
        entity(name).map { lineage(of: $0).flatMap(\.columns) } ?? []
    }

    /// An entity's relationships, those it inherits first.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The relationships; none if there is no such entity.
    public func relationships(of name: String) -> [RelationshipDescription] {
        entity(name).map { lineage(of: $0).flatMap(\.relationships) } ?? []
    }
}

extension StoreError {
    static func invalidModel(_ faults: [String]) -> Self {
        let count = faults.count == 1 ? "a fault" : "\(faults.count) faults"
        return Self(.invalidModel, "the model has \(count)", faults: faults)
    }
}
