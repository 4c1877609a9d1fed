internal import Foundation
internal import Transformable
internal import _PropertyLists

/// Reads a compiled model: the contents of a `.mom`, or of the copy of the model in a store.
///
/// It is a keyed archive, whose objects refer to each other in cycles. Anything that is not recognized is noted.
struct CompiledModelReader {
    private static let bytesLimit = 16 << 20
    private static let objectsLimit = 1_000_000
    private static let entitiesLimit = 10_000
    /// The number of elements of lists and dictionaries that are read, since the same list can be in many objects.
    private static let elementsLimit = 200_000

    var notes: [CoreDataNote] = []
    private var elementCount = 0
    /// The entities' names by node.
    private var names: [Int: String] = [:]
    private var objects: [String: CompiledObject] = [:]

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - data: The archive, which can be malicious.
    ///   - name: The name of the version.
    /// - Returns: The model.
    /// - Throws: `CoreDataError` if the bytes are not a compiled model.
    static func read(_ data: Data, name: String?) throws(CoreDataError) -> CoreDataModel {
        let graph: ArchiveGraph
        do {
            graph = try ArchiveGraph(data, limits: PropertyListLimits(bytes: bytesLimit, objects: objectsLimit))
        } catch {
            let code: CoreDataError.Code = error.code == .limitExceeded ? .limitExceeded : .notAModel
            throw CoreDataError(code, "the compiled model is not a valid keyed archive", underlying: error)
        }
        guard let top = graph.table.value(named: "root", in: graph.top), let root = CompiledObject(graph, top),
            root.className == "NSManagedObjectModel"
        else { throw CoreDataError(.notAModel, "the keyed archive does not contain a Core Data model") }
        var reader = Self()
        return try reader.model(root, name: name)
    }

    private mutating func model(_ root: CompiledObject, name: String?) throws(CoreDataError) -> CoreDataModel {
        let pairs = try self.pairs(root["NSEntities"])
        guard pairs.count <= Self.entitiesLimit else {
            throw CoreDataError(.limitExceeded, "the model has more than \(Self.entitiesLimit) entities")
        }
        for (name, object) in pairs {
            guard objects[name] == nil else { throw Self.fault("the entity occurs twice", entity: name) }
            objects[name] = object
            names[object.index] = name
        }
        var entities: [CoreDataEntity] = []
        for name in objects.keys.sorted() {
            guard let object = objects[name] else { continue }
            entities.append(try entity(object, name))
        }
        var model = CoreDataModel(name: name, entities: entities)
        model.versionIdentifiers = try members(root["NSVersionIdentifiers"]).compactMap(\.string).sorted()
        model.configurations = try configurations(of: root)
        model.fetchRequests = try fetchRequests(of: root)
        model.isCompiled = true
        model.notes = notes
        return model
    }

    private mutating func configurations(of root: CompiledObject) throws(CoreDataError) -> [CoreDataConfiguration] {
        var configurations: [CoreDataConfiguration] = []
        for (name, list) in try pairs(root["NSConfigurations"]) {
            let pairs = try self.pairs(list)
            let objects = try pairs.isEmpty ? members(list) : pairs.map(\.value)
            let names = objects.compactMap { self.name(of: $0) }
            configurations.append(CoreDataConfiguration(name, entities: names))
        }
        return configurations.sorted { $0.name < $1.name }
    }

    /// Returns the pairs of a dictionary.
    mutating func pairs(_ object: CompiledObject?) throws(CoreDataError) -> [(key: String, value: CompiledObject)] {
        guard let object else { return [] }
        try spend(object.pairCost)
        return object.pairs
    }

    /// Returns the members of a list or a set.
    mutating func members(_ object: CompiledObject?) throws(CoreDataError) -> [CompiledObject] {
        let members = object?.members ?? []
        try spend(members.count)
        return members
    }

    private mutating func spend(_ count: Int) throws(CoreDataError) {
        elementCount += count + 1
        guard elementCount <= Self.elementsLimit else {
            throw CoreDataError(.limitExceeded, "the model has more than \(Self.elementsLimit) elements in its lists")
        }
    }

    /// Returns the name of an entity, which can be given as an object or as text.
    func name(of object: CompiledObject) -> String? {
        names[object.index] ?? object["NSEntityName"]?.string ?? object.string
    }

    private mutating func entity(_ object: CompiledObject, _ name: String) throws(CoreDataError) -> CoreDataEntity {
        var entity = CoreDataEntity(
            name,
            parent: object["NSSuperentity"].flatMap { self.name(of: $0) },
            abstract: object["NSIsAbstract"]?.boolean ?? false
        )
        if let className = object["NSClassNameForEntity"]?.string, !["", "NSManagedObject"].contains(className) {
            entity.className = className
        }
        entity.renamingIdentifier = Self.renaming(object, name)
        entity.versionHashModifier = object.text("NSVersionHashModifier")
        entity.userInfo = try userInfo(of: object)
        for list in try members(object["NSUniqueTuples"]) {
            entity.uniquenessConstraints.append(try propertyNames(list))
        }
        entity.indexes = try indexes(of: object, entity: name)
        try readProperties(of: object, into: &entity)
        return entity
    }

