/// Determines which entities, attributes, and relationships of a file's model continue in a newer model.
///
/// Both the plan of a migration and the migration itself use this type, so the plan matches what is done.
struct Succession: Sendable {
    /// The model of the file.
    let old: Model
    let model: Model
    /// Whether a step of the program handles what is dropped, so that a type can change.
    private let hasSteps: Bool
    private let entities: NameSuccession
    private let attributes: [String: NameSuccession]
    private let relationships: [String: NameSuccession]

    init(from old: Model, to model: Model, hasSteps: Bool = false) {
        self.old = old
        self.model = model
        self.hasSteps = hasSteps
        let entities = NameSuccession(
            from: old.entities.map(NameSuccession.Element.init),
            version: old.version,
            to: model.entities.map(NameSuccession.Element.init)
        )
        func parts(_ list: (String, Model) -> [NameSuccession.Element]) -> [String: NameSuccession] {
            let names = entities.predecessors.map { new, former in
                (new, NameSuccession(from: list(former, old), version: old.version, to: list(new, model)))
            }
            return Dictionary(uniqueKeysWithValues: names)
        }
        self.entities = entities
        attributes = parts { Self.columns(of: $0, in: $1).map(NameSuccession.Element.init) }
        relationships = parts { $1.relationships(of: $0).map(NameSuccession.Element.init) }
    }

    // MARK: - Entities

    /// Returns the name of an entity in the file, or `nil` if it is new or has no table of its own there.
    func oldName(of entity: EntityDescription) -> String? {
        guard !entity.isAbstract, let name = entities.predecessors[entity.name] else { return nil }
        return old.entity(name)?.isAbstract == false ? name : nil
    }

    /// Returns the same, by the entity's name.
    func oldName(ofEntity name: String) -> String? {
        model.entity(name).flatMap(oldName)
    }

    /// Returns the name of the entity that continues one in the file.
    ///
    /// It may have no objects of its own.
    func newName(ofEntity name: String) -> String? {
        entities.predecessors.first { $0.value == name }?.key
    }

    /// Returns the name of the entity that continues one in the file along with its objects, or `nil` if these are
    /// dropped.
    func heir(ofEntity name: String) -> String? {
        newName(ofEntity: name).flatMap { oldName(ofEntity: $0) == nil ? nil : $0 }
    }

    /// The names of the entities with objects that are no longer in the model, in order.
    var droppedEntities: [String] {
        let kept = Set(model.entities.compactMap(oldName))
        return old.entities.filter { !$0.isAbstract && !kept.contains($0.name) }.map(\.name).sorted()
    }

    // MARK: - Attributes

    /// Returns the attributes of an entity in a model that have columns.
    static func columns(of name: String, in model: Model) -> [AttributeDescription] {
        model.attributes(of: name).filter { !$0.isTransient }
    }

    /// Returns the name of an entity's attribute in the file, regardless of its type, or `nil` if it is new.
    func oldName(of attribute: String, in entity: String) -> String? {
        attributes[entity]?.predecessors[attribute]
    }

    /// Returns an attribute's predecessor.
    ///
    /// If a step handles a change of type, the old attribute is dropped, and the new one has no predecessor.
    func predecessor(
        of attribute: AttributeDescription,
        in entity: String,
        among before: [AttributeDescription]
    ) -> AttributeDescription? {
        let name = oldName(of: attribute.name, in: entity)
        let old = before.first { $0.name == name }
        return old.flatMap { hasSteps && !Self.widens($0.type, to: attribute.type) ? nil : $0 }
    }

    /// Returns a Boolean value that indicates whether every value of a type is also a value of another type and is
    /// stored in the same way.
    static func widens(_ old: AttributeType, to new: AttributeType) -> Bool {
        if let narrow = old.integers, let wide = new.integers {
            return narrow.lowerBound >= wide.lowerBound && narrow.upperBound <= wide.upperBound
        }
        return old == new || (old == .float && new == .double)
    }

    /// Returns a Boolean value that indicates whether the cells of a derived attribute are what its derivation returns.
    ///
    /// - Parameters:
    ///   - new: The derived attribute.
    ///   - old: Its predecessor, or `nil` if it is new.
    ///   - source: The attribute that it is derived from, and that attribute's predecessor.
    /// - Returns: `false` if the cells must be computed.
    static func keepsDerived(
        _ new: AttributeDescription,
        from old: AttributeDescription?,
        source: (new: AttributeDescription, old: AttributeDescription?)?
    ) -> Bool {
        guard let old, new.derivation == old.derivation, new.isOptional || !old.isOptional else { return false }
        guard let name = new.derivation?.sourceAttribute else { return true }
        // Another attribute may have the name now, and objects without text may get a default.
        guard let source, let former = source.old else { return false }
        return former.name == name && (source.new.isOptional || !former.isOptional)
    }

    // MARK: - Relationships

    /// Returns the name of an entity's relationship in the file, or `nil` if it is new.
    func oldName(ofRelationship name: String, in entity: String) -> String? {
        relationships[entity]?.predecessors[name]
    }

    /// Returns the name of a file's relationship in the entity that continues its own, or `nil` if it is dropped.
    func newName(ofRelationship name: String, in entity: String) -> String? {
        relationships[entity]?.predecessors.first { $0.value == name }?.key
    }

    // MARK: - Faults

    /// The names that cannot be matched, by entity and attribute.
    var faults: [StoreError] {
        let whole = entities.faults.map { StoreError(.unsupported, $1, entity: $0) }
        let parts = (Array(attributes) + Array(relationships))
            .flatMap { entity, names in
                names.faults.map { StoreError(.unsupported, $1, entity: entity, attribute: $0) }
            }
        return (whole + parts).sorted { $0.description < $1.description }
    }

    /// Returns the reason why it is ambiguous what an attribute or relationship continues, or `nil` if it is not.
    func fault(of name: String, in entity: String) -> String? {
        attributes[entity]?.faults[name] ?? relationships[entity]?.faults[name]
    }

    /// Throws an error if it is ambiguous what continues what.
    func requireClearNames() throws(StoreError) {
        try faults.throwFirst()
    }
}

extension [StoreError] {
    /// Throws the first error with descriptions of the others, unless there are no errors.
    func throwFirst() throws(StoreError) {
        guard var first else { return }
        first.faults = dropFirst().map(\.description)
        throw first
    }
}
