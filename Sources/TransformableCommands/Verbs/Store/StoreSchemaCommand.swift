internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store schema`: shows the model of a store.
struct StoreSchemaCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "schema",
            abstract: "Show the model of a store. No key is needed.",
            discussion: Help.lines(
                """
                Shows each attribute with its number (which sealed values are bound to), its expression, and \
                the signature that its values were written with. With --json, shows only the model, in the \
                format that “store create --model” reads.
                """,
                examples: [
                    "store schema clinic.sqlite",
                    "store schema clinic.sqlite --json > clinic.json",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        let store = try file.openForReading(session.keylessRegistry, session)
        defer { try? store.close() }
        if listing.json {
            try session.print(document: store.model.json)
        } else {
            try session.print(SchemaReport(of: store).text)
        }
    }
}

/// A store's model as text: entities with their attributes, numbers, signatures, and relationships.
private struct SchemaReport {
    let text: String

    /// Describes a store.
    ///
    /// - Parameter store: The store, open for reading.
    /// - Throws: `StoreError` if the model cannot be read.
    init(of store: Store) throws {
        let tenants = store.model.hasTenants ? ", with tenants" : ""
        let head = "store \(store.uuid.uuidString), model version \(store.model.version)\(tenants)"
        let entities = try store.model.entities.map { try Self.paragraph($0, store) }
        let unfinished = try store.unfinishedReencodings().filter { $0.waitingCount > 0 || $0.isExposed }
            .map(\.description.onOneLine).joined(separator: "\n")
        let requests = store.model.fetchRequests.map(\.line)
        let list = requests.isEmpty ? [] : ["fetch requests\n" + requests.map(\.onOneLine).joined(separator: "\n")]
        text = ([head] + entities + list + (unfinished.isEmpty ? [] : [unfinished])).joined(separator: "\n\n")
    }

    private static func paragraph(_ entity: EntityDescription, _ store: Store) throws -> String {
        let title = [
            entity.name, entity.isAbstract ? "(abstract)" : "", entity.parent.map { "of \($0)" } ?? "",
        ]
        var lines = [title.filter { !$0.isEmpty }.joined(separator: " ")]
        var table = TextTable(header: [])
        for attribute in try store.attributes(of: entity.name) where attribute.destination == nil {
            // An abstract entity has no numbers of its own.
            table.append([
                "  \(attribute.name)", entity.isAbstract ? "" : "\(attribute.id)", kind(attribute),
                notes(attribute.description),
            ])
        }
        lines += table.lines.dropFirst()
        for relationship in store.model.relationships(of: entity.name) { lines.append("  \(relationship.line)") }
        lines += store.model.transientRelationships(of: entity.name)
            .map {
                "  \($0.name) to \($0.isToMany ? "many " : "")\($0.destination), in memory only"
            }
        lines += store.model.uniqueness(of: entity.name).map { "  unique together: \($0.joined(separator: ", "))" }
        lines += entity.indexes.map { list in
            "  index: \(list.map { $0.isDescending ? "\($0.name) descending" : $0.name }.joined(separator: ", "))"
        }
        if entity.authenticatesRows { lines.append("  rows are authenticated") }
        if entity.isShared { lines.append("  shared by all tenants") }
        return lines.map(\.onOneLine).joined(separator: "\n")
    }

    private static func kind(_ attribute: AttributeInfo) -> String {
        guard let expression = attribute.description.expression else { return attribute.description.type.rawValue }
        let signature = attribute.signature.map { " = \($0)" } ?? ""
        return expression + signature
    }

    private static func notes(_ attribute: AttributeDescription) -> String {
        let notes = [
            attribute.isOptional ? "optional" : nil,
            attribute.derivation.map { "derived: \($0)" },
            attribute.isTransient && attribute.derivation == nil ? "in memory only" : nil,
            attribute.isUnique ? "unique" : attribute.isIndexed ? "indexed" : nil,
            attribute.externalThreshold.map { "in files over \($0.counted("byte"))" },
        ]
        return (notes.compactMap(\.self) + attribute.projections.map(\.line))
            .joined(separator: ", ")
    }
}

extension FetchRequestDescription {
    /// The request's name, entity, condition, and order.
    fileprivate var line: String {
        let keys = order.map { $0.isDescending ? "\($0.name) descending" : $0.name }.joined(separator: ", ")
        let parts = [
            "  \(name): \(entity) where \(condition)", keys.isEmpty ? nil : "sorted by \(keys)",
            limit.map { "at most \($0)" }, offset == 0 ? nil : "skipping \(offset)",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension ProjectionDescription {
    /// The projection's name and expression.
    fileprivate var line: String { "\(name): \(transformer)\(reveals ? " (reveals)" : "")" }
}

extension RelationshipDescription {
    /// The relationship's name, destination, and options.
    var line: String {
        let many = isToMany ? "many " : ""
        let need = isToMany || isOptional ? "" : ", required"
        let inverse = inverse.map { ", inverse \($0)" } ?? ""
        let rule = deleteRule == .nullify ? "" : ", delete rule \(deleteRule.rawValue)"
        return "\(name) to \(many)\(destination)\(need)\(inverse)\(rule)"
    }
}
