/// Which entities and attributes of a file's model live on as which ones of a newer model.
///
/// Both the plan of a migration and the migration itself ask here, so that what is announced is what is done.
struct Succession {
    let old: Metadata
    let model: Model
    /// Whether steps of the program take over what is dropped, so that a type may change.
    var hasSteps = false

    /// The name that an entity has in the file; nil for a new one.
    func oldName(of entity: EntityDescription) -> String? {
        if old.entities[entity.name] != nil { return entity.name }
        return entity.renamedFrom.flatMap { old.entities[$0] == nil ? nil : $0 }
    }

    /// The entities of the file that the model has no more, in the order of their names.
    var droppedEntities: [(name: String, id: UInt32)] {
        let kept = Set(model.entities.filter { !$0.isAbstract }.compactMap(oldName))
        return old.entities.filter { !kept.contains($0.key) }.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// The columns that an entity has in a model, those of its references included.
    static func columns(of name: String, in model: Model) -> [AttributeDescription] {
        let references = RelationshipPlan(model: model).columns(of: name).map(\.description)
        return (model.attributes(of: name) + references).filter { !$0.isTransient }
    }

    /// What an attribute was; one of another type that a step takes over is dropped, and the attribute new.
    func predecessor(
        of attribute: AttributeDescription,
        in before: [AttributeDescription]
    ) -> AttributeDescription? {
        let old = before.first { $0.name == attribute.name } ?? before.first { $0.name == attribute.renamedFrom }
        return old.flatMap { hasSteps && !Self.widens($0.type, to: attribute.type) ? nil : $0 }
    }

    /// Whether every value of a type is one of another type, too, and lies in a column alike.
    static func widens(_ old: AttributeType, to new: AttributeType) -> Bool {
        if let narrow = old.integers, let wide = new.integers {
            return narrow.lowerBound >= wide.lowerBound && narrow.upperBound <= wide.upperBound
        }
        return old == new || (old == .float && new == .double)
    }

    /// The tables of pairs that a model has, each with the statements that make it.
    static func pairs(of model: Model) -> [String: [String]] {
        let plan = RelationshipPlan(model: model)
        let tables = model.entities.filter { !$0.isAbstract }.flatMap(plan.pairTables)
        return Dictionary(tables.map { ($0.name, $0.statements) }) { first, _ in first }
    }
}
