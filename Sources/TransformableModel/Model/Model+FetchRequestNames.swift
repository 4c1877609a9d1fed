extension Model {
    /// Checks that fetch requests name only what their entities have.
    ///
    /// Otherwise, a wrong name would be found only when its request is run. The model in a store's file is not checked,
    /// because an earlier version accepted such a request.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` and a fault for each request with a wrong name.
    package func requireNamesOfFetchRequests() throws(StoreError) {
        let faults = fetchRequests.compactMap { request -> String? in
            let order = request.order.map { $0.name.split(separator: ".").map(String.init) }
            let paths = (request.conditionParts(in: self)?.paths ?? []) + order
            let name = paths.lazy.compactMap { missingName(in: $0, from: request.entity) }.first
            return name.map { "the fetch request \(request.name) uses “\($0)”, which is not in the model" }
        }
        guard faults.isEmpty else { throw .invalidModel(faults) }
    }

    /// What a name in a path means.
    private enum Step {
        /// The path goes on from the objects of these entities.
        case objects([String])
        case composite(CompositeDescription)
        case value
    }

    /// Returns the first name in a path that leads nowhere, along with its entity, or `nil` if there is none.
    private func missingName(in path: [String], from start: String) -> String? {
        var entities = members(of: start)
        for (index, name) in path.enumerated() {
            // The names of the store itself, such as that of an object's number.
            guard !name.hasPrefix("_") else { return nil }
            let rest = path[(index + 1)...]
            var others: Set<String> = []
            for entity in entities {
                switch step(name, from: entity) {
                case .objects(let next)?: others.formUnion(next)
                case .value? where rest.isEmpty: break
                case .composite(let composite)? where Self.ends(rest, in: composite): break
                default: return "\(entity).\(path[index...].joined(separator: "."))"
                }
            }
            entities = others.sorted()
        }
        return nil
    }

    /// Returns the part of a path that ends with its last to-many relationship, or the path if there is none.
    ///
    /// It leads to the objects that a quantifier is about, in which the names on the other side of a comparison are
    /// looked up.
    func quantifiedPart(of path: [String], from start: String) -> [String] {
        var entities = members(of: start)
        var end: Int?
        for (index, name) in path.enumerated() {
            let found = entities.flatMap { relationships(of: $0).filter { $0.name == name } }
            if found.contains(where: \.isToMany) {
                end = index + 1
            } else if found.isEmpty, end == index, entity(name) != nil, !hasChildren(name) {
                // Such a cast is part of the relationship.
                end = index + 1
            }
            let next = entities.flatMap { entity -> [String] in
                if case .objects(let next)? = step(name, from: entity) { next } else { [] }
            }
            entities = Set(next).sorted()
        }
        return Array(path.prefix(end ?? path.count))
    }

    private static func ends(_ rest: ArraySlice<String>, in composite: CompositeDescription) -> Bool {
        rest.isEmpty || rest.count == 1 && composite.parts.contains { $0.name == rest.first }
    }

    private func step(_ name: String, from entity: String) -> Step? {
        guard let description = self.entity(entity) else { return nil }
        let lineage = lineage(of: description)
        if let relationship = relationships(of: entity).first(where: { $0.name == name }) {
            return .objects(members(of: relationship.destination))
        }
        if let composite = lineage.lazy.flatMap(\.composites).first(where: { $0.name == name }) {
            return .composite(composite)
        }
        // The database does not know about these objects, which is an error of its own.
        guard !transientRelationships(of: entity).contains(where: { $0.name == name }) else { return .objects([]) }
        let attributes = attributes(of: entity)
        let projections = attributes.flatMap(\.projections).map(\.name) + projections(of: entity).map(\.name)
        if attributes.contains(where: { $0.name == name }) || projections.contains(name) { return .value }
        // A cast to an entity of the same family. Objects of other entities do not satisfy the condition.
        guard let root = self.entity(name).flatMap({ self.lineage(of: $0).first }), root.name == lineage.first?.name
        else { return nil }
        return .objects(lineage.contains { $0.name == name } ? [entity] : [])
    }
}
