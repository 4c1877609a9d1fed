internal import Transformable
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// Adapts our model to the data of a store, before it is created.
struct AdoptedModel {
    /// A property that the model requires, and how to tell that a row lacks it.
    private struct Requirement {
        let entity: Int64
        let path: [String]
        let value: Value
        var isRelationship = false

        func isBroken(by row: PackedRow) -> Bool {
            switch value {
            case .nothing: true
            case .cell(let index): row.isNull(index)
            case .derived(let index, let source):
                index.map(row.isNull) != false && !row.isNull(source) && !row.hasText(source)
            case .reference(let reference, let members): reference.entity(in: row).map(members.contains) != true
            }
        }
    }

    /// What a row has for a property.
    private enum Value {
        /// Core Data's model does not have the property.
        case nothing
        case cell(Int)
        /// Text that is derived from that of another cell if it is missing.
        ///
        /// If the other cell is empty as well, the attribute that is derived becomes optional with its source.
        case derived(Int?, source: Int)
        /// A reference, which must lead to an object of certain entities.
        case reference(TableScan.Reference, members: Set<Int64>)
    }

    private let source: CoreDataStore
    private(set) var model: Model
    private(set) var notes: [CoreDataNote] = []

    /// Starts with a model, without the entities that are not selected.
    ///
    /// - Throws: `CoreDataError` with the code `unknown-name` if a selected entity does not exist, or `model-mismatch`
    ///   if the model has tenants.
    init(_ model: Model, _ source: CoreDataStore, selecting names: [String]) throws {
        guard !model.hasTenants else {
            let reason = "the model has tenants, and the objects of a Core Data store belong to none"
            let remedy = "adopt it with a model without tenants, and give them to tenants later (see “Tenants”)"
            throw CoreDataError(.modelMismatch, "\(reason); \(remedy)")
        }
        self.source = source
        self.model = model
        guard !names.isEmpty else { return }
        try select(names)
    }

    // MARK: - Selection

    private mutating func select(_ names: [String]) throws {
        for name in names where model.entity(name) == nil {
            let all = model.entities.map(\.name).joined(separator: ", ")
            throw CoreDataError(.unknownName, "there is no such entity; the entities are \(all)", entity: name)
        }
        let isSelected = { [model] (entity: EntityDescription) in
            model.lineage(of: entity).contains { names.contains($0.name) }
        }
        let kept = model.entities.filter(isSelected)
        let ancestors = Set(kept.flatMap { model.lineage(of: $0).map(\.name) }).subtracting(kept.map(\.name))
        let present = ancestors.union(kept.map(\.name))
        var entities = model.entities.filter { present.contains($0.name) }
        for index in entities.indices {
            entities[index] = limited(entities[index], to: present)
            if ancestors.contains(entities[index].name) { entities[index].isAbstract = true }
        }
        let selected = try model.with(entities: entities, fetchRequests: [])
        model = try selected.replacingFetchRequests(with: requests(for: selected))
    }

    /// Returns an entity without its relationships to entities that are not selected, and without what needs them.
    private mutating func limited(_ entity: EntityDescription, to present: Set<String>) -> EntityDescription {
        var copy = entity
        copy.relationships.removeAll { !present.contains($0.destination) }
        copy.transientRelationships.removeAll { !present.contains($0.destination) }
        let ends =
            entity.relationships.map { ($0.name, $0.destination) }
            + entity.transientRelationships.map { ($0.name, $0.destination) }
        for (name, destination) in ends where !present.contains(destination) {
            let text = "dropped the relationship to “\(destination)”, which was not selected"
            notes.append(CoreDataNote(entity: entity.name, property: name, text))
        }
        // Children can refer to the relationships of their parents.
        for lost in model.relationships(of: entity.name) where !present.contains(lost.destination) {
            for (names, kind) in copy.forgetRelationship(lost.name) {
                let text = "dropped the \(kind), because it uses “\(lost.name)”, which was dropped"
                notes.append(CoreDataNote(entity: entity.name, property: names.joined(separator: ", "), text))
            }
        }
        return copy
    }

