internal import TransformableModel

/// Converts the entities of a Core Data model.
struct ModelConverter {
    /// The keys of userInfo that keep what has no place of its own in a model.
    enum Key {
        static let className = "coredata.className"
        static let transformer = "coredata.transformer"
        static let codeGeneration = "coredata.codeGeneration"
        static let syncable = "coredata.syncable"
        static let versionHashModifier = "coredata.versionHashModifier"
        static let configurations = "coredata.configurations"
        static let derivation = "coredata.derivation"
    }

    /// The limits of models, and of ancestors, of which no model in use has more than two.
    private static let (entitiesLimit, propertiesLimit, deepest) = (1000, 500, 32)

    let source: CoreDataModel
    let map: ModelMap
    var notes: [CoreDataNote]
    /// The names by which the map can give expressions to attributes.
    var mappable: Set<String> = []
    /// The relationships that state no inverse and became that of another one, as in `Person.passport`.
    var claims: Set<String> = []
    /// The fetch requests that were converted.
    var fetchRequests: [FetchRequestDescription] = []
    /// The texts of those that were not, by name.
    var unconverted: [String: String] = [:]
    /// The inverses of one-to-one relationships that were converted, by path, and the entity that each leads to.
    private var oneToOne: [String: (path: String, destination: String)] = [:]
    private let byName: [String: CoreDataEntity]
    private let parents: Set<String>
    private let attributes: [String: [String: CoreDataAttribute]]
    private let relationships: [String: [String: CoreDataRelationship]]

    init(_ source: CoreDataModel, map: ModelMap) {
        self.source = source
        self.map = map
        notes = source.notes
        byName = Dictionary(source.entities.map { ($0.name, $0) }) { first, _ in first }
        parents = Set(source.entities.compactMap(\.parent))
        attributes = byName.mapValues { Dictionary($0.attributes.map { ($0.name, $0) }) { first, _ in first } }
        relationships = byName.mapValues { Dictionary($0.relationships.map { ($0.name, $0) }) { first, _ in first } }
    }

    mutating func convert() -> [EntityDescription] {
        for identifier in source.versionIdentifiers where !identifier.isEmpty {
            notes.append(CoreDataNote("dropped the version identifier “\(identifier)”", isLoss: false))
        }
        if source.usesCloudKit { notes.append(CoreDataNote("dropped the CloudKit setting", isLoss: false)) }
        convertFetchRequests()
        let relationships = convertedRelationships()
        findOneToOne(relationships)
        let entities = source.entities.map { convert($0, relationships[$0.name] ?? []) }
        for key in map.transformers.keys.sorted() where !mappable.contains(key) {
            let reason = "no transformable or binary attribute, transformer, or class has that name"
            notes.append(CoreDataNote("the map gives “\(key)” an expression, but \(reason)", isLoss: false))
        }
        return entities
    }

    private mutating func convert(
        _ entity: CoreDataEntity,
        _ relationships: [RelationshipDescription]
    ) -> EntityDescription {
        var result = EntityDescription(
            entity.name,
            parent: entity.parent,
            abstract: entity.isAbstract,
            relationships: relationships
        )
        result.userInfo = entity.userInfo
        result.renamedFrom = formerNames(entity.renamingIdentifier)
        result.transientRelationships = convertedTransientRelationships(of: entity)
        for attribute in entity.attributes { convert(attribute, of: entity, into: &result) }
        keepNames(of: entity, in: &result)
        keepModifier(entity.versionHashModifier, in: &result.userInfo, CoreDataNote(entity: entity.name, ""))
        keepRequests(of: entity, in: &result)
        convertUniqueness(of: entity, into: &result)
        convertIndexes(of: entity, into: &result)
        return result
    }

    private func keepNames(of entity: CoreDataEntity, in result: inout EntityDescription) {
        if let className = entity.className, className != entity.name {
            result.userInfo[Key.className] = className
        }
        result.userInfo[Key.codeGeneration] = entity.codeGeneration
        if entity.isSyncable == false { result.userInfo[Key.syncable] = "NO" }
    }

    private mutating func keepRequests(of entity: CoreDataEntity, in result: inout EntityDescription) {
        for property in entity.fetchedProperties {
            let place = CoreDataNote(entity: entity.name, property: property.name, "")
            result.userInfo["coredata.fetchedProperty.\(property.name)"] = property.request?.text ?? ""
            note("kept the fetched property as userInfo", place)
        }
        for request in source.fetchRequests where request.entity == entity.name {
            guard let text = unconverted[request.name] else { continue }
            result.userInfo["coredata.fetchRequest.\(request.name)"] = text
        }
        let names = source.configurations.filter { $0.name != "default" && $0.entities.contains(entity.name) }
            .map(\.name)
        guard !names.isEmpty else { return }
        result.userInfo[Key.configurations] = names.joined(separator: ",")
        let text = "kept the configurations \(names.joined(separator: ", ")) as userInfo"
        note(text, CoreDataNote(entity: entity.name, ""))
    }

