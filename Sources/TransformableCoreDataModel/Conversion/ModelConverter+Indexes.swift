internal import TransformableModel

extension ModelConverter {
    /// Converts groups of unique properties, whose attributes must be comparable.
    mutating func convertUniqueness(of entity: CoreDataEntity, into result: inout EntityDescription) {
        let lineage = chain(of: entity.name)
        for names in entity.uniquenessConstraints {
            let isUsable = !names.isEmpty && Set(names).count == names.count
            guard isUsable, names.allSatisfy({ isComparable($0, lineage) }) else {
                let list = names.joined(separator: ", ")
                let text = "dropped the uniqueness rule for (\(list)), because SQL cannot compare these values"
                note(text, CoreDataNote(entity: entity.name, ""))
                continue
            }
            if let (reason, isLoss) = names.compactMap({ obstacle(toUnique: $0, in: lineage) }).first {
                let text = "dropped the uniqueness rule for (\(names.joined(separator: ", "))), because \(reason)"
                note(text, CoreDataNote(entity: entity.name, ""), isLoss: isLoss)
                continue
            }
            result.uniqueness.append(names)
        }
    }

    func isComparable(_ name: String, _ lineage: [String]) -> Bool {
        if let relationship = relationship(name, in: lineage) {
            return !relationship.isToMany && !relationship.isTransient && hasEntity(relationship.destination)
        }
        guard let declared = self.attribute(name, in: lineage) else { return false }
        // An enumeration becomes a plain attribute.
        let attribute = declared.rawValue ?? declared
        let isPlain = ![.transformable, .composite, .undefined, .objectID].contains(attribute.type)
        let isCounted = attribute.derivation?.expression.hasSuffix("@count") == true
        let isExternal = attribute.type == .binary && attribute.allowsExternalStorage
        return isPlain && !isCounted && !attribute.isTransient && !isExternal
            && !isTransformed(attribute, name, lineage)
    }

    /// Returns whether the map gives an attribute of bytes an expression.
    private func isTransformed(_ attribute: CoreDataAttribute, _ name: String, _ lineage: [String]) -> Bool {
        let place = CoreDataNote(entity: declarer(of: name, in: lineage), property: name, "")
        let names = attribute.type == .binary ? Self.mapNames(of: attribute, place) : []
        return names.contains { map.transformers[$0] != nil }
    }

    /// Converts indexes, whose properties must all be comparable.
    mutating func convertIndexes(of entity: CoreDataEntity, into result: inout EntityDescription) {
        let lineage = chain(of: entity.name)
        for index in entity.indexes {
            let names = index.elements.map(\.property)
            let list = names.joined(separator: ", ")
            let place = CoreDataNote(entity: entity.name, property: index.name, "")
            let isUsable =
                !names.isEmpty && Set(names).count == names.count && index.elements.allSatisfy { $0.kind == .binary }
            guard isUsable, names.allSatisfy({ isComparable($0, lineage) }) else {
                let kind = index.elements.contains { $0.kind == .rTree } ? "R-tree index" : "index"
                note("dropped the \(kind) of (\(list))", place)
                continue
            }
            if let predicate = index.predicate {
                note("converted the partial index (where \(predicate)) to an index of all objects", place)
            }
            add(index.elements, lineage, to: &result)
        }
    }

    private func add(
        _ elements: [CoreDataIndexElement],
        _ lineage: [String],
        to result: inout EntityDescription
    ) {
        if elements.count == 1, elements[0].isAscending {
            let name = elements[0].property
            if let position = result.attributes.firstIndex(where: { $0.name == name }) {
                result.attributes[position].isIndexed = true
                return
            }
            // The references of a to-one relationship are always indexed.
            if relationship(name, in: lineage) != nil { return }
        }
        let keys = elements.map { $0.isAscending ? SortKey.ascending($0.property) : .descending($0.property) }
        if !result.indexes.contains(keys) { result.indexes.append(keys) }
    }
}
