internal import Foundation
internal import Transformable
internal import TransformableStore

/// The contents of a store, without its values.
struct StoreSummary {
    let inspection: Inspection
    let entities: [EntityReport]

    /// Counts the objects of each entity, and lists the attributes and relationships.
    ///
    /// - Parameter store: The store, open for reading.
    /// - Throws: `StoreError` if the store cannot be read.
    init(of store: Store) throws {
        let entities = store.model.entities.filter { !$0.isAbstract }
        func count(_ context: StoreContext) throws -> [Int] {
            try entities.map { try context.count($0.name) }
        }
        let counts = try store.model.hasTenants ? store.readAcrossTenants(count) : store.read(count)
        self.entities = zip(entities, counts).map { EntityReport($0, count: $1, of: store.model) }
        inspection = Inspection(
            "Transformable store",
            facts: [
                Inspection.Fact("store", store.uuid.uuidString),
                Inspection.Fact("model version", "\(store.model.version)"),
            ] + zip(entities, counts).map { Inspection.Fact($0.name, $1.counted("object")) },
            details: entities.map { Self.paragraph($0, store.model) }.joined(separator: "\n\n")
        )
    }

    private static func paragraph(_ entity: EntityDescription, _ model: Model) -> String {
        var table = TextTable(header: [entity.name, "", ""])
        for attribute in model.attributes(of: entity.name) where !attribute.isTransient {
            let notes =
                [
                    attribute.isOptional ? "optional" : nil,
                    attribute.isUnique ? "unique" : attribute.isIndexed ? "indexed" : nil,
                ]
                .compactMap { $0 } + attribute.projections.map { "\($0.name): \($0.transformer)" }
            table.append([
                "  \(attribute.name)", attribute.expression ?? attribute.type.rawValue, notes.joined(separator: ", "),
            ])
        }
        let relationships = model.relationships(of: entity.name).map { "  \($0.line)" }
        return (table.lines + relationships).joined(separator: "\n")
    }
}

extension Store {
    /// The size of the store's file, in bytes, or nil if it is not in a file.
    var fileSize: Int? {
        guard let url else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return attributes?[.size] as? Int ?? 0
    }
}
