import EncryptionPlugin
import Foundation
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import TransformableTesting

@Suite struct ReadmeSampleTests {
    @Test func storesValues() throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "clinic.sqlite")
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            StandardPlugin()
            GeometryPlugin()
            ImagePlugin()
            KeyedArchivePlugin()
            EncryptionPlugin(keys: ring)
        }
        let model = try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name", .indexed),
                    .transformed("bed", "rect", as: CGRect.self),
                    .transformed("portrait", "png", as: RasterImage.self, .optional),
                    .transformed("settings", "keyed-archive", as: [String: Int].self),
                    .transformed("ssn", "text | sealed", as: String.self, .projected("blind-index(bits: 12)")),
                ]
            )
        ])
        let store = try Store(at: url, model: model, transformers: registry)

        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue(CGRect(x: 0, y: 0, width: 2, height: 1), for: "bed")
            try patient.setValue(["beds": 12], for: "settings")
            try patient.setValue("123-45-6789", for: "ssn")
            return patient.id
        }
        let found = try store.read { context in
            try context.fetch("Patient", where: Condition("ssn == \"123-45-6789\"")).map(\.id)
        }
        let beds = try store.read { try $0.fetch("Patient").map { try $0.value("bed", as: CGRect.self) } }
        #expect(found == [id])
        #expect(beds == [CGRect(x: 0, y: 0, width: 2, height: 1)])
    }

    @Test func usesTransformersByNameAndByType() throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let keyFile = folder.appending(path: "clinic.keys")
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        try ring.write(to: keyFile)  // mode 0600; later: try KeyRing(contentsOf: keyFile)
        let registry = try TransformerRegistry {
            ImagePlugin()
            EncryptionPlugin(keys: try KeyRing(contentsOf: keyFile))
        }
        let image = try RasterImage(width: 8, height: 8, format: .gray8, pixels: Data(count: 64))

        let photo = try registry.transformer("jpeg(quality: 85) | sealed", for: RasterImage.self)
        let bytes = try photo.encode(image)

        let thumbnail = JPEGTransformer(options: JPEGOptions(quality: 60)).then(SealedTransformer(keys: ring))
        let same = try thumbnail.decode(thumbnail.encode(image))
        #expect(try photo.decode(bytes).width == 8)
        #expect(same.height == 8)
    }

    @Test func obeysTheLaws() {
        assertTransformerLaws(of: MappingTransformer([1: "low", 2: "high"]), values: [1, 2])
    }

    @Test func registersCustomTransformers() throws {
        struct AcmePlugin: TransformerPlugin {
            let name = "acme"

            var registrations: [Registration] {
                Registration("acme.severity", MappingTransformer([1: "low", 2: "high"]))
                Registration("acme.reversed", FunctionTransformer<Data, Data>(bothWays: { Data($0.reversed()) }))
            }
        }
        let registry = try TransformerRegistry { AcmePlugin() }
        let severity = try registry.transformer("acme.severity", for: Int.self)
        assertTransformerLaws(of: severity, values: [1, 2])
        let reversed = try registry.transformer("acme.reversed", for: Data.self)
        #expect(try reversed.encode(Data([1, 2, 3])) == Data([3, 2, 1]))
        assertTransformerLaws(of: reversed, values: [Data(), Data([1, 2, 3]), Data("ü".utf8), Data("u\u{308}".utf8)])
    }

    private func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
