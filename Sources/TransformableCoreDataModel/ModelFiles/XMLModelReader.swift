/// Reads a model in the XML form of an `.xcdatamodel`.
///
/// Anything that is not recognized is noted and never ignored silently.
struct XMLModelReader {
    private static let notesLimit = 10_000

    let bytes: [UInt8]
    var notes: [CoreDataNote] = []
    /// The elements of the composites by name, as they are declared.
    var composites: [String: [CoreDataAttribute]] = [:]
    /// The number of elements that composite attributes were given.
    var compositeElements = 0

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - bytes: The XML, which can be malicious.
    ///   - name: The name of the version.
    /// - Returns: The model.
    /// - Throws: `CoreDataError` with the line and column if the XML is not a model.
    static func read(_ bytes: [UInt8], name: String?) throws(CoreDataError) -> CoreDataModel {
        var reader = Self(bytes: bytes)
        let root = try XMLParser.parse(bytes)
        guard root.name == "model" else {
            throw CoreDataError(.notAModel, "the XML is not a Core Data model: its root is “\(root.name)”", line: 1)
        }
        return try reader.model(root, name: name)
    }

    private mutating func model(_ root: XMLElement, name: String?) throws(CoreDataError) -> CoreDataModel {
        check(root, known: Known.model)
        for element in root.children where element.name == "composite" {
            check(element, known: ["name"], children: ["attribute"])
            let name = try required("name", of: element)
            guard composites[name] == nil else { throw fault("the composite “\(name)” is declared twice", element) }
            let elements = try attributes(of: element, place: CoreDataNote(entity: name, ""))
            var seen: Set<String> = []
            if let twice = elements.first(where: { !seen.insert($0.name).inserted }) {
                throw fault("the composite “\(name)” has two elements “\(twice.name)”", element)
            }
            composites[name] = elements
        }
        var entities: [CoreDataEntity] = []
        for element in root.children where element.name == "entity" { entities.append(try entity(element)) }
        var model = CoreDataModel(name: name, entities: entities)
        try checkNames(model.entities, root)
        for element in root.children where element.name == "configuration" {
            model.configurations.append(try configuration(element))
        }
        for element in root.children where element.name == "fetchRequest" {
            model.fetchRequests.append(try fetchRequest(element))
        }
        model.configurations.sort { $0.name < $1.name }
        model.fetchRequests.sort { $0.name < $1.name }
        model.versionIdentifiers = root["userDefinedModelVersionIdentifier"].map { $0.isEmpty ? [] : [$0] } ?? []
        model.usesCloudKit = flag("usedWithCloudKit", of: root, place: CoreDataNote(""))
        model.usesSwiftData = flag("usedWithSwiftData", of: root, place: CoreDataNote(""))
        model.notes = notes
        return model
    }

    private func checkNames(_ entities: [CoreDataEntity], _ root: XMLElement) throws(CoreDataError) {
        for (one, next) in zip(entities, entities.dropFirst()) where one.name == next.name {
            throw fault("the entity “\(one.name)” is declared twice", root)
        }
    }

    private mutating func configuration(_ element: XMLElement) throws(CoreDataError) -> CoreDataConfiguration {
        check(element, known: ["name"], children: ["memberEntity"])
        var entities: [String] = []
        for member in element.children where member.name == "memberEntity" {
            check(member, known: ["name"])
            entities.append(try required("name", of: member))
        }
        return CoreDataConfiguration(try required("name", of: element), entities: entities)
    }

    mutating func fetchRequest(_ element: XMLElement) throws(CoreDataError) -> CoreDataFetchRequest {
        // Its further attributes are kept as settings, whatever they are.
        check(element, known: Set(element.attributes.map(\.name)))
        var request = CoreDataFetchRequest(
            try required("name", of: element),
            entity: try required("entity", of: element),
            predicate: element["predicateString"].flatMap { $0.isEmpty ? nil : $0 }
        )
        let names = ["name", "entity", "predicateString"]
        for attribute in element.attributes where !names.contains(attribute.name) {
            request.settings[attribute.name] = attribute.value
        }
        return request
    }
}

