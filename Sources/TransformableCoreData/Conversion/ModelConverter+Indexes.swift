internal import TransformableModel

extension ModelConverter {
    /// Converts groups of unique properties, of which the attributes must be comparable.
    mutating func convertUniqueness(of entity: CoreDataEntity, into result: inout EntityDescription) {
        let lineage = chain(of: entity.name)
        for names in entity.uniquenessConstraints {
            let isUsable = !names.isEmpty && Set(names).count == names.count
            guard isUsable, names.allSatisfy({ isComparable($0, lineage, in: result) }) else {
                let list = names.joined(separator: ", ")
                note("unique (\(list)), which SQL cannot compare, dropped", CoreDataNote(entity: entity.name, ""))
                continue
            }
            result.uniqueness.append(names)
        }
    }

    private func isComparable(_ name: String, _ lineage: [CoreDataEntity], in result: EntityDescription) -> Bool {
        for entity in lineage {
            if let relationship = entity.relationship(name) {
                return !relationship.isToMany && !relationship.isTransient && hasEntity(relationship.destination)
            }
            guard let attribute = entity.attribute(name) else { continue }
            let isPlain = ![.transformable, .composite, .undefined, .objectID].contains(attribute.type)
            return isPlain && !attribute.isTransient && !attribute.allowsExternalStorage
        }
        return false
    }

    /// Converts indexes, of which only those of a single attribute have a counterpart.
    mutating func convertIndexes(of entity: CoreDataEntity, into result: inout EntityDescription) {
        for index in entity.indexes {
            let list = index.elements.map(\.property).joined(separator: ", ")
            let place = CoreDataNote(entity: entity.name, property: index.name, "")
            if index.elements.count == 1, let element = index.elements.first, element.kind == .binary,
                index.predicate == nil, convert(element, into: &result)
            {
                if !element.isAscending { note("descending index (\(list)), made ascending", place) }
            } else if index.elements.count == 1, entity.relationship(list)?.isToMany == false {
                // The column of a to-one relationship is always indexed.
                continue
            } else {
                note("index (\(list)), dropped", place)
            }
        }
    }

    private func convert(_ element: CoreDataIndexElement, into result: inout EntityDescription) -> Bool {
        guard let position = result.attributes.firstIndex(where: { $0.name == element.property }),
            result.attributes[position].canBeIndexed
        else { return false }
        result.attributes[position].isIndexed = true
        return true
    }
}
