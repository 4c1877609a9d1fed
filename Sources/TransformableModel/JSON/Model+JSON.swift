public import Foundation
internal import Transformable

extension Model {
    /// The version of the JSON format.
    static let jsonFormat = 1

    /// Creates a model from JSON.
    ///
    /// - Parameter json: A document in the format of ``json``. Unknown keys are errors.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` and a list of all faults, or with
    ///   ``StoreError/Code/newerFormat`` if the document was written by a newer version of this library.
    public init(json: Data) throws(StoreError) {
        let tree: JSONTree
        do throws(JSONTreeParser.Failure) {
            tree = try JSONTreeParser.tree(of: json)
        } catch {
            throw StoreError(.invalidModel, "the model is not valid JSON: \(error.place): \(error.message)")
        }
        let faults = JSONReader.Faults()
        let reader = JSONReader(tree, path: "model", keys: JSONKeys.model, faults: faults)
        let format = reader?.integer("transformableModel")
        if let format, format > Self.jsonFormat {
            throw StoreError(
                .newerFormat,
                "the model has format \(format), but this version of the library reads only format \(Self.jsonFormat)"
            )
        }
        if let reader, format != Self.jsonFormat {
            reader.fault("“transformableModel” must be \(Self.jsonFormat)")
        }
        let entities = reader?.objects("entities", keys: JSONKeys.entity, EntityDescription.init(reading:)) ?? []
        let requests =
            reader?.objects("fetchRequests", keys: JSONKeys.fetchRequest, FetchRequestDescription.init(reading:)) ?? []
        let version = reader?.integer("version") ?? 1
        var validator = ModelValidator(entities: entities, fetchRequests: requests)
        validator.validate(version: version)
        let found = faults.list + validator.faults.filter { !faults.explain($0) }
        guard found.isEmpty else { throw .invalidModel(found.map(JSONPlaces(json).located)) }
        try self.init(version: version, entities: entities, fetchRequests: requests)
    }

    /// The model as JSON, with keys in alphabetical order.
    public var json: Data {
        var members = [
            "transformableModel": JSONTree.integer(Int64(Self.jsonFormat)),
            "version": .integer(Int64(version)),
            "entities": .list(entities.map(\.tree)),
        ]
        if !fetchRequests.isEmpty { members["fetchRequests"] = .list(fetchRequests.map(\.tree)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // A tree of strings and finite numbers always has a JSON form.
        return (try? encoder.encode(JSONTree.object(members))) ?? Data()
    }
}

enum JSONKeys {
    static let model: Set = ["transformableModel", "version", "entities", "fetchRequests"]
    static let entity: Set = [
        "name", "parent", "abstract", "renamedFrom", "addedIn", "attributes", "composites", "relationships", "unique",
        "transientRelationships", "indexes", "projections", "authenticatesRows", "userInfo",
    ]
    static let composite: Set = ["name", "optional", "parts", "renamedFrom", "addedIn"]
    static let attribute: Set = [
        "name", "type", "transformer", "optional", "transient", "indexed", "unique", "derived", "default", "minimum",
        "maximum", "minimumLength", "maximumLength", "pattern", "externalStorage", "decode", "encode", "projections",
        "renamedFrom", "addedIn", "userInfo",
    ]
    static let transientRelationship: Set = ["name", "to", "many", "userInfo"]
    static let fetchRequest: Set = ["name", "entity", "where", "sortedBy", "limit", "offset", "userInfo"]
    static let sortKey: Set = ["name", "descending"]
    static let projection: Set = ["name", "transformer", "indexed", "reveals"]
    static let compound: Set = ["name", "attributes", "transformer", "indexed", "reveals"]
    static let external: Set = ["over"]
    static let formerName: Set = ["name", "in"]
    static let relationship: Set = [
        "name", "to", "many", "ordered", "optional", "inverse", "deleteRule", "minimumCount", "maximumCount",
        "renamedFrom", "addedIn", "userInfo",
        // Former names of “deleteRule” and the counts, which can still be read.
        "onDelete", "minimum", "maximum",
    ]
}

extension EntityDescription {
    fileprivate init(reading reader: JSONReader) {
        self.init(
            reader.requiredString("name"),
            parent: reader.string("parent"),
            abstract: reader.flag("abstract"),
            attributes: reader.objects("attributes", keys: JSONKeys.attribute, AttributeDescription.init(reading:)),
            composites: reader.objects(
                "composites",
                keys: JSONKeys.composite,
                CompositeDescription.init(reading:)
            ),
            relationships: reader.objects(
                "relationships",
                keys: JSONKeys.relationship,
                RelationshipDescription.init(reading:)
            )
        )
        for group in reader.list("unique") {
            guard case .list(let names) = group else {
                reader.fault("“unique” must be a list of lists of names")
                continue
            }
            uniqueness.append(names.map { if case .string(let name) = $0 { name } else { "" } })
        }
        transientRelationships = reader.objects(
            "transientRelationships",
            keys: JSONKeys.transientRelationship,
            TransientRelationship.init(reading:)
        )
        indexes = reader.list("indexes").enumerated()
            .map { position, tree in
                guard case .list(let keys) = tree else {
                    reader.fault("“indexes” must be a list of lists")
                    return []
                }
                return SortKey.list(keys, "indexes[\(position)]", in: reader)
            }
        projections = reader.objects("projections", keys: JSONKeys.compound, CompoundProjection.init(reading:))
        authenticatesRows = reader.flag("authenticatesRows")
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
        userInfo = reader.strings("userInfo")
    }
}

extension CompositeDescription {
    fileprivate init(reading reader: JSONReader) {
        self.init(
            reader.requiredString("name"),
            optional: reader.flag("optional"),
            parts: reader.objects("parts", keys: JSONKeys.attribute, AttributeDescription.init(reading:))
        )
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
    }
}

extension CompoundProjection {
    fileprivate init(reading reader: JSONReader) {
        self.init(
            reader.requiredString("name"),
            of: reader.list("attributes").compactMap { Part(reading: $0, in: reader) },
            reader.requiredString("transformer"),
            indexed: reader.flag("indexed"),
            reveals: reader.flag("reveals")
        )
    }

    fileprivate var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("attributes", parts.map(\.tree))
        members.add("transformer", transformer)
        members.add("indexed", isIndexed)
        members.add("reveals", reveals)
        return .object(members.tree)
    }
}

extension CompoundProjection.Part {
    fileprivate init?(reading tree: JSONTree, in reader: JSONReader) {
        if case .string(let name) = tree {
            self.init(name)
        } else if case .object(let members) = tree, members.count == 2,
            case .string(let name)? = members["name"], case .string(let text)? = members["transformer"]
        {
            self.init(name, through: text)
        } else {
            reader.fault("“attributes” must contain only names, or objects with “name” and “transformer”")
            return nil
        }
    }

