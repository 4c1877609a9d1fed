internal import Foundation
internal import Transformable
internal import TransformableCoreData
internal import TransformableStore

/// The output of an adoption.
struct AdoptionOutput: Encodable {
    struct Entity: Encodable {
        let name: String
        let objects: Int
        let values: Int
    }

    struct Relationship: Encodable {
        let entity: String
        let name: String
        let references: Int
        let dangling: Int
        let leftOut: Int
    }

    struct Note: Encodable {
        let entity: String?
        let property: String?
        let text: String
    }

    let uuid: String?
    let objects: Int
    let references: Int
    let dangling: Int
    let files: Int
    let entities: [Entity]
    let relationships: [Relationship]
    let notes: [Note]
    // Omitted unless every value was decoded.
    let faultCount: Int?
    private let isReadable: Bool

    private enum CodingKeys: String, CodingKey {
        case uuid, objects, references, dangling, files, entities, relationships, notes, faultCount
    }

    init(_ report: AdoptionReport, notes: [CoreDataNote], of store: CoreDataStore) {
        uuid = store.metadata.uuid?.uuidString
        objects = report.objectCount
        references = report.referenceCount
        dangling = report.danglingCount
        files = report.fileCount
        entities = report.entities.map { Entity(name: $0.name, objects: $0.objects, values: $0.values) }
        relationships = report.relationships.map { relationship in
            Relationship(
                entity: relationship.entity,
                name: relationship.name,
                references: relationship.references,
                dangling: relationship.dangling,
                leftOut: relationship.leftOut
            )
        }
        let unreadable = report.verification?.unreadable ?? []
        self.notes =
            (notes + report.notes).map { Note(entity: $0.entity, property: $0.property, text: $0.text) }
            + unreadable.map { cells in
                let reason = CellFailure(cells.error).rawValue
                let text = "\(cells.count.counted("value")) not readable here (\(reason))"
                return Note(entity: cells.entity, property: cells.attribute, text: text)
            }
        faultCount = report.verification?.faultCount
        isReadable = report.verification != nil && unreadable.isEmpty && faultCount == 0
    }

    /// The report as text: the counts, the notes, and a summary.
    func text(isRehearsal: Bool, target: String?) -> String {
        var lines = entities.map { entity in
            "\(entity.name): \(entity.objects.counted("object")), \(entity.values.counted("value"))"
        }
        lines += relationships.filter { $0.references + $0.dangling + $0.leftOut > 0 }
            .map { relationship in
                var parts = [relationship.references.counted("reference")]
                if relationship.dangling > 0 { parts.append("\(relationship.dangling) dangling") }
                if relationship.leftOut > 0 { parts.append("\(relationship.leftOut) left out") }
                return "\(relationship.entity).\(relationship.name): \(parts.joined(separator: ", "))"
            }
        lines += notes.map { note in
            let place = [note.entity, note.property].compactMap(\.self).joined(separator: ".")
            return "note: \(place.isEmpty ? "" : "\(place): ")\(note.text)"
        }
        let counts = "\(objects.counted("object")), \(references.counted("reference")), and \(files.counted("file"))"
        let into = target.map { " into \($0)" } ?? ""
        lines.append(isRehearsal ? "would adopt \(counts)" : "adopted \(counts)\(into)")
        if isReadable { lines.append("every value can be decoded") }
        return lines.map(\.onOneLine).joined(separator: "\n")
    }
}
