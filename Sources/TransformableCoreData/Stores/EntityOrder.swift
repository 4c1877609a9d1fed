/// The entities of a model in the order of their numbers in a store.
struct EntityOrder {
    /// The largest number of entities, which is far more than apps have.
    static let mostEntities = 2000

    let entities: [CoreDataEntity]
    let numbers: [String: Int64]
    private let parents: Set<String>

    /// Numbers the entities of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - stated: The numbers in a store that differ from the order, by name.
    /// - Throws: `CoreDataError` with the code `invalid-model` if an entity inherits from one that
    ///   is missing, or from itself, or with `limit-exceeded`.
    init(_ model: CoreDataModel, numbers stated: [String: Int64]) throws(CoreDataError) {
        guard model.entities.count <= Self.mostEntities else {
            throw CoreDataError(.limitExceeded, "the model has more than \(Self.mostEntities) entities")
        }
        let children = Dictionary(grouping: model.entities) { $0.parent }
        var entities: [CoreDataEntity] = []
        // The last one is next.
        var waiting = Self.reversed(children[nil])
        while let next = waiting.popLast() {
            entities.append(next)
            waiting += Self.reversed(children[next.name])
        }
        let numbers = Dictionary(zip(entities.map(\.name), Int64(1)...)) { first, _ in first }
        if let lost = model.entities.first(where: { numbers[$0.name] == nil }) {
            let reason = "one of its ancestors is missing, or inherits from itself"
            throw CoreDataError(.invalidModel, reason, entity: lost.name)
        }
        self.entities = entities
        self.numbers = numbers.merging(stated.filter { numbers[$0.key] != nil }) { $1 }
        parents = Set(model.entities.compactMap(\.parent))
    }

    func hasChildren(_ name: String) -> Bool { parents.contains(name) }

    /// Returns an entity's number, which is 0 for an unknown entity.
    func number(_ name: String) -> Int64 { numbers[name] ?? 0 }

    private static func reversed(_ entities: [CoreDataEntity]?) -> [CoreDataEntity] {
        (entities ?? []).sorted { Self.precedes($0.name, $1.name) }.reversed()
    }

    /// Returns a Boolean value that indicates whether a name comes before another one, regardless of case.
    static func precedes(_ left: String, _ right: String) -> Bool {
        let (low, high) = (left.lowercased(), right.lowercased())
        return low == high ? left < right : low < high
    }
}
