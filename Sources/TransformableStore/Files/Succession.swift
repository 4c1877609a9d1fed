/// Which entities, attributes, and relationships of a file's model live on as which ones of a newer model.
///
/// Both the plan of a migration and the migration itself ask here, so that what is announced is what is done.
struct Succession: Sendable {
    /// The model of the file.
    let old: Model
    let model: Model
    /// Whether a step of the program takes over what is dropped, so that a type may change.
    let hasSteps: Bool
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

    /// The name that an entity has in the file; nil for a new one, and for one without a table of its own there.
    func oldName(of entity: EntityDescription) -> String? {
        guard !entity.isAbstract, let name = entities.predecessors[entity.name] else { return nil }
        return old.entity(name)?.isAbstract == false ? name : nil
    }

    /// The same by the entity's name.
    func oldName(ofEntity name: String) -> String? {
        model.entity(name).flatMap(oldName)
    }

    /// The name of the entity that continues one of the file, which may have no objects of its own.
    func newName(ofEntity name: String) -> String? {
        entities.predecessors.first { $0.value == name }?.key
    }

    /// The name of the entity that continues one of the file with its objects; nil if these are dropped.
    func heir(ofEntity name: String) -> String? {
        newName(ofEntity: name).flatMap { oldName(ofEntity: $0) == nil ? nil : $0 }
    }

    /// The names of the entities with objects that the model has no more, in their order.
    var droppedEntities: [String] {
        let kept = Set(model.entities.compactMap(oldName))
        return old.entities.filter { !$0.isAbstract && !kept.contains($0.name) }.map(\.name).sorted()
    }

    // MARK: - Attributes

    /// The attributes of an entity in a model that have columns.
    static func columns(of name: String, in model: Model) -> [AttributeDescription] {
        model.attributes(of: name).filter { !$0.isTransient }
    }

    /// The name that an attribute of an entity has in the file, of whichever type; nil for a new one.
    func oldName(of attribute: String, in entity: String) -> String? {
        attributes[entity]?.predecessors[attribute]
    }

    /// What an attribute was; one of another type that a step takes over is dropped, and the attribute new.
    func predecessor(
        of attribute: AttributeDescription,
        in entity: String,
        among before: [AttributeDescription]
    ) -> AttributeDescription? {
        let name = oldName(of: attribute.name, in: entity)
        let old = before.first { $0.name == name }
        return old.flatMap { hasSteps && !Self.widens($0.type, to: attribute.type) ? nil : $0 }
    }

    /// Whether every value of a type is one of another type, too, and lies in a column alike.
    static func widens(_ old: AttributeType, to new: AttributeType) -> Bool {
        if let narrow = old.integers, let wide = new.integers {
            return narrow.lowerBound >= wide.lowerBound && narrow.upperBound <= wide.upperBound
        }
        return old == new || (old == .float && new == .double)
    }

    // MARK: - Relationships

    /// The name that a relationship of an entity has in the file; nil for a new one.
    func oldName(ofRelationship name: String, in entity: String) -> String? {
        relationships[entity]?.predecessors[name]
    }

    /// The name that a relationship of the file has in the entity that continues its own; nil if it is dropped.
    func newName(ofRelationship name: String, in entity: String) -> String? {
        relationships[entity]?.predecessors.first { $0.value == name }?.key
    }

    // MARK: - Faults

    /// What cannot be brought together, by the entity and the attribute.
    var faults: [StoreError] {
        let whole = entities.faults.map { StoreError(.unsupported, $1, entity: $0) }
        let parts = (Array(attributes) + Array(relationships))
            .flatMap { entity, names in
                names.faults.map { StoreError(.unsupported, $1, entity: entity, attribute: $0) }
            }
        return (whole + parts).sorted { $0.description < $1.description }
    }

    /// Why it is not clear what an attribute or a relationship continues; nil if it is.
    func fault(of name: String, in entity: String) -> String? {
        attributes[entity]?.faults[name] ?? relationships[entity]?.faults[name]
    }

    /// Throws if it is not clear what continues what.
    func requireClearNames() throws(StoreError) {
        let faults = faults
        guard var first = faults.first else { return }
        if faults.count > 1 { first.faults = faults.dropFirst().map(\.description) }
        throw first
    }
}
