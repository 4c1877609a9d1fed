/// What the names in the paths of fetch requests mean in a model.
///
/// A name is looked up once for all objects that the names before it lead to, because a model can contain many long paths
/// through large families.
package final class RequestPaths {
    /// What a name means for objects of some entities.
    private struct Step {
        /// The position of the entities of the objects that the path goes on from.
        var next = 0
        var isRelationship = false
        var isToMany = false
        /// The first entity that has nothing with the name.
        var missing: String?
        /// The first entity for which the name is that of a value.
        var value: String?
        var composites: [(entity: String, parts: Set<String>)] = []

        /// Returns the first entity for which the name cannot be followed by other names.
        func end(before rest: ArraySlice<String>) -> String? {
            guard let first = rest.first else { return missing }
            let composite = composites.first { rest.count > 1 || !$0.parts.contains(first) }
            return [missing, value, composite?.entity].compactMap(\.self).min()
        }
    }

    private struct Place: Hashable {
        let entities: Int
        let name: String
    }

    private let model: Model
    /// The lists of entities that paths lead to.
    private var lists: [[String]] = []
    private var positions: [[String]: Int] = [:]
    private var starts: [String: Int] = [:]
    private var steps: [Place: Step] = [:]

    package init(_ model: Model) {
        self.model = model
    }

    /// Returns the first name in a path that leads nowhere, along with its entity and the rest of the path, or `nil` if
    /// there is none.
    package func missingName(in path: [String], from entity: String) -> String? {
        var place = start(entity)
        for (index, name) in path.enumerated() {
            // The names of the store itself, such as that of an object's number.
            guard !name.hasPrefix("_") else { return nil }
            let step = step(name, from: place)
            if let entity = step.end(before: path[(index + 1)...]) {
                return "\(entity).\(path[index...].joined(separator: "."))"
            }
            place = step.next
        }
        return nil
    }

    /// Returns the part of a path that ends with its last to-many relationship, or the path if there is none.
    ///
    /// It leads to the objects that a quantifier is about, in which the names on the other side of a comparison are
    /// looked up.
    func quantifiedPart(of path: [String], from entity: String) -> [String] {
        var place = start(entity)
        var end: Int?
        for (index, name) in path.enumerated() {
            let step = step(name, from: place)
            // The name of an entity that follows a relationship is part of it.
            let isNarrowed = end == index && !step.isRelationship && model.entity(name) != nil
            if step.isToMany || isNarrowed { end = index + 1 }
            place = step.next
        }
        return Array(path.prefix(end ?? path.count))
    }

    // MARK: - Steps

    private func start(_ entity: String) -> Int {
        if let known = starts[entity] { return known }
        let position = position(of: model.members(of: entity).sorted())
        starts[entity] = position
        return position
    }

    private func position(of entities: [String]) -> Int {
        if let known = positions[entities] { return known }
        lists.append(entities)
        positions[entities] = lists.count - 1
        return lists.count - 1
    }

    private func step(_ name: String, from entities: Int) -> Step {
        let place = Place(entities: entities, name: name)
        if let known = steps[place] { return known }
        var step = Step()
        var others: Set<String> = []
        for entity in lists[entities] { add(name, of: entity, to: &step, &others) }
        step.next = position(of: others.sorted())
        steps[place] = step
        return step
    }

    private func add(_ name: String, of entity: String, to step: inout Step, _ others: inout Set<String>) {
        let lineage = model.entity(entity).map { model.lineage(of: $0) } ?? []
        if let relationship = lineage.lazy.flatMap(\.relationships).first(where: { $0.name == name }) {
            step.isRelationship = true
            if relationship.isToMany { step.isToMany = true }
            others.formUnion(model.members(of: relationship.destination))
        } else if let composite = lineage.lazy.flatMap(\.composites).first(where: { $0.name == name }) {
            step.composites.append((entity, Set(composite.parts.map(\.name))))
        } else if lineage.contains(where: { $0.transientRelationships.contains { $0.name == name } }) {
            // The database does not know about these objects, which is an error of its own.
        } else if lineage.contains(where: { Self.hasValue(name, $0) }) {
            step.value = step.value ?? entity
        } else if let root = model.entity(name).flatMap({ model.lineage(of: $0).first }),
            root.name == lineage.first?.name
        {
            // A cast to an entity of the same family. Objects of other entities do not satisfy the condition.
            if lineage.contains(where: { $0.name == name }) { others.insert(entity) }
        } else {
            step.missing = step.missing ?? entity
        }
    }

    private static func hasValue(_ name: String, _ entity: EntityDescription) -> Bool {
        entity.projections.contains { $0.name == name }
            || entity.columns.contains { $0.name == name || $0.projections.contains { $0.name == name } }
    }
}

@available(*, unavailable)
extension RequestPaths: Sendable {}

extension Model {
    /// Checks that fetch requests name only what their entities have.
    ///
    /// Otherwise, a wrong name is found only when its request is run. A store opens nevertheless, because everything else
    /// in it can be used.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` and a fault for each request with a wrong name.
    package func requireNamesOfFetchRequests() throws(StoreError) {
        let known = RequestPaths(self)
        let faults = fetchRequests.compactMap { request -> String? in
            let order = request.order.map { $0.name.split(separator: ".").map(String.init) }
            let paths = (request.conditionParts(in: known)?.paths ?? []) + order
            let name = paths.lazy.compactMap { known.missingName(in: $0, from: request.entity) }.first
            return name.map { "the fetch request \(request.name) uses “\($0)”, which is not in the model" }
        }
        guard faults.isEmpty else { throw .invalidModel(faults) }
    }
}