    fileprivate var tree: JSONTree {
        transformer.map { .object(["name": .string(attribute), "transformer": .string($0)]) } ?? .string(attribute)
    }
}

extension AttributeDescription {
    fileprivate init(reading reader: JSONReader) {
        let transformer = reader.string("transformer")
        let type: AttributeType? = reader.word("type")
        if type == nil, transformer == nil, reader.tree("type") == nil {
            reader.fault("“type” is missing")
        }
        self.init(reader.requiredString("name"), type ?? .transformed, transformer: transformer)
        isOptional = reader.flag("optional")
        isTransient = reader.flag("transient")
        isIndexed = reader.flag("indexed")
        isUnique = reader.flag("unique")
        setDerivation(Derivation(reading: reader))
        defaultValue = reader.tree("default").flatMap { DefaultValue(reading: $0, for: self.type, in: reader) }
        validation = ValidationRules(
            minimum: reader.number("minimum"),
            maximum: reader.number("maximum"),
            minimumLength: reader.integer("minimumLength"),
            maximumLength: reader.integer("maximumLength"),
            pattern: reader.string("pattern")
        )
        externalThreshold = reader.object("externalStorage", keys: JSONKeys.external) { $0.integer("over") ?? 0 }
        decoding = reader.word("decode") ?? .onAccess
        encoding = reader.word("encode") ?? .onSave
        projections = reader.objects("projections", keys: JSONKeys.projection) { reader in
            ProjectionDescription(
                reader.requiredString("name"),
                reader.requiredString("transformer"),
                indexed: reader.flag("indexed"),
                reveals: reader.flag("reveals")
            )
        }
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
        userInfo = reader.strings("userInfo")
    }
}

extension FormerNames {
    /// Reads a name, or a list of names and of objects with a name and a version.
    fileprivate init(reading reader: JSONReader) {
        let key = "renamedFrom"
        guard case .list(let list)? = reader.tree(key) else {
            self.init(reader.string(key).map { [Name($0)] } ?? [])
            return
        }
        self.init(
            list.enumerated()
                .compactMap { index, tree in
                    if case .string(let name) = tree { return Name(name) }
                    return reader.element(index, of: key, tree, keys: JSONKeys.formerName) { reader in
                        Name(reader.requiredString("name"), in: reader.integer("in"))
                    }
                }
        )
    }

    /// A single name without a version is written as a string, for readers that know only this form.
    fileprivate var tree: JSONTree? {
        guard let first = names.first else { return nil }
        guard names.count > 1 || first.version != nil else { return .string(first.name) }
        return .list(
            names.map { former in
                guard let version = former.version else { return .string(former.name) }
                return .object(["name": .string(former.name), "in": .integer(Int64(version))])
            }
        )
    }
}

extension DefaultValue {
    fileprivate init?(reading tree: JSONTree, for type: AttributeType, in reader: JSONReader) {
        switch tree {
        case .integer(let number): self = .integer(number)
        case .number(let text):
            guard let value = Self(number: text, for: type) else {
                reader.fault("“default” is \(text), which has more digits or a larger exponent than its type allows")
                return nil
            }
            self = value
        case .string(let text): self = .string(text)
        case .boolean(let flag): self = .boolean(flag)
        case .object(["make": .string("now")]): self = .now
        case .object(["make": .string("uuid")]): self = .newUUID
        default:
            reader.fault("“default” must be a value, {\"make\": \"now\"}, or {\"make\": \"uuid\"}")
            return nil
        }
    }

