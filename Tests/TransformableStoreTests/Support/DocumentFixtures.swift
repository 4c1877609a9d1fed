import Foundation
import Transformable
import TransformableSQLite
import TransformableStore

extension Models {
    /// Documents whose bytes are in external files above a threshold.
    static func documents(version: Int = 1, data: String = "data", threshold: Int? = 1000) throws -> Model {

        var contents = AttributeDescription.data(data, .optional)
        contents.externalThreshold = threshold
        if data != "data" { contents.renamedFrom = "data" }
        var sealed = AttributeDescription.transformed("sealed", "bound", as: Data.self, .optional)
        sealed.externalThreshold = threshold
        return try Model(
            version: version,
            entities: [
                EntityDescription(
                    "Document",
                    attributes: [.string("name"), contents, sealed],
                    relationships: [.toOne("shelf", "Shelf", optional: true)]
                ),
                EntityDescription(
                    "Shelf",
                    attributes: [.string("label", .optional)],
                    relationships: [.toMany("documents", "Document", inverse: "shelf", deleteRule: .cascade)]
                ),
            ]
        )
    }
}

extension Store {
    static func documents(in folder: Folder, options: Options = .createIfMissing) throws -> Store {
        try Store.trial(
            at: folder.file(),
            model: Models.documents(),
            transformers: Transformers().registry(),
            options: options
        )
    }

    @discardableResult
    func addDocument(_ name: String, data: Data? = nil, sealed: Data? = nil) throws -> ObjectID {
        try write { context in
            let document = try context.insert("Document")
            try document.setValue(name, for: "name")
            try document.setValue(data, for: "data")
            try document.setValue(sealed, for: "sealed")
            return document.id
        }
    }
}

extension ValueStream {
    /// The remaining documents.
    func rest() throws -> Data {
        var bytes = Data()
        while let piece = try next() { bytes.append(piece) }
        return bytes
    }
}

extension Folder {
    var blobFolder: URL { url.appending(path: "test.sqlite-blobs") }

    /// The names of the blobs' files.
    func blobs() throws -> [String] {
        guard FileManager.default.fileExists(atPath: blobFolder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: blobFolder.path).filter { $0 != "unfinished" }
    }

    func unfinished() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: blobFolder.appending(path: "unfinished").path)
    }

    func blob(_ name: String) -> URL { blobFolder.appending(path: name) }
}

extension Data {
    /// Bytes that a document keeps in an external file.
    static let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
}