    private mutating func readProperties(
        of object: CompiledObject,
        into entity: inout CoreDataEntity
    ) throws(CoreDataError) {
        let inherited = try inheritedNames(of: object)
        for (name, property) in try pairs(object["NSProperties"]) where !inherited.contains(name) {
            let place = CoreDataNote(entity: entity.name, property: name, "")
            switch property.className {
            // It stands for a property of the parent.
            case "_NSPropertyDescriptionProxy":
                continue
            case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
                entity.attributes.append(try attribute(property, name, place: place, depth: 1))
            case "NSRelationshipDescription":
                entity.relationships.append(try relationship(property, name, place: place))
            case "NSFetchedPropertyDescription":
                entity.fetchedProperties.append(try fetchedProperty(property, name, place: place))
            default:
                let text = "a property of class \(property.className ?? "unknown") is unknown and was ignored"
                notes.append(CoreDataNote(entity: entity.name, property: name, text))
            }
        }
        entity.removeImpliedIndexes()
        entity.attributes.sort { $0.name < $1.name }
        entity.relationships.sort { $0.name < $1.name }
        entity.fetchedProperties.sort { $0.name < $1.name }
    }

    /// Returns the names of the properties of an entity's ancestors, because entities can have full copies of them.
    private mutating func inheritedNames(of object: CompiledObject) throws(CoreDataError) -> Set<String> {
        var names: Set<String> = []
        var seen: Set = [object.index]
        var next = object["NSSuperentity"]
        while let parent = next, seen.insert(parent.index).inserted {
            names.formUnion(try pairs(parent["NSProperties"]).map(\.key))
            next = parent["NSSuperentity"]
        }
        return names
    }

    private mutating func indexes(of object: CompiledObject, entity: String) throws(CoreDataError) -> [CoreDataIndex] {
        var compound: [CoreDataIndex] = []
        for list in try members(object["NSCompoundIndexes"]) {
            compound.append(CoreDataIndex(nil, try propertyNames(list).map { CoreDataIndexElement($0) }))
        }
        var indexes: [CoreDataIndex] = []
        for index in try members(object["NSFetchIndexDescriptions"]) {
            guard let name = index["NSIndexName"]?.string else { continue }
            let predicate = index["NSPartialIndexPredicate"]
            let text = predicate.flatMap { CompiledPredicate.text(of: $0) }
            if predicate != nil, text == nil {
                let place = CoreDataNote(entity: entity, property: name, "")
                note("the predicate of the index cannot be read and was dropped", place)
            }
            let elements = try members(index["NSIndexElements"]).compactMap(CoreDataIndexElement.init(compiled:))
            indexes.append(CoreDataIndex(name, elements, predicate: text))
        }
        return Self.withoutCopies(compound, of: indexes) + indexes
    }

    /// Returns the names of properties, which can be given as objects or as text.
    private mutating func propertyNames(_ list: CompiledObject) throws(CoreDataError) -> [String] {
        try members(list).compactMap { $0.string ?? $0["NSPropertyName"]?.string }
    }

    /// Leaves out the compound indexes that Core Data adds for fetch indexes of several properties.
    private static func withoutCopies(_ compound: [CoreDataIndex], of indexes: [CoreDataIndex]) -> [CoreDataIndex] {
        let lists = Set(indexes.map { $0.elements.map(\.property) })
        return compound.filter { !lists.contains($0.elements.map(\.property)) }
    }

    static func fault(_ message: String, entity: String?, property: String? = nil) -> CoreDataError {
        CoreDataError(.invalidModel, message, entity: entity, property: property)
    }

    /// Returns the renaming identifier, which is the name itself if the model states none.
    static func renaming(_ object: CompiledObject, _ name: String) -> String? {
        object.text("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
    }

    mutating func userInfo(of object: CompiledObject) throws(CoreDataError) -> [String: String] {
        var info: [String: String] = [:]
        for (key, value) in try pairs(object["NSUserInfo"]) { info[key] = value.plainText }
        return info
    }
}

extension CoreDataEntity {
    /// Removes the indexes and marks that Core Data adds when it compiles a model.
    ///
    /// An attribute that is indexed by itself gets an index with its name. An attribute that is the only one in a fetch
    /// index is marked as indexed, too.
    fileprivate mutating func removeImpliedIndexes() {
        let indexed = Set(attributes.filter(\.isIndexed).map(\.name))
        indexes.removeAll { index in
            index.name.map(indexed.contains) == true && index.elements.map(\.property) == [index.name]
        }
        let alone = Set(indexes.filter { $0.elements.count == 1 }.flatMap(\.elements).map(\.property))
        for index in attributes.indices where alone.contains(attributes[index].name) {
            attributes[index].isIndexed = false
        }
    }
}

extension CoreDataIndexElement {
    fileprivate init?(compiled object: CompiledObject) {
        guard let name = object["NSPropertyName"]?.string else { return nil }
        let kind: Kind = object["NSFetchIndexElementType"]?.integer == 1 ? .rTree : .binary
        self.init(name, ascending: object["NSAscending"]?.boolean ?? false, kind: kind)
    }
}

extension CompiledObject {
    /// Returns the text in a field, or `nil` if it is absent or empty.
    func text(_ name: String) -> String? {
        self[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text of a value in userInfo: a string, a number, or a list of those, separated by commas, or else its class.
    var plainText: String {
        if let string { return string }
        if isBoolean { return boolean ? "YES" : "NO" }
        if let integer { return String(integer) }
        if let double { return String(double) }
        let list = members.prefix(1000).compactMap { $0.string ?? $0.integer.map(String.init) }
        guard self["NS.objects"] == nil, let className else { return list.joined(separator: ",") }
        return "an object of class \(className)"
    }
}
