import Foundation
import KeyedArchivePlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

@Suite struct ModelSourceTests {
    /// Calls a closure with the URL of a file that does not exist yet, in a folder of its own.
    private static func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "Box.sqlite"))
    }

    /// The model of a store is read without its transformers, and nothing is left beside the store.
    @Test func readsTheModelOfAStore() throws {
        var box = EntityDescription("Box", attributes: [.string("name"), .transformed("contents", "keyed-archive")])
        box.indexes = [[.descending("name")]]
        let model = try Model(version: 4, entities: [box])
        try Self.withFile { url in
            let registry = try TransformerRegistry { KeyedArchivePlugin() }
            try Store(at: url, model: model, transformers: registry).close()
            let source = try ModelSource.reading(url.path)
            #expect(source.version == "4")
            #expect(try source.converted(map: ModelMap()).model.json == model.json)
            let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            #expect(names == ["Box.sqlite"])
        }
    }

    @Test func refusesOtherDatabases() throws {
        try Self.withFile { url in
            try Data("SQLite format 3\0 and nothing else".utf8).write(to: url)
            let error = #expect(throws: CoreDataError.self) { try ModelSource.reading(url.path) }
            #expect(error?.file == url.path)
        }
    }
}