extension XMLModelReader {
    /// The names of attributes and children that are known, some of which are ignored on purpose.
    enum Known {
        static let model: Set = [
            "type", "documentVersion", "userDefinedModelVersionIdentifier", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion", "sourceLanguage", "macOSVersion", "iOSVersion", "name", "usedWithCloudKit",
            "usedWithSwiftData", "entity", "composite", "configuration", "fetchRequest", "elements",
        ]
        static let entity: Set = [
            "name", "syncable", "representedClassName", "parentEntity", "isAbstract", "elementID",
            "versionHashModifier", "codeGenerationType", "renamingIdentifier", "attribute", "relationship",
            "fetchedProperty", "fetchIndex", "uniquenessConstraints", "compoundIndexes", "userInfo",
        ]
        static let attribute: Set = [
            "name", "attributeType", "optional", "usesScalarValueType", "defaultValueString",
            "defaultDateTimeInterval", "syncable", "transient", "indexed", "valueTransformerName", "customClassName",
            "allowsExternalBinaryDataStorage", "versionHashModifier", "elementID", "renamingIdentifier",
            "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
            "regularExpressionString", "derived", "derivationExpression", "composite", "storedInTruthFile",
            "allowsCloudEncryption", "preserveAfterDeletion", "spotlightIndexingEnabled", "userInfo",
        ]
        static let relationship: Set = [
            "name", "destinationEntity", "deletionRule", "inverseName", "inverseEntity", "optional", "maxCount",
            "toMany", "ordered", "minCount", "syncable", "transient", "indexed", "elementID", "renamingIdentifier",
            "versionHashModifier", "storedInTruthFile", "spotlightIndexingEnabled", "userInfo",
        ]
    }

    /// Notes the attributes and children of an element that are not known.
    mutating func check(
        _ element: XMLElement,
        known: Set<String>,
        children: Set<String> = [],
        place: CoreDataNote = CoreDataNote("")
    ) {
        for attribute in element.attributes where !known.contains(attribute.name) {
            note("“\(attribute.name)” of “\(element.name)” in line \(element.line) is unknown and was ignored", place)
        }
        for child in element.children where !known.union(children).contains(child.name) {
            note(
                "the element “\(child.name)” in “\(element.name)” in line \(child.line) is unknown and was ignored",
                place
            )
        }
    }

    mutating func note(_ text: String, _ place: CoreDataNote, isLoss: Bool = true) {
        guard notes.count <= Self.notesLimit else { return }
        guard notes.count < Self.notesLimit else {
            notes.append(CoreDataNote("there are more notes, which are omitted"))
            return
        }
        notes.append(CoreDataNote(entity: place.entity, property: place.property, text, isLoss: isLoss))
    }

    func required(_ name: String, of element: XMLElement) throws(CoreDataError) -> String {
        guard let value = element[name], !value.isEmpty else {
            throw fault("“\(element.name)” has no “\(name)”", element)
        }
        return value
    }

    /// Returns an attribute's text, or `nil` if it is absent or empty.
    func text(_ name: String, of element: XMLElement) -> String? {
        element[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the renaming identifier, or `nil` if it is the name itself, as if there were none.
    func renaming(of element: XMLElement) -> String? {
        let identifier = text("elementID", of: element) ?? text("renamingIdentifier", of: element)
        return identifier == element["name"] ? nil : identifier
    }

    mutating func flag(_ name: String, of element: XMLElement, place: CoreDataNote) -> Bool {
        guard let value = element[name] else { return false }
        switch value.lowercased() {
        case "no", "false", "0": return false
        case "yes", "true", "1": return true
        default:
            note("“\(name)” is “\(value)”, neither YES nor NO, and was read as NO", place)
            return false
        }
    }

    mutating func userInfo(of element: XMLElement, _ place: CoreDataNote) throws(CoreDataError) -> [String: String] {
        var info: [String: String] = [:]
        for list in element.children where list.name == "userInfo" {
            check(list, known: [], children: ["entry"], place: place)
            for entry in list.children where entry.name == "entry" {
                check(entry, known: ["key", "value"], place: place)
                info[try required("key", of: entry)] = entry["value"] ?? ""
            }
        }
        return info
    }

    func fault(_ message: String, _ element: XMLElement) -> CoreDataError {
        let place = XMLPlace(of: element.offset, in: bytes)
        return CoreDataError(.invalidModel, message, line: place.line, column: place.column)
    }
}
