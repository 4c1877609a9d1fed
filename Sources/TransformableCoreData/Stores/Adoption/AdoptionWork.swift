internal import TransformableModel
internal import TransformableStore

/// What the adopters of entities and relationships share.
final class AdoptionWork {
    let source: CoreDataStore
    /// Our model.
    let model: Model
    let loader: StoreLoader
    let tallies: RelationshipTallies
    let isRehearsal: Bool
    /// Whether only selected entities are adopted, so that the others are left out on purpose.
    let isSelective: Bool
    /// The names of the entities whose objects are adopted, by number.
    let adopted: [Int64: String]
    /// The adopted entities that are of a kind, by the name of the kind.
    private let families: [String: [Int64: String]]

    init(_ source: CoreDataStore, _ model: Model, _ loader: StoreLoader, _ options: CoreDataStore.AdoptionOptions) {
        self.source = source
        self.model = model
        self.loader = loader
        isRehearsal = options.isRehearsal
        isSelective = !options.entities.isEmpty
        tallies = RelationshipTallies(source.model, options.dangling)
        adopted = Self.adopted(source, model)
        families = Self.families(of: adopted, in: source.model)
    }

    /// Returns the entities that both models have and whose objects can be stored.
    static func adopted(_ source: CoreDataStore, _ model: Model) -> [Int64: String] {
        source.entityNames.filter { model.entity($0.value)?.isAbstract == false }
    }

    /// Returns the adopted entities that a relationship to an entity can lead to, by number.
    func members(of entity: String) -> [Int64: String] { families[entity] ?? [:] }

    /// Returns the entities that are the same as or inherit from another one, by the name of that one.
    static func families(of adopted: [Int64: String], in model: CoreDataModel) -> [String: [Int64: String]] {
        var families: [String: [Int64: String]] = [:]
        for (number, name) in adopted {
            for ancestor in model.lineage(of: name) { families[ancestor.name, default: [:]][number] = name }
        }
        return families
    }
}
