extension CoreDataModel {
    /// The model as a list of facts.
    package var outline: ModelOutline {
        var outline = ModelOutline()
        outline.isCompiled = isCompiled
        for entity in entities {
            outline.items.append(ModelOutline.Item("entity", entity.name, entity.facts))
            for attribute in entity.attributes { outline.add(attribute, attribute.name, in: entity.name) }
            for relationship in entity.relationships {
                let item = ModelOutline.Item("relationship", relationship.name, in: entity.name, relationship.facts)
                outline.items.append(item)
            }
            outline.add(entity.fetchedProperties, in: entity.name)
        }
        for request in fetchRequests {
            outline.items.append(ModelOutline.Item("fetch request", request.name, request.facts))
        }
        for configuration in configurations {
            let facts = [ModelOutline.Fact("entities", configuration.entities.joined(separator: ", "))]
            outline.items.append(ModelOutline.Item("configuration", configuration.name, facts))
        }
        return outline
    }
}

extension ModelOutline {
    fileprivate mutating func add(_ attribute: CoreDataAttribute, _ path: String, in entity: String) {
        items.append(Item("attribute", path, in: entity, attribute.facts))
        for element in attribute.elements { add(element, "\(path).\(element.name)", in: entity) }
    }

    fileprivate mutating func add(_ properties: [CoreDataFetchedProperty], in entity: String) {
        for property in properties {
            items.append(Item("fetched property", property.name, in: entity, property.request?.facts ?? []))
        }
    }
}

extension CoreDataEntity {
    fileprivate var facts: [ModelOutline.Fact] {
        var facts: [ModelOutline.Fact] = []
        facts.add("parent", parent)
        facts.add("abstract", if: isAbstract)
        facts.add("class", className, isXMLOnly: true)
        facts.add("code generation", codeGeneration, isXMLOnly: true)
        for index in indexes { facts.add("index", index.text) }
        for constraint in uniquenessConstraints { facts.add("unique", constraint.joined(separator: ", ")) }
        facts.add("formerly", renamingIdentifier)
        facts.add("version hash modifier", versionHashModifier)
        facts.add(userInfo: userInfo)
        return facts
    }
}

extension CoreDataAttribute {
    fileprivate var facts: [ModelOutline.Fact] {
        var facts = [ModelOutline.Fact("type", type.name)]
        facts.add("optional", if: isOptional)
        facts.add("transient", if: isTransient)
        facts.add("indexed", if: isIndexed)
        facts.add("default", defaultValue?.text)
        facts.add("minimum", minimum)
        facts.add("maximum", maximum)
        facts.add("pattern", pattern)
        facts.add("transformer", transformerName)
        facts.add("class", className, isXMLOnly: true)
        facts.add("scalar", if: usesScalarType, isXMLOnly: true)
        facts.add("external storage", if: allowsExternalStorage)
        facts.add(
            "derived",
            derivation.map { [$0.expression, $0.predicate].compactMap(\.self).joined(separator: " where ") }
        )
        facts.add("composite", compositeName, isXMLOnly: true)
        facts.add("encrypted in CloudKit", if: allowsCloudEncryption)
        facts.add("preserved on deletion", if: preservesValueOnDeletion)
        facts.add("indexed by Spotlight", if: isIndexedBySpotlight)
        facts.add("formerly", renamingIdentifier)
        facts.add("version hash modifier", versionHashModifier)
        facts.add(userInfo: userInfo)
        return facts
    }
}

extension CoreDataRelationship {
    fileprivate var facts: [ModelOutline.Fact] {
        var facts = [ModelOutline.Fact(isToMany ? "to many" : "to one", destination)]
        facts.add("ordered", if: isOrdered)
        facts.add("optional", if: isOptional)
        facts.add("transient", if: isTransient)
        facts.add("indexed", if: isIndexed)
        facts.add("inverse", inverse)
        facts.add("delete rule", deleteRule.name)
        facts.add("minimum", minimumCount > 0 ? String(minimumCount) : nil)
        facts.add("maximum", maximumCount > 0 ? String(maximumCount) : nil)
        facts.add("formerly", renamingIdentifier)
        facts.add("version hash modifier", versionHashModifier)
        facts.add(userInfo: userInfo)
        return facts
    }
}

extension CoreDataFetchRequest {
    fileprivate var facts: [ModelOutline.Fact] {
        var facts = [ModelOutline.Fact("entity", entity)]
        // Compiled models spell predicates in another way.
        facts.add("predicate", predicate, isXMLOnly: true)
        for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
            facts.add(key, value, isXMLOnly: value == "YES" && Self.defaults.contains(key))
        }
        return facts
    }
}

extension CoreDataIndex {
    /// The name and the properties, as in `byName (name, age descending)`.
    fileprivate var text: String {
        let list =
            elements.map { element in
                element.property + (element.isAscending ? "" : " descending")
                    + (element.kind == .rTree ? " R-tree" : "")
            }
        // A compound index of an older model has no name, and gets this one when it is compiled.
        let name = name == elements.map(\.property).joined(separator: "_") ? nil : name
        return (name.map { "\($0) " } ?? "") + "(\(list.joined(separator: ", ")))"
            + (predicate.map { " where \($0)" } ?? "")
    }
}

extension CoreDataDefaultValue {
    /// The value as text.
    package var text: String {
        switch self {
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .decimal(let digits): digits
        case .boolean(let value): value ? "YES" : "NO"
        case .string(let text): "“\(text)”"
        case .date(let seconds): "\(seconds) s after 2001"
        case .data(let data): "\(data.count) bytes"
        case .invalid(let text): "“\(text)”, which does not fit the type"
        }
    }
}