    /// Returns the fetch requests that a model with some of the entities can run.
    private mutating func requests(for selected: Model) -> [FetchRequestDescription] {
        var requests: [FetchRequestDescription] = []
        for request in model.fetchRequests where selected.entity(request.entity) != nil {
            if let name = SelectedProperties(model, selected).lost(in: request) {
                let text = "dropped the fetch request, because it uses “\(name)”, which was dropped"
                notes.append(CoreDataNote(entity: request.entity, property: request.name, text))
            } else {
                requests.append(request)
            }
        }
        return requests
    }

    // MARK: - Requirements

    /// Makes properties optional that the model requires and that some objects lack.
    ///
    /// - Parameter reader: Reads the store.
    /// - Throws: Errors of reading the store.
    mutating func relax(_ reader: ForeignReader) throws {
        let adopted = AdoptionWork.adopted(source, model)
        let families = AdoptionWork.families(of: adopted, in: source.model)
        var missing: [String: (path: [String], isRelationship: Bool, count: Int, entity: String)] = [:]
        for table in source.entityTables {
            var scan = TableScan(table, source.layout, source.tables)
            let all = scan.entities.values.filter { adopted[$0.number] != nil }
            let requirements = all.flatMap { self.requirements(of: $0, families, &scan) }
            guard !requirements.isEmpty else { continue }
            let groups = Dictionary(grouping: requirements, by: \.entity)
            try scan.run(reader) { row in
                for requirement in groups[row.integer(TableScan.entity)] ?? [] where requirement.isBroken(by: row) {
                    let entity = adopted[requirement.entity] ?? ""
                    let key = "\(entity).\(requirement.path.joined(separator: "."))"
                    missing[key, default: (requirement.path, requirement.isRelationship, 0, entity)].count += 1
                }
                return true
            }
        }
        guard !missing.isEmpty else { return }
        var entities = model.entities
        for (_, fault) in missing.sorted(by: { $0.key < $1.key }) {
            let lineage = model.entity(fault.entity).map { model.lineage(of: $0).map(\.name) } ?? []
            for index in entities.indices where lineage.contains(entities[index].name) {
                entities[index].makeOptional(fault.path, isRelationship: fault.isRelationship)
            }
            let objects = "\(fault.count.counted("object")) \(fault.count == 1 ? "has" : "have") none"
            let text = "required, but \(objects); made optional"
            let property = fault.path.joined(separator: ".")
            notes.append(CoreDataNote(entity: fault.entity, property: property, text))
        }
        relaxDerived(&entities)
        model = try model.with(entities: entities)
    }

    /// Makes an attribute optional if it is derived from an attribute that has become optional.
    private mutating func relaxDerived(_ entities: inout [EntityDescription]) {
        let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for index in entities.indices {
            let lineage = model.lineage(of: entities[index]).compactMap { byName[$0.name] }
            let optional = Set(lineage.flatMap(\.attributes).filter(\.isOptional).map(\.name))
            for place in entities[index].attributes.indices {
                let attribute = entities[index].attributes[place]
                guard !attribute.isOptional, let source = attribute.derivation?.sourceAttribute,
                    optional.contains(source)
                else { continue }
                entities[index].attributes[place].isOptional = true
                let text = "became optional, because it is derived from an optional attribute"
                notes.append(CoreDataNote(entity: entities[index].name, property: attribute.name, text))
            }
        }
    }

    // MARK: - Unique values

    /// Drops constraints on unique values that objects break.
    ///
    /// - Parameters:
    ///   - reader: Reads the store.
    ///   - registry: The registry that contains the transformers of projections.
    /// - Throws: Errors of reading the store, and of computing projections.
    mutating func allowDuplicates(_ reader: ForeignReader, _ registry: TransformerRegistry) throws {
        let found = try DuplicateSearch.run(source, model, registry, reader)
        guard !found.isEmpty else { return }
        var entities = model.entities
        for duplicate in found {
            let lineage = model.entity(duplicate.entity).map { model.lineage(of: $0).map(\.name) } ?? []
            for index in entities.indices where lineage.contains(entities[index].name) {
                entities[index].dropConstraint(duplicate.names)
            }
            let objects = duplicate.count.counted("object")
            let text = "unique, but \(objects) have the same value as others; no longer unique"
            let property = duplicate.names.joined(separator: ", ")
            notes.append(CoreDataNote(entity: duplicate.entity, property: property, text))
        }
        model = try model.with(entities: entities)
    }

