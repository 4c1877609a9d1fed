/// A model as a list of facts, for printing and for comparing models from any two sources.
package struct ModelOutline: Sendable {
    /// A fact about an entity or a property, such as that it is optional or that its default is 0.
    package struct Fact: Sendable, Hashable {
        /// The name, such as `default`.
        package let name: String
        /// The value, or `nil` if the name says it all.
        package let value: String?
        /// Whether compiled models lack the fact, or state it differently.
        package let isXMLOnly: Bool

        package init(_ name: String, _ value: String? = nil, isXMLOnly: Bool = false) {
            self.name = name
            self.value = value
            self.isXMLOnly = isXMLOnly
        }
    }

    /// An entity, a property, or another part of a model.
    package struct Item: Sendable {
        /// What it is, such as `attribute`.
        package let kind: String
        /// The entity that it belongs to, or `nil` for an entity and for parts of the model as a whole.
        package let entity: String?
        package let name: String
        package let facts: [Fact]

        package init(_ kind: String, _ name: String, in entity: String? = nil, _ facts: [Fact]) {
            self.kind = kind
            self.entity = entity
            self.name = name
            self.facts = facts
        }

        /// The name with that of the entity, as in `Person.age`.
        package var path: String { entity.map { "\($0).\(name)" } ?? name }
    }

    package var items: [Item] = []
    /// Whether the model was read from a compiled source.
    package var isCompiled = false

    package init() {}
}

extension [ModelOutline.Fact] {
    mutating func add(_ name: String, if isTrue: Bool?, isXMLOnly: Bool = false) {
        if isTrue == true { append(ModelOutline.Fact(name, isXMLOnly: isXMLOnly)) }
    }

    mutating func add(_ name: String, _ value: String?, isXMLOnly: Bool = false) {
        if let value { append(ModelOutline.Fact(name, value, isXMLOnly: isXMLOnly)) }
    }

    mutating func add(userInfo: [String: String]) {
        for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) { add("userInfo “\(key)”", value) }
    }
}
