internal import Foundation
internal import Transformable

/// The content of an export, so that a missing part is noticed when the export is imported.
struct ExportManifest: Codable {
    /// An entity of the export.
    struct Entity: Codable {
        let name: String
        /// The number of objects.
        let objects: Int
        /// The highest number that an object of the entity has ever had.
        let lastNumber: Int64
    }

    /// A many-to-many relationship.
    struct References: Codable {
        let entity: String
        let relationship: String
        /// The number of references.
        let count: Int
    }

    /// The files that contain a value each.
    struct Files: Codable, Equatable, CustomStringConvertible {
        var count = 0
        var bytes: Int64 = 0

        var description: String { "\(count.counted("file")) of values with \(Int(bytes).counted("byte"))" }
    }

    /// The version of the format that is written.
    ///
    /// Since version 2, the form of a value does not depend on its type in the program that exports it.
    static let version = 2
    static let fileName = "export.json"
    /// What to do if a part of an export is missing or damaged.
    static let remedy = "copy or export all of it again"

    /// Returns the name of the file that lists the values that could not be read.
    ///
    /// If an entity is named “failures”, the usual name is that of its objects' file. No entity's name starts with “_”.
    static func failuresName(for schema: StoreSchema) -> String {
        schema.entities.contains { $0.name == "failures" } ? "_failures.jsonl" : "failures.jsonl"
    }

    /// Returns the name of the file of a many-to-many relationship.
    ///
    /// Both names together may be too long for the name of a file. In that case, the file is in the folder of the
    /// entity's values, whose names begin with a digit.
    static func pairsName(of relationship: String, _ entity: String) -> String {
        let name = "\(entity).\(relationship).jsonl"
        return name.utf8.count <= 255 ? name : "\(entity)/\(relationship).jsonl"
    }

    var transformableExport = version
    var entities: [Entity] = []
    var references: [References] = []
    /// The files of values, except for those that could not be decoded, or `nil` in an export of an earlier version.
    var files: Files?

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    /// Reads the manifest of an export.
    ///
    /// - Parameter bytes: The content of the manifest's file.
    /// - Throws: `StoreError` with the code `invalid-value` if the file is not a manifest, or with
    ///   the code `newer-format` if it was written by a newer version.
    init(_ bytes: Data) throws(StoreError) {
        guard let manifest = try? JSONDecoder().decode(Self.self, from: bytes) else {
            let message = "“\(Self.fileName)” is damaged: it is not a manifest of an export"
            throw StoreError(.invalidValue, "\(message); \(Self.remedy)")
        }
        guard manifest.transformableExport <= Self.version else {
            let version = manifest.transformableExport
            throw StoreError(.newerFormat, "the export has format \(version), but this program reads \(Self.version)")
        }
        self = manifest
    }

    init() {}
}

extension StoredAttribute {
    /// Returns the form of the values in an export, or `nil` if the transformer has none or is not available.
    ///
    /// - Parameter version: The version of the export's format.
    /// - Returns: The form.
    func exportForm(_ version: Int) -> AnyHumanForm? {
        guard failure == nil, description.type == .transformed else { return nil }
        return version < 2 ? transformer?.form : transformer?.untypedForm
    }
}
