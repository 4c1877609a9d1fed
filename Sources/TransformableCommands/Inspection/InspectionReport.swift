internal import Foundation
internal import Transformable
internal import TransformableSQLite

/// The result of `inspect`.
struct InspectionReport: Encodable {
    let kind: String
    /// The size of the file, or nil for a database on a server.
    let bytes: Int?
    let facts: [Inspection.Fact]
    let details: String?
    /// The entities of a store, each of which also has a fact.
    var entities: [EntityReport]?

    /// Asks the inspectors in turn.
    ///
    /// If none recognizes the bytes, the first bytes determine the kind of file.
    ///
    /// - Parameters:
    ///   - source: The source of the bytes, which is named in errors.
    ///   - io: The descriptors to use.
    ///   - inspectors: The inspectors of the registry.
    /// - Throws: `TransformerError` if the bytes are of a known kind but damaged, or ``CommandError`` if they cannot be
    ///   read.
    init(of source: InputSource, _ io: CommandIO, by inspectors: [Inspector]) throws {
        let bytes = try source.read(io)
        var found: Inspection?
        do {
            for inspector in inspectors where found == nil {
                found = try inspector.inspect(bytes)
            }
        } catch var error as TransformerError {
            error.transformer = source.name
            throw error
        }
        let inspection = found ?? Inspection(of: FileKind(sniffing: bytes), bytes)
        self.init(inspection, count: bytes.count)
    }

    init(_ inspection: Inspection, count: Int?) {
        kind = inspection.kind
        bytes = count
        facts = inspection.facts
        details = inspection.details
    }

    /// The report as lines of text.
    ///
    /// A fact takes one line, whatever its label and value contain, because both can come from the file.
    var text: String {
        let size = facts.contains { $0.label == "bytes" } ? nil : bytes.map { Inspection.Fact("bytes", "\($0)") }
        let all = ([size].compactMap(\.self) + facts).map { (label: $0.label.onOneLine, value: $0.value.onOneLine) }
        let width = all.map(\.label.count).max() ?? 0
        let lines = all.map { fact in
            let label = "\(fact.label):" + String(repeating: " ", count: width - fact.label.count)
            return "  \(label)  \(fact.value)"
        }
        return ([kind.onOneLine] + lines + (details.map { ["", $0] } ?? [])).joined(separator: "\n")
    }
}

extension InspectionReport {
    private enum Key: CodingKey {
        case kind, bytes, facts, details, entities
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(bytes, forKey: .bytes)
        // An identifier stays text, even if all of its digits are decimal.
        let facts = facts.dropLast(entities?.count ?? 0)
            .map { ($0.label, FactValue(text: $0.value, isNumber: $0.label != "key id")) }
        let members = Dictionary(facts) { FactValue(text: "\($0.text), \($1.text)") }
        try container.encode(members, forKey: .facts)
        try container.encodeIfPresent(entities, forKey: .entities)
        try container.encodeIfPresent(entities == nil ? details : nil, forKey: .details)
    }
}

/// The value of a fact: a number if it is written as one.
private struct FactValue: Encodable {
    let text: String
    var isNumber = true

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if isNumber, let number = Int64(text), "\(number)" == text {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}

/// The JSON description of an entity in a store.
struct EntityReport: Encodable {
    struct Attribute: Encodable {
        let name: String
        let type: String
        let transformer: String?
        let isOptional: Bool
        let isUnique: Bool
        let isIndexed: Bool
        let projections: [String: String]?

        init(_ attribute: AttributeDescription) {
            name = attribute.name
            type = attribute.type.rawValue
            transformer = attribute.expression
            isOptional = attribute.isOptional
            isUnique = attribute.isUnique
            isIndexed = attribute.isIndexed
            let pairs = attribute.projections.map { ($0.name, $0.transformer) }
            projections = pairs.isEmpty ? nil : Dictionary(pairs) { first, _ in first }
        }
    }

    struct Relationship: Encodable {
        let name: String
        let destination: String
        let isToMany: Bool
        let inverse: String?
        let deleteRule: String
    }

    let name: String
    let parent: String?
    /// The number of objects, or nil if they cannot be counted.
    let objects: Int?
    var attributes: [Attribute]?
    var relationships: [Relationship]?

    init(_ entity: EntityDescription, count: Int, of model: Model) {
        name = entity.name
        parent = entity.parent
        objects = count
        attributes = model.attributes(of: entity.name).filter { !$0.isTransient }.map(Attribute.init)
        relationships = model.relationships(of: entity.name)
            .map { relationship in
                Relationship(
                    name: relationship.name,
                    destination: relationship.destination,
                    isToMany: relationship.isToMany,
                    inverse: relationship.inverse,
                    deleteRule: relationship.deleteRule.rawValue
                )
            }
    }

    init(_ entity: CoreDataSummary.Entity) {
        name = entity.name
        parent = entity.parent
        objects = entity.count
    }
}

extension InspectionReport {
    /// Describes a store.
    ///
    /// The last facts are the entities.
    init(_ summary: StoreSummary, count: Int?) {
        self.init(summary.inspection, count: count)
        entities = summary.entities
    }

    init(_ summary: CoreDataSummary, count: Int) {
        let counts = summary.entities.map { entity in
            let parent = entity.parent.map { ", a kind of \($0)" } ?? ""
            return Inspection.Fact(entity.name, (entity.count.map { $0.counted("object") } ?? "not readable") + parent)
        }
        self.init(Inspection("Core Data store", facts: [Inspection.Fact("store", summary.uuid)] + counts), count: count)
        entities = summary.entities.map(EntityReport.init)
    }
}