    mutating func keepModifier(_ modifier: String?, in userInfo: inout [String: String], _ place: CoreDataNote) {
        guard let modifier else { return }
        userInfo[Key.versionHashModifier] = modifier
        note("kept the version hash modifier “\(modifier)” as userInfo", place, isLoss: false)
    }

    mutating func note(_ text: String, _ place: CoreDataNote, isLoss: Bool = true) {
        notes.append(CoreDataNote(entity: place.entity, property: place.property, text, isLoss: isLoss))
    }

    func formerNames(_ identifier: String?) -> FormerNames {
        FormerNames(identifier.map { [.init($0)] } ?? [])
    }

    /// Returns the names of an entity and its ancestors, that of the entity first.
    func chain(of name: String) -> [String] {
        var chain: [String] = []
        var next = byName[name]
        while let entity = next, chain.count < Self.deepest, !chain.contains(entity.name) {
            chain.append(entity.name)
            next = entity.parent.flatMap { byName[$0] }
        }
        return chain
    }

    /// Returns the attribute of an entity, which it can inherit.
    func attribute(_ name: String, in chain: [String]) -> CoreDataAttribute? {
        chain.lazy.compactMap { attributes[$0]?[name] }.first
    }

    /// Returns the entity that declares an attribute.
    func declarer(of name: String, in chain: [String]) -> String? {
        chain.first { attributes[$0]?[name] != nil }
    }

    /// Returns the relationship of an entity, which it can inherit.
    func relationship(_ name: String, in chain: [String]) -> CoreDataRelationship? {
        chain.lazy.compactMap { relationships[$0]?[name] }.first
    }

    /// Returns what makes the model too large to convert, or `nil`.
    var excess: String? {
        if source.entities.count > Self.entitiesLimit { return "there are more than \(Self.entitiesLimit) entities" }
        for entity in source.entities {
            if entity.attributes.count + entity.relationships.count > Self.propertiesLimit {
                return "\(entity.name) has more than \(Self.propertiesLimit) attributes and relationships"
            }
            if chain(of: entity.name).count == Self.deepest {
                return "\(entity.name) has more than \(Self.deepest - 2) ancestors"
            }
        }
        return nil
    }

    func hasEntity(_ name: String) -> Bool { byName[name] != nil }

    private mutating func findOneToOne(_ converted: [String: [RelationshipDescription]]) {
        for entity in source.entities {
            for relationship in converted[entity.name] ?? [] where !relationship.isToMany {
                guard let name = relationship.inverse,
                    let owner = declarer(ofRelationship: name, in: chain(of: relationship.destination)),
                    let back = relationships[owner]?[name], !back.isToMany
                else { continue }
                let (path, inverse) = ("\(entity.name).\(relationship.name)", "\(owner).\(name)")
                oneToOne[path] = (inverse, back.destination)
                oneToOne[inverse] = oneToOne[inverse] ?? (path, relationship.destination)
            }
        }
    }

    /// Returns the topmost entity that declares a relationship.
    func declarer(ofRelationship name: String, in chain: [String]) -> String? {
        chain.last { relationships[$0]?[name] != nil }
    }

    /// Returns why a store cannot check that a relationship is unique, and whether that matters, or `nil` if it can.
    ///
    /// The references to a family are in several columns, and those of a one-to-one relationship in a column of the side
    /// that comes first in alphabetical order.
    func obstacle(toUnique name: String, in chain: [String]) -> (reason: String, isLoss: Bool)? {
        guard let owner = declarer(ofRelationship: name, in: chain), let relationship = relationships[owner]?[name]
        else { return nil }
        if byName[relationship.destination]?.isAbstract == true || parents.contains(relationship.destination) {
            return ("“\(name)” can refer to objects of several entities", true)
        }
        // An inverse that leads only to children of the entity is not that of its own objects.
        guard let inverse = oneToOne["\(owner).\(name)"], chain.contains(inverse.destination),
            "\(owner).\(name)" > inverse.path
        else { return nil }
        return ("no two objects can have the same “\(name)”, which is a one-to-one relationship", false)
    }
}

extension CoreDataFetchRequest {
    /// The entity and the predicate, for userInfo.
    var text: String {
        let settings = settings.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return entity + (predicate.map { ": \($0)" } ?? "") + settings
    }
}
