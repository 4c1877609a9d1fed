import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Stages that Swift types imply are available to programs that have only the file.
@Suite struct StatedExpressionTests {
    private struct Settings: Codable, Equatable {
        var beds: Int
    }

    private enum Level: Int {
        case low = 1
        case high = 5
    }

    private static let ring = try? KeyRing.empty.addingKey(named: "clinic")

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private var registry: TransformerRegistry {
        get throws {
            let ring = try #require(Self.ring)
            return try TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: ring)
            }
        }
    }

    private static func attributes() -> [AttributeDescription] {
        [
            .transformed(
                "ssn",
                "sealed",
                as: String.self,
                .optional,
                .projected("blind-index(bits: 12)", as: "finder")
            ),
            .transformed("settings", "json", as: Settings.self),
            .raw("level", as: Level.self), .integer("age"), .float("weight"),
        ]
    }

    private static func model(version: Int = 1, _ attributes: [AttributeDescription]) throws -> Model {
        let size = CompositeDescription("size", as: CGSize.self)
        return try Model(
            version: version,
            entities: [
                EntityDescription("Patient", attributes: attributes, composites: version == 1 ? [size] : []),
                EntityDescription(
                    "Base",
                    abstract: true,
                    attributes: [.transformed("word", "sealed", as: String.self)]
                ),
                EntityDescription("Note", parent: "Base"),
            ]
        )
    }

    private func makeFile() throws {
        let store = try Store(at: folder.file(), model: Self.model(Self.attributes()), transformers: registry)
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("123-45-6789", for: "ssn")
            try patient.setValue(Settings(beds: 3), for: "settings")
            try patient.setValue(Level.high, for: "level")
            try patient.setValue(41, for: "age")
            try patient.setValue(2.5 as Float, for: "weight")
            try patient.setValue(CGSize(width: 2, height: 1), for: "size")
            try context.insert("Note").setValue("hello", for: "word")
        }
        try store.close()
    }

    /// Removes the implied stages from the model and the metadata, as in files of earlier versions.
    private func makeOld() throws {
        try shell(folder.file()) { database in
            try database.execute(
                sql: """
                    UPDATE _transformable_model SET json = replace(json, 'text | sealed', 'sealed');
                    UPDATE _transformable_attribute SET expression = replace(expression, 'text | sealed', 'sealed');
                    """
            )
        }
    }

    /// A file of an earlier version has no matching seal, so its model is accepted once.
    private func options(isOld: Bool) -> Store.Options {
        Store.Options(acceptsUnauthenticatedModel: isOld)
    }

    private func cells() throws -> [String?] {
        try shell(folder.file()) { try String.fetchAll($0, sql: "SELECT hex(ssn) FROM Patient") }
    }

    @Test(arguments: [false, true]) func valuesCanBeReadWithTheFilesOwnModel(isOld: Bool) throws {
        try makeFile()
        if isOld { try makeOld() }
        let before = try cells()
        let store = try Store(at: folder.file(), transformers: registry, options: options(isOld: isOld))
        #expect(store.model.entity("Patient")?.attribute("ssn")?.transformer == "text | sealed")
        #expect(store.model.entity("Base")?.attribute("word")?.transformer == "text | sealed")
        let (ssn, word) = try store.read { context in
            let found = try context.fetch("Patient", where: Field("ssn") == "123-45-6789")
            let note = try #require(try context.first("Note"))
            return (try found.map { try $0.value("ssn", as: String.self) }, try note.value("word", as: String.self))
        }
        #expect(ssn == ["123-45-6789"])
        #expect(word == "hello")
        try store.close()
        #expect(try cells() == before)
        // The program with the types continues to work.
        let typed = try Store(at: folder.file(), model: Self.model(Self.attributes()), transformers: registry)
        #expect(try typed.read { try $0.first("Patient")?.value("settings", as: Settings.self) } == Settings(beds: 3))
        #expect(try typed.verify().isSound)
    }

    @Test func fileStatesTheExpression() throws {
        try makeFile()
        let (json, expressions) = try shell(folder.file()) { database in
            (
                try String.fetchOne(database, sql: "SELECT json FROM _transformable_model"),
                try String.fetchAll(
                    database,
                    sql: "SELECT expression FROM _transformable_attribute WHERE expression NOT NULL ORDER BY id"
                )
            )
        }
        #expect(json?.contains("\"text | sealed\"") == true)
        #expect(expressions == ["text | sealed", "json", "text | sealed"])
    }

    @Test func needsNoPluginForText() throws {
        let ring = try #require(Self.ring)
        let bare = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let model = try Model(entities: [
            EntityDescription("Note", attributes: [.transformed("word", "sealed", as: String.self)])
        ])
        let store = try Store(at: folder.file(), model: model, transformers: bare)
        try store.write { try $0.insert("Note").setValue("hello", for: "word") }
        try store.close()
        let own = try Store(at: folder.file(), transformers: bare)
        #expect(try own.read { try $0.first("Note")?.value("word", as: String.self) } == "hello")
    }

    @Test(arguments: [false, true]) func migrationStepsReadTheValues(isOld: Bool) throws {
        try makeFile()
        if isOld { try makeOld() }
        let step = MigrationStep(from: 1, to: 2) { migration in
            let patient = try #require(try migration.context.first("Patient"))
            #expect(try migration.oldValue("ssn", of: patient, as: String.self) == "123-45-6789")
            #expect(try migration.oldValue("settings", of: patient, as: Settings.self) == Settings(beds: 3))
            #expect(try migration.oldValue("level", of: patient, as: Level.self) == .high)
            #expect(try migration.oldValue("age", of: patient, as: Int.self) == 41)
            #expect(try migration.oldValue("weight", of: patient, as: Float.self) == 2.5)
            #expect(try migration.oldValue("size", of: patient, as: CGSize.self) == CGSize(width: 2, height: 1))
            #expect(throws: StoreError(code: .wrongType)) { try migration.oldValue("ssn", of: patient, as: Int.self) }
            #expect(throws: StoreError(code: .undecodable)) {
                try migration.oldValue("settings", of: patient, as: [String].self)
            }
        }
        try Store(
            at: folder.file(),
            model: Self.model(version: 2, [.string("name", .default("x"))]),
            transformers: registry,
            options: options(isOld: isOld),
            migrations: [step]
        )
        .close()
    }

    @Test(arguments: [false, true]) func droppedObjectsHaveTheValues(isOld: Bool) throws {
        try makeFile()
        if isOld { try makeOld() }
        let step = MigrationStep(from: 1, to: 2) { migration in
            var found: [String] = []
            try migration.forEachDropped("Patient") { patient in
                let ssn = try patient.value("ssn", as: String?.self)
                let beds = try patient.value("settings", as: Settings?.self)?.beds
                let level = try patient.value("level", as: Level?.self)
                let age = try patient.value("age", as: Int?.self)
                let width = try patient.value("size", as: CGSize?.self)?.width
                found.append("\(ssn ?? "") \(beds ?? 0) \(level ?? .low) \(age ?? 0) \(width ?? 0)")
            }
            #expect(found == ["123-45-6789 3 high 41 2.0"])
        }
        let model = try Model(version: 2, entities: [EntityDescription("Other", attributes: [.string("name")])])
        let options = options(isOld: isOld)
        try Store(at: folder.file(), model: model, transformers: registry, options: options, migrations: [step]).close()
    }

    @Test func errorsExplainHowToProvideAType() throws {
        let registry = try TransformerRegistry {
            Registration.family("swift-only", default: nil as Never.Type?) { request in
                guard request.valueType == Settings.self else {
                    throw TransformerError(.unsupportedType, "it takes settings", transformer: "swift-only")
                }
                return FunctionTransformer(
                    encode: { (value: Settings) in Data([UInt8(value.beds)]) },
                    decode: { (data: Data) in Settings(beds: Int(data[0])) }
                )
            }
        }
        let settings = AttributeDescription.transformed("settings", "swift-only", as: Settings.self)
        let first = try Model(entities: [EntityDescription("Ward", attributes: [settings])])
        let store = try Store(at: folder.file(), model: first, transformers: registry)
        try store.write { try $0.insert("Ward").setValue(Settings(beds: 4), for: "settings") }
        try store.close()
        let error = #expect(throws: StoreError.self) { try Store(at: folder.file(), transformers: registry) }
        #expect(error?.code == .unresolvedTransformer)
        #expect(error?.message.contains("open it with a model that declares the type (“as:”)") == true)
        let step = MigrationStep(from: 1, to: 2) { migration in
            let ward = try #require(try migration.context.first("Ward"))
            #expect(try migration.oldValue("settings", of: ward, as: Settings.self) == Settings(beds: 4))
            let error = #expect(throws: StoreError.self) {
                try migration.oldValue("settings", of: ward, as: String.self)
            }
            #expect(error?.code == .unresolvedTransformer)
        }
        let second = try Model(version: 2, entities: [EntityDescription("Ward", attributes: [.string("x", .optional)])])
        try Store(at: folder.file(), model: second, transformers: registry, migrations: [step]).close()
    }

    @Test func errorsExplainHowToProvideATypeForAProjection() throws {
        let registry = try TransformerRegistry {
            StandardPlugin()
            Registration("beds", OneWayFunctionTransformer(encode: { (settings: Settings) in Int64(settings.beds) }))
        }
        let settings = AttributeDescription.transformed("settings", "json", as: Settings.self, .projected("beds"))
        let model = try Model(entities: [EntityDescription("Ward", attributes: [settings])])
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { try $0.insert("Ward").setValue(Settings(beds: 4), for: "settings") }
        try store.close()
        let error = #expect(throws: StoreError.self) { try Store(at: folder.file(), transformers: registry) }
        #expect(error?.code == .unresolvedTransformer)
        #expect(error?.message.contains("declares the type (“as:”)") == true)
    }
}