    /// Reads a number, or keeps its text if only the text has all of its digits.
    private init?(number text: String, for type: AttributeType) {
        let number = RealText.number(text, as: Double.self)
        if let number, number.says(text) || type == .float || type == .double {
            self = .number(number)
        } else {
            guard let number = try? DecimalText.decimal(text) else { return nil }
            self = .string(DecimalText.text(of: number))
        }
    }

    fileprivate var tree: JSONTree {
        switch self {
        case .integer(let number): .integer(number)
        case .number(let number): .number("\(number)")
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .now: .object(["make": .string("now")])
        case .newUUID: .object(["make": .string("uuid")])
        }
    }
}

extension RelationshipDescription {
    fileprivate init(reading reader: JSONReader) {
        self.init(reader.requiredString("name"), to: reader.requiredString("to"))
        isToMany = reader.flag("many")
        isOrdered = reader.flag("ordered")
        isOptional = reader.flag("optional", default: true)
        inverse = reader.string("inverse")
        deleteRule = reader.word(reader.key("deleteRule", or: "onDelete")) ?? .nullify
        minimumCount = reader.integer(reader.key("minimumCount", or: "minimum"))
        maximumCount = reader.integer(reader.key("maximumCount", or: "maximum"))
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
        userInfo = reader.strings("userInfo")
    }
}

// MARK: - Writing

/// The members of a JSON object.
///
/// Members with their default value are omitted.
struct Members {
    var tree: [String: JSONTree] = [:]

    mutating func add(_ key: String, _ text: String?) {
        tree[key] = text.map(JSONTree.string)
    }

    mutating func add(_ key: String, _ flag: Bool, unless defaultValue: Bool = false) {
        if flag != defaultValue { tree[key] = .boolean(flag) }
    }

    mutating func add(_ key: String, _ number: Int?) {
        tree[key] = number.map { .integer(Int64($0)) }
    }

    mutating func add(_ key: String, _ number: Double?) {
        // An infinite limit limits nothing, and JSON has no infinity.
        guard let number, number.isFinite else { return }
        tree[key] = Int64(exactly: number).map(JSONTree.integer) ?? .number("\(number)")
    }

    mutating func add(_ key: String, _ list: [JSONTree]) {
        if !list.isEmpty { tree[key] = .list(list) }
    }

    mutating func add(_ key: String, _ texts: [String: String]) {
        if !texts.isEmpty { tree[key] = .object(texts.mapValues(JSONTree.string)) }
    }
}

extension EntityDescription {
    fileprivate var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("parent", parent)
        members.add("abstract", isAbstract)
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        members.add("attributes", attributes.map(\.tree))
        members.add("composites", composites.map(\.tree))
        members.add("relationships", relationships.map(\.tree))
        members.add("unique", uniqueness.map { .list($0.map(JSONTree.string)) })
        members.add("transientRelationships", transientRelationships.map(\.tree))
        members.add("indexes", indexes.map { .list($0.map(\.tree)) })
        members.add("projections", projections.map(\.tree))
        members.add("authenticatesRows", authenticatesRows)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}

extension AttributeDescription {
    fileprivate var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("type", type.rawValue)
        members.add("transformer", transformer)
        members.add("optional", isOptional)
        members.add("transient", isTransient)
        members.add("indexed", isIndexed)
        members.add("unique", isUnique)
        members.add("derived", derivation?.description)
        members.tree["default"] = defaultValue?.tree
        members.add("minimum", validation.minimum)
        members.add("maximum", validation.maximum)
        members.add("minimumLength", validation.minimumLength)
        members.add("maximumLength", validation.maximumLength)
        members.add("pattern", validation.pattern)
        members.tree["externalStorage"] = externalThreshold.map { .object(["over": .integer(Int64($0))]) }
        members.add("decode", decoding == .onAccess ? nil : decoding.rawValue)
        members.add("encode", encoding == .onSave ? nil : encoding.rawValue)
        members.add("projections", projections.map(\.tree))
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}

extension CompositeDescription {
    fileprivate var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("optional", isOptional)
        members.add("parts", parts.map(\.tree))
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        return .object(members.tree)
    }
}

extension ProjectionDescription {
    fileprivate var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("transformer", transformer)
        members.add("indexed", isIndexed)
        members.add("reveals", reveals)
        return .object(members.tree)
    }
}

extension RelationshipDescription {
    fileprivate var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("to", destination)
        members.add("many", isToMany)
        members.add("ordered", isOrdered)
        members.add("optional", isOptional, unless: true)
        members.add("inverse", inverse)
        members.add("deleteRule", deleteRule == .nullify ? nil : deleteRule.rawValue)
        members.add("minimumCount", minimumCount)
        members.add("maximumCount", maximumCount)
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}
