import EncryptionPlugin
import Foundation
import GeometryPlugin
import KeyedArchivePlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct StoreSampleTests {
    /// A folder that is gone when the body is done.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func landingPage() throws {
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        try withFolder { folder in
            let url = folder.appending(path: "clinic.sqlite")
            let registry = try TransformerRegistry {
                GeometryPlugin()
                EncryptionPlugin(keys: keys)
            }
            let model = try Model(entities: [
                EntityDescription(
                    "Patient",
                    attributes: [
                        .string("name", .indexed),
                        .transformed("bed", "rect", as: CGRect.self),
                        .transformed("ssn", "sealed", as: String.self, .optional, .projected("blind-index(bits: 12)")),
                    ]
                )
            ])
            let store = try Store(at: url, model: model, transformers: registry)

            let id = try store.write { context in
                let patient = try context.insert("Patient")
                try patient.setValue("Ada", for: "name")
                try patient.setValue(CGRect(x: 0, y: 0, width: 2, height: 1), for: "bed")
                try patient.setValue("123-45-6789", for: "ssn")
                return patient.id
            }

            let bed = try store.read { try $0.object(id).value("bed", as: CGRect.self) }
            let names = try store.read { context in
                let patients = try context.fetch("Patient", where: Condition("ssn == \"123-45-6789\""))
                return try patients.map { try $0.value("name", as: String.self) }
            }
            #expect(bed == CGRect(x: 0, y: 0, width: 2, height: 1))
            #expect(names == ["Ada"])
        }
    }

    @Test func commitsThatSurviveAPowerFailure() throws {
        let registry = try TransformerRegistry {}
        let model = try Model(entities: [EntityDescription("Note", attributes: [.string("text")])])
        try withFolder { folder in
            let url = folder.appending(path: "notes.sqlite")
            let options = Store.Options(synchronous: .full)
            let store = try Store(at: url, model: model, transformers: registry, options: options)
            #expect(store.options.synchronous == .full)
        }
    }

    /// The same model in code and as JSON, which knows no Swift types.
    private static func notes(isJSON: Bool) throws -> Model {
        guard isJSON else {
            return try Model(entities: [
                EntityDescription("Note", attributes: [.transformed("tags", as: [String].self)])
            ])
        }
        let note = #"{ "name": "Note", "attributes": [ { "name": "tags", "type": "transformed" } ] }"#
        return try Model(json: Data(#"{ "transformableModel": 1, "entities": [ \#(note) ] }"#.utf8))
    }

    @Test(arguments: [false, true])
    func attributesWithoutATransformerAreArchived(isJSON: Bool) throws {
        let model = try Self.notes(isJSON: isJSON)
        try withFolder { folder in
            let url = folder.appending(path: "notes.sqlite")
            let registry = try TransformerRegistry { KeyedArchivePlugin() }
            let form = try #require(registry.resolve("keyed-archive").form)
            let archive = try form.parse(Data(#"["a", "b"]"#.utf8))
            let id = try Store(at: url, model: model, transformers: registry)
                .write { context in
                    let note = try context.insert("Note")
                    try note.setValue(any: isJSON ? archive : ["a", "b"], for: "tags")
                    return note.id
                }
            let stored = try Store(at: url, model: model, transformers: registry)
                .read { try $0.object(id).encodedBytes("tags") }
            // Foundation reads what the column holds.
            let bytes = try #require(stored)
            let tags = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: bytes)
            #expect(tags == NSArray(array: ["a", "b"]))
        }
    }

    @Test func relationships() throws {
        let clinic = try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [.string("name")],
                relationships: [.toMany("visits", "Visit", inverse: "patient", deleteRule: .cascade)]
            ),
            EntityDescription(
                "Visit",
                attributes: [.date("day", .default(.now))],
                relationships: [.toOne("patient", "Patient", optional: false)]
            ),
        ])
        let store = try Store.inMemory(model: clinic, transformers: TransformerRegistry { GeometryPlugin() })
        try store.write { context in
            let ada = try context.insert("Patient")
            try ada.setValue("Ada", for: "name")
            let visit = try context.insert("Visit")
            try ada.add(visit, to: "visits")
            let patient = try visit.object("patient")
            let visits = try context.fetch("Visit", where: Condition("patient.name == \"Ada\""))
            #expect(patient === ada)
            #expect(visits == [visit])
        }
    }

    enum Severity: String { case low, high }

    static let json = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Patient",
            "attributes": [
              { "name": "name", "type": "string", "indexed": true, "minimumLength": 1, "maximumLength": 200 },
              { "name": "admitted", "type": "date", "default": { "make": "now" } },
              { "name": "age", "type": "int16", "optional": true, "minimum": 0, "maximum": 150 },
              { "name": "key", "type": "uuid", "unique": true, "default": { "make": "uuid" } },
              { "name": "severity", "type": "string", "default": "low" },
              { "name": "bed", "transformer": "rect",
                "projections": [ { "name": "area", "transformer": "rect-area", "indexed": true } ] },
              { "name": "isSelected", "type": "undefined", "transient": true, "optional": true } ],
            "unique": [["name", "admitted"]] } ] }
        """

    @Test func declaringAModel() throws {
        let registry = try TransformerRegistry { GeometryPlugin() }
        let model = try Model(
            version: 1,
            entities: [
                EntityDescription(
                    "Patient",
                    attributes: [
                        .string("name", .indexed, .length(1...200)),
                        .date("admitted", .default(.now)),
                        .int16("age", .optional, .range(0...150)),
                        .uuid("key", .unique, .default(.newUUID)),
                        .raw("severity", as: Severity.self, .default("low")),
                        .transformed("bed", "rect", as: CGRect.self, .projected("rect-area", as: "area")),
                        .transient("isSelected", as: Bool.self),
                    ],
                    unique: [["name", "admitted"]]
                )
            ]
        )
        try Store.validate(model, transformers: registry)
        try withFolder { folder in
            let url = folder.appending(path: "clinic.json")
            try Data(Self.json.utf8).write(to: url)
            let same = try Model(json: Data(contentsOf: url))
            #expect(same.json == model.json)
        }
        let store = try Store.inMemory(model: model, transformers: registry)
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue(CGRect(x: 0, y: 0, width: 2, height: 1), for: "bed")
        }
        let large = try store.read { try $0.count("Patient", where: Condition("area > 100")) }
        let bed = CGRect(x: 0, y: 0, width: 2, height: 1)
        let here = try store.read { try $0.count("Patient", where: Field("bed") == bed) }
        #expect(large == 0)
        #expect(here == 1)
        let severity = try store.read { try $0.first("Patient")?.value("severity", as: Severity.self) }
        #expect(severity == .low)
    }
}