    private func requirements(
        of place: EntityPlace,
        _ families: [String: [Int64: String]],
        _ scan: inout TableScan
    ) -> [Requirement] {
        var requirements: [Requirement] = []
        for attribute in model.attributes(of: place.name) where !attribute.isOptional && !attribute.isTransient {
            let column = place.column(of: attribute.name)
            guard let value = self.value(attribute, column, place, &scan) else { continue }
            let path = column?.path ?? [attribute.name]
            requirements.append(Requirement(entity: place.number, path: path, value: value))
        }
        for relationship in model.relationships(of: place.name)
        where !relationship.isOptional && !relationship.isToMany {
            let column = place.references.first { $0.relationship.name == relationship.name }
            let value = column.map { column in
                let members = Set((families[column.relationship.destination] ?? [:]).keys)
                return Value.reference(scan.reference(column), members: members)
            }
            requirements.append(
                Requirement(
                    entity: place.number,
                    path: [relationship.name],
                    value: value ?? .nothing,
                    isRelationship: true
                )
            )
        }
        return requirements
    }

    /// Returns what a row has for a required attribute, or `nil` if every row gets a value.
    private func value(
        _ attribute: AttributeDescription,
        _ column: EntityPlace.AttributeColumn?,
        _ place: EntityPlace,
        _ scan: inout TableScan
    ) -> Value? {
        let index = column.map { scan.index(of: $0.column) }
        guard let derivation = attribute.derivation else {
            if let index { return .cell(index) }
            return model.fills(attribute, of: place.name) ? nil : .nothing
        }
        let source = derivation.sourceAttribute.flatMap(place.column)
        return source.map { .derived(index, source: scan.index(of: $0.column)) }
    }
}

extension PackedRow {
    /// Returns whether a cell is valid text.
    fileprivate func hasText(_ index: Int) -> Bool { kind(index) == .text && text(index) != nil }
}

extension EntityDescription {
    /// Drops whatever needs a relationship, and returns the names of its properties and what it is.
    fileprivate mutating func forgetRelationship(_ name: String) -> [(names: [String], kind: String)] {
        var dropped: [(names: [String], kind: String)] = []
        for group in uniqueness where group.contains(name) { dropped.append((group, "unique group")) }
        for index in indexes.map({ $0.map(\.name) }) where index.contains(name) { dropped.append((index, "index")) }
        let counts = attributes.filter { $0.derivation == .count(of: name) }.map(\.name)
        for attribute in counts { dropped.append(([attribute], "attribute")) }
        uniqueness.removeAll { $0.contains(name) }
        indexes.removeAll { $0.contains { $0.name == name } }
        attributes.removeAll { $0.derivation == .count(of: name) }
        return dropped
    }

    /// Drops a constraint that the entity declares, but keeps its index.
    fileprivate mutating func dropConstraint(_ names: [String]) {
        if uniqueness.contains(names) {
            uniqueness.removeAll { $0 == names }
            let keys = names.map(SortKey.ascending)
            if names.count > 1, !indexes.contains(keys) { indexes.append(keys) }
        }
        for index in attributes.indices where [attributes[index].name] == names {
            (attributes[index].isUnique, attributes[index].isIndexed) = (false, true)
        }
    }

    /// Makes an attribute, a part of a composite, or a relationship optional, if the entity declares it.
    fileprivate mutating func makeOptional(_ path: [String], isRelationship: Bool) {
        guard !isRelationship else {
            for index in relationships.indices where relationships[index].name == path[0] {
                relationships[index].isOptional = true
            }
            return
        }
        let names = AttributeMatch.names(of: path)
        for index in attributes.indices where names.contains(attributes[index].name) {
            attributes[index].isOptional = true
        }
        for index in composites.indices {
            let composite = composites[index]
            for part in composite.parts.indices {
                guard names.contains(composite.attributeName(composite.parts[part].name)) else { continue }
                composites[index].parts[part].isOptional = true
            }
        }
    }
}
