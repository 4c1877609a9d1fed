import EncryptionPlugin
import Foundation
import ImagePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct ExternalStorageSampleTests {
    @Test func keepingLargeValuesInFiles() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "external-samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let model = try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"),
                    .transformed("portrait", "png", as: RasterImage.self, .optional, .externalStorage(over: 100_000)),
                    .transformed("scan", "gzip | sealed", as: Data.self, .optional, .externalStorage(over: 100_000)),
                ]
            )
        ])
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            StandardPlugin()
            ImagePlugin()
            EncryptionPlugin(keys: keys)
        }
        let store = try Store(at: place.appending(path: "clinic.sqlite"), model: model, transformers: registry)
        let recording = place.appending(path: "recording")
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try bytes.write(to: recording)
        try Data().write(to: place.appending(path: "output"))
        let output = try FileHandle(forUpdating: place.appending(path: "output"))

        let id = try exchange(store, recording, output)
        for try await piece in store.bytes("scan", of: id) {
            try output.write(contentsOf: piece)
        }
        try output.seek(toOffset: 0)
        #expect(try output.readToEnd() == bytes + bytes)

        let backup = place.appending(path: "backup.sqlite")
        let folder = place.appending(path: "export")
        try check(store, backup, folder)
    }

    private func check(_ store: Store, _ backup: URL, _ folder: URL) throws {
        let found = try store.verify()
        let missing = try store.copy(to: backup)
        let report = try store.export(to: folder)
        #expect(found.isSound)
        #expect(missing.isEmpty)
        #expect(report.fileCount == 1)
    }

    private func exchange(_ store: Store, _ recording: URL, _ output: FileHandle) throws -> ObjectID {
        let id = try store.write { context in
            let input = try FileHandle(forReadingFrom: recording)
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setStream(for: "scan") { try input.read(upToCount: 1 << 20) }
            return patient.id
        }
        try store.read { context in
            let stream = try context.object(id).stream("scan")
            while let piece = try stream?.next() {
                try output.write(contentsOf: piece)
            }
        }
        return id
    }
}
