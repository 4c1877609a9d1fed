internal import Foundation
internal import TransformableModel

extension Model {
    /// The model as a list of facts, which are the members of its JSON.
    var outline: ModelOutline {
        var outline = ModelOutline()
        let root = (try? JSONDecoder().decode(JSONNode.self, from: json)) ?? .null
        if hasTenants { outline.items.append(ModelOutline.Item("option", "tenants", [])) }
        for entity in root["entities"].elements {
            let name = entity["name"].text
            let facts = entity.facts(without: Set(ModelOutline.kinds.map(\.0)))
            outline.items.append(ModelOutline.Item("entity", name, facts))
            for (key, kind) in ModelOutline.kinds {
                for property in entity[key].elements { outline.add(property, kind, in: name) }
            }
        }
        for request in root["fetchRequests"].elements { outline.add(request, "fetch request", in: nil) }
        return outline
    }
}

extension ModelOutline {
    /// The members of an entity that are items of their own.
    fileprivate static let kinds = [
        ("attributes", "attribute"), ("composites", "composite"), ("relationships", "relationship"),
        ("projections", "projection"), ("transientRelationships", "transient relationship"),
    ]

    fileprivate mutating func add(_ property: JSONNode, _ kind: String, in entity: String?, prefix: String = "") {
        let name = prefix + property["name"].text
        items.append(Item(kind, name, in: entity, property.facts(without: ["parts", "projections"])))
        for part in property["parts"].elements { add(part, "part", in: entity, prefix: "\(name).") }
        for projection in property["projections"].elements {
            add(projection, "projection", in: entity, prefix: "\(name).")
        }
    }
}

/// Any value of JSON.
private indirect enum JSONNode: Decodable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case list([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .number(String(number))
        } else if let number = try? container.decode(Double.self) {
            self = .number(String(number))
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let list = try? container.decode([JSONNode].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    subscript(name: String) -> Self {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The elements of a list of objects, and nothing for anything else.
    var elements: [Self] {
        guard case .list(let list) = self, case .object? = list.first else { return [] }
        return list
    }

    /// The value in words.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let text), .string(let text): text
        case .list(let list): list.map(\.text).joined(separator: ", ")
        case .object(let members): Self.text(of: members)
        }
    }

    /// Returns an object in words, its name first, as in `age descending`.
    private static func text(of members: [String: Self]) -> String {
        let name = [members["name"]?.text].compactMap(\.self)
        let others = members.filter { $0.key != "name" }.sorted { $0.key < $1.key }
            .map { key, value in
                if case .boolean(true) = value { key } else { "\(key) \(value.text)" }
            }
        return (name + others).joined(separator: " ")
    }

    /// Returns the members of an object, the type first, because it says most.
    ///
    /// - Parameter items: The names of members that are items of their own.
    /// - Returns: The facts.
    func facts(without items: Set<String>) -> [ModelOutline.Fact] {
        guard case .object(let members) = self else { return [] }
        let names = members.keys.filter { $0 != "name" && !items.contains($0) }
        return names.sorted { ($0 == "type" ? "" : $0) < ($1 == "type" ? "" : $1) }
            .flatMap { name in facts(of: members[name] ?? .null, name) }
    }

    private func facts(of value: Self, _ name: String) -> [ModelOutline.Fact] {
        switch value {
        case .boolean(true): [ModelOutline.Fact(name)]
        case .list(let list) where list.contains(where: \.isList): list.map { ModelOutline.Fact(name, $0.text) }
        case .object(let members) where name == "userInfo":
            members.sorted { $0.key < $1.key }.map { ModelOutline.Fact("userInfo “\($0.key)”", $0.value.text) }
        default: [ModelOutline.Fact(name, value.text)]
        }
    }

    private var isList: Bool {
        if case .list = self { true } else { false }
    }
}
