internal import Foundation

/// What an export holds, so that one with a part missing is noticed when it is read back.
struct ExportManifest: Codable {
    /// An entity of the export.
    struct Entity: Codable {
        let name: String
        /// How many objects it has.
        let objects: Int
        /// The highest number that an object of it has had.
        let lastNumber: Int64
    }

    /// A relationship from many to many.
    struct References: Codable {
        let entity: String
        let relationship: String
        /// How many references it has.
        let count: Int
    }

    /// The format's version that is written.
    static let version = 1
    static let fileName = "export.json"

    var transformableExport = version
    var entities: [Entity] = []
    var references: [References] = []

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    /// Reads the manifest of an export.
    ///
    /// - Parameter bytes: Its file.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidValue``, or with ``StoreError/Code/newerFormat``.
    init(_ bytes: Data) throws(StoreError) {
        guard let manifest = try? JSONDecoder().decode(Self.self, from: bytes) else {
            throw StoreError(.invalidValue, "“\(Self.fileName)” is not what an export writes")
        }
        guard manifest.transformableExport <= Self.version else {
            let version = manifest.transformableExport
            throw StoreError(.newerFormat, "the export has format \(version), and this program reads \(Self.version)")
        }
        self = manifest
    }

    init() {}
}
