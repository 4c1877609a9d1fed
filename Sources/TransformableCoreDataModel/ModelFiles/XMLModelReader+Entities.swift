extension XMLModelReader {
    mutating func entity(_ element: XMLElement) throws(CoreDataError) -> CoreDataEntity {
        let name = try required("name", of: element)
        let place = CoreDataNote(entity: name, "")
        check(element, known: Known.entity, place: place)
        var entity = CoreDataEntity(
            name,
            parent: text("parentEntity", of: element),
            abstract: flag("isAbstract", of: element, place: place),
            attributes: try attributes(of: element, place: place),
            relationships: try relationships(of: element, place: place)
        )
        let className = text("representedClassName", of: element)
        entity.className = className == "NSManagedObject" ? nil : className
        entity.codeGeneration = text("codeGenerationType", of: element)
        entity.isSyncable = element["syncable"] == nil ? nil : flag("syncable", of: element, place: place)
        entity.renamingIdentifier = renaming(of: element)
        entity.versionHashModifier = text("versionHashModifier", of: element)
        entity.fetchedProperties = try fetchedProperties(of: element, place: place)
        entity.indexes = try indexes(of: element, place: place)
        entity.uniquenessConstraints = try lists(
            "uniquenessConstraints",
            "uniquenessConstraint",
            "constraint",
            element,
            place
        )
        entity.userInfo = try userInfo(of: element, place)
        try checkProperties(of: entity, element)
        return entity
    }

    private func checkProperties(of entity: CoreDataEntity, _ element: XMLElement) throws(CoreDataError) {
        var names: Set<String> = []
        let all =
            entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
        for name in all where !names.insert(name).inserted {
            throw fault("“\(entity.name)” has two properties called “\(name)”", element)
        }
    }

    private mutating func relationships(
        of element: XMLElement,
        place: CoreDataNote
    ) throws(CoreDataError) -> [CoreDataRelationship] {
        var relationships: [CoreDataRelationship] = []
        for child in element.children where child.name == "relationship" {
            let name = try required("name", of: child)
            let place = CoreDataNote(entity: place.entity, property: name, "")
            check(child, known: Known.relationship, place: place)
            relationships.append(try relationship(child, name, place: place))
        }
        return relationships
    }

    private mutating func relationship(
        _ element: XMLElement,
        _ name: String,
        place: CoreDataNote
    ) throws(CoreDataError) -> CoreDataRelationship {
        var relationship = CoreDataRelationship(
            name,
            to: try required("destinationEntity", of: element),
            toMany: flag("toMany", of: element, place: place),
            ordered: flag("ordered", of: element, place: place),
            optional: flag("optional", of: element, place: place),
            inverse: text("inverseName", of: element)
        )
        if relationship.isToMany {
            relationship.minimumCount = count("minCount", of: element, place: place)
            relationship.maximumCount = count("maxCount", of: element, place: place)
            // Such models say that the relationship leads to one object in two ways, and that it does not in one.
            if relationship.maximumCount == 1 { relationship.isToMany = false }
        }
        if !relationship.isToMany { (relationship.minimumCount, relationship.maximumCount) = (0, 0) }
        relationship.deleteRule = try deleteRule(of: element)
        relationship.isTransient = flag("transient", of: element, place: place)
        relationship.isIndexed = flag("indexed", of: element, place: place)
        relationship.isSyncable = element["syncable"] == nil ? nil : flag("syncable", of: element, place: place)
        relationship.renamingIdentifier = renaming(of: element)
        relationship.versionHashModifier = text("versionHashModifier", of: element)
        relationship.userInfo = try userInfo(of: element, place)
        return relationship
    }

    private func deleteRule(of element: XMLElement) throws(CoreDataError) -> CoreDataDeleteRule {
        guard let name = element["deletionRule"] else { return .nullify }
        guard let rule = CoreDataDeleteRule.allCases.first(where: { $0.name == name }) else {
            throw fault("the deletion rule “\(name)” is unknown", element)
        }
        return rule
    }

    private mutating func count(_ name: String, of element: XMLElement, place: CoreDataNote) -> Int {
        guard let text = element[name] else { return 0 }
        guard text.first != "+", let number = Int(text), 0...Int(Int32.max) ~= number else {
            note("“\(name)” is “\(text)”, not a count, and was ignored", place)
            return 0
        }
        return number
    }

    private mutating func fetchedProperties(
        of element: XMLElement,
        place: CoreDataNote
    ) throws(CoreDataError) -> [CoreDataFetchedProperty] {
        var properties: [CoreDataFetchedProperty] = []
        for child in element.children where child.name == "fetchedProperty" {
            let name = try required("name", of: child)
            let place = CoreDataNote(entity: place.entity, property: name, "")
            check(child, known: ["name", "optional", "syncable", "fetchRequest", "userInfo"], place: place)
            var property = CoreDataFetchedProperty(name)
            property.isOptional = flag("optional", of: child, place: place)
            if let request = child.children.first(where: { $0.name == "fetchRequest" }) {
                property.request = try fetchRequest(request)
            }
            property.userInfo = try userInfo(of: child, place)
            properties.append(property)
        }
        return properties.sorted { $0.name < $1.name }
    }

    private mutating func indexes(of element: XMLElement, place: CoreDataNote) throws(CoreDataError) -> [CoreDataIndex]
    {
        var indexes = try lists("compoundIndexes", "compoundIndex", "index", element, place)
            .map { CoreDataIndex(nil, $0.map { CoreDataIndexElement($0) }) }
        for child in element.children where child.name == "fetchIndex" {
            let name = try required("name", of: child)
            let place = CoreDataNote(entity: place.entity, property: name, "")
            check(child, known: ["name"], children: ["fetchIndexElement"], place: place)
            var elements: [CoreDataIndexElement] = []
            for part in child.children where part.name == "fetchIndexElement" {
                check(part, known: ["property", "type", "order"], place: place)
                guard let property = text("property", of: part) else {
                    note("an element of the index names no property and was ignored", place)
                    continue
                }
                let (type, order) = (part["type"] ?? "Binary", part["order"] ?? "ascending")
                if !["Binary", "RTree"].contains(type) {
                    note("the index type “\(type)” is unknown, so it was read as Binary", place)
                }
                if !["ascending", "descending"].contains(order) {
                    note("the order “\(order)” is unknown, so it was read as ascending", place)
                }
                let kind: CoreDataIndexElement.Kind = type == "RTree" ? .rTree : .binary
                elements.append(CoreDataIndexElement(property, ascending: order != "descending", kind: kind))
            }
            indexes.append(CoreDataIndex(name, elements))
        }
        return indexes
    }

    /// Returns the names in lists such as `<compoundIndexes><compoundIndex><index value="name"/>`.
    private mutating func lists(
        _ outer: String,
        _ middle: String,
        _ inner: String,
        _ element: XMLElement,
        _ place: CoreDataNote
    ) throws(CoreDataError) -> [[String]] {
        var lists: [[String]] = []
        for group in element.children where group.name == outer {
            check(group, known: [], children: [middle], place: place)
            for list in group.children where list.name == middle {
                check(list, known: [], children: [inner], place: place)
                var names: [String] = []
                for item in list.children where item.name == inner {
                    check(item, known: ["value"], place: place)
                    names.append(try required("value", of: item))
                }
                if !names.isEmpty { lists.append(names) }
            }
        }
        return lists
    }
}
