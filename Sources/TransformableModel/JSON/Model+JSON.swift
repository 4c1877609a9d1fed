public import Foundation

extension Model {
    /// The version of the JSON format.
    private static let jsonFormat = 1

    /// Creates a model from JSON.
    ///
    /// - Parameter json: A document in the format of ``json``. Unknown keys are errors.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` and a list of up to 100 faults, or with
    ///   ``StoreError/Code/newerFormat`` if the document was written by a newer version of this library.
    public init(json: Data) throws(StoreError) {
        let tree: JSONTree
        do throws(JSONTreeParser.Failure) {
            tree = try JSONTreeParser.tree(of: json)
        } catch {
            throw StoreError(.invalidModel, "the model is not valid JSON: \(error.place): \(error.message)")
        }
        let faults = JSONObjectReader.Faults()
        let reader = JSONObjectReader(tree, path: "model", keys: JSONKeys.model, faults: faults)
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
        let hasTenants = reader?.flag("tenants") ?? false
        var validator = ModelValidator(hasTenants: hasTenants, entities: entities, fetchRequests: requests)
        validator.validate(version: version)
        let found = faults.list + validator.faults.filter { !faults.explain($0) }
        guard found.isEmpty else {
            throw .invalidModel(JSONPlaces(json).located(found.prefix(StoreError.faultLimit + 1)))
        }
        try self.init(version: version, hasTenants: hasTenants, entities: entities, fetchRequests: requests)
    }

    /// The model as JSON, with keys in alphabetical order.
    public var json: Data {
        var members = [
            "transformableModel": JSONTree.integer(Int64(Self.jsonFormat)),
            "version": .integer(Int64(version)),
            "entities": .list(entities.map(\.tree)),
        ]
        if hasTenants { members["tenants"] = .boolean(true) }
        if !fetchRequests.isEmpty { members["fetchRequests"] = .list(fetchRequests.map(\.tree)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // A tree of strings and finite numbers always has a JSON form.
        return (try? encoder.encode(JSONTree.object(members))) ?? Data()
    }
}

enum JSONKeys {
    static let model: Set = ["transformableModel", "version", "tenants", "entities", "fetchRequests"]
    static let entity: Set = [
        "name", "parent", "abstract", "renamedFrom", "addedIn", "attributes", "composites", "relationships", "unique",
        "transientRelationships", "indexes", "projections", "authenticatesRows", "shared", "userInfo",
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
