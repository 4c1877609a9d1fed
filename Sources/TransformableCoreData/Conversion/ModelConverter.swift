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

    let source: CoreDataModel
    let map: ModelMap
    var notes: [CoreDataNote]
    private let byName: [String: CoreDataEntity]

    init(_ source: CoreDataModel, map: ModelMap) {
        self.source = source
        self.map = map
        notes = source.notes
        byName = Dictionary(source.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    mutating func convert() -> [EntityDescription] {
        for identifier in source.versionIdentifiers {
            notes.append(CoreDataNote("version identifier “\(identifier)”, dropped", isLoss: false))
        }
        let relationships = convertedRelationships()
        return source.entities.map { convert($0, relationships[$0.name] ?? []) }
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
            note("fetched property, kept as userInfo", place)
        }
        for request in source.fetchRequests where request.entity == entity.name {
            let place = CoreDataNote(entity: entity.name, property: request.name, "")
            result.userInfo["coredata.fetchRequest.\(request.name)"] = request.text
            note("stored fetch request, kept as userInfo", place)
        }
        let names = source.configurations.filter { $0.name != "default" && $0.entities.contains(entity.name) }
            .map(\.name)
        guard !names.isEmpty else { return }
        result.userInfo[Key.configurations] = names.joined(separator: ",")
        note("configurations \(names.joined(separator: ", ")), kept as userInfo", CoreDataNote(entity: entity.name, ""))
    }

    mutating func keepModifier(_ modifier: String?, in userInfo: inout [String: String], _ place: CoreDataNote) {
        guard let modifier else { return }
        userInfo[Key.versionHashModifier] = modifier
        note("version hash modifier “\(modifier)”, kept as userInfo", place, isLoss: false)
    }

    mutating func note(_ text: String, _ place: CoreDataNote, isLoss: Bool = true) {
        notes.append(CoreDataNote(entity: place.entity, property: place.property, text, isLoss: isLoss))
    }

    func formerNames(_ identifier: String?) -> FormerNames {
        FormerNames(identifier.map { [.init($0)] } ?? [])
    }

    /// Returns an entity and its ancestors, the entity first.
    func chain(of name: String) -> [CoreDataEntity] {
        var chain: [CoreDataEntity] = []
        var next = byName[name]
        while let entity = next, !chain.contains(where: { $0.name == entity.name }) {
            chain.append(entity)
            next = entity.parent.flatMap { byName[$0] }
        }
        return chain
    }

    func hasEntity(_ name: String) -> Bool { byName[name] != nil }
}

extension CoreDataFetchRequest {
    /// The entity and the predicate, for userInfo.
    fileprivate var text: String {
        let settings = settings.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return entity + (predicate.map { ": \($0)" } ?? "") + settings
    }
}
