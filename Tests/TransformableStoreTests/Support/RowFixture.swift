import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformablePostgres
import TransformableSQLite
import TransformableStore

/// A store whose patients have authenticated rows, and the shell of an attacker without the key.
struct RowFixture {
    let folder: Folder
    var ring: KeyRing

    init(_ ring: KeyRing? = nil) throws {
        folder = try Folder()
        self.ring = try ring ?? KeyRing.empty.addingKey()
    }

    var url: URL { folder.file() }

    static func model(
        _ version: Int = 1,
        authenticatesRows: Bool = true,
        more: [AttributeDescription] = []
    ) throws -> Model {
        try Model(
            version: version,
            entities: [
                EntityDescription(
                    "Ward",
                    attributes: [.string("name", .unique)],
                    relationships: [
                        .toMany("patients", "Patient", ordered: true, inverse: "ward"),
                        .toMany("owned", "Patient", inverse: "owner", deleteRule: .cascade),
                        .toMany("kept", "Patient", inverse: "keeper", deleteRule: .deny),
                    ]
                ),
                EntityDescription("Tag", attributes: [.string("name")]),
                EntityDescription(
                    "Patient",
                    attributes: [
                        .string("name", .indexed), .string("diagnosis", .optional), .integer("age", .optional),
                        .double("weight", .optional), .data("photo", .optional), .string("code", .optional, .unique),
                        .transformed(
                            "ssn",
                            "text | sealed",
                            as: String.self,
                            .optional,
                            .projected("blind-index(bits: 16)", as: "ssn_bi")
                        ),
                    ] + more,
                    relationships: [
                        .toOne("ward", "Ward", inverse: "patients"), .toOne("owner", "Ward", inverse: "owned"),
                        .toOne("keeper", "Ward", inverse: "kept"), .toMany("tags", "Tag"),
                    ],
                    projections: [CompoundProjection("both", of: ["name", "ssn"], "blind-index(bits: 16)")],
                    authenticatesRows: authenticatesRows
                ),
            ]
        )
    }

    func registry(_ ring: KeyRing? = nil) throws -> TransformerRegistry {
        try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring ?? self.ring)
        }
    }

    func open(
        _ options: Store.Options = .createIfMissing,
        model: Model? = nil,
        migrations: [MigrationStep] = []
    ) throws -> Store {
        try Store.trial(
            at: url,
            model: model ?? Self.model(),
            transformers: registry(),
            options: options,
            migrations: migrations
        )
    }

    /// A closed store of two wards and two patients.
    static func filled() throws -> RowFixture {
        let fixture = try RowFixture()
        let store = try fixture.open()
        try store.write { context in
            for (index, name) in ["Ada", "Bob"].enumerated() {
                let ward = try context.insert("Ward")
                try ward.setValue("Ward \(index)", for: "name")
                let patient = try context.insert("Patient")
                try patient.setValue(name, for: "name")
                try patient.setValue(index == 0 ? "gout" : "flu", for: "diagnosis")
                try patient.setValue(index + 40, for: "age")
                try patient.setValue(Double(index) + 60, for: "weight")
                try patient.setValue("ssn-\(index)", for: "ssn")
                try patient.setValue(Data(repeating: UInt8(index), count: 100_000), for: "photo")
                try patient.setObject(ward, for: "ward")
            }
        }
        try store.close()
        return fixture
    }

    /// Runs statements of the attacker, in which `zeros(24)` stands for bytes.
    func change(_ sql: String) throws { try Self.change(sql, in: url) }

    static func change(_ sql: String, in url: URL, of tenant: Int64 = 1) throws {
        guard EachEngine.current == .postgres else {
            return try Trial.run("PRAGMA foreign_keys = OFF; \(sql.replacing("zeros(", with: "zeroblob("))", in: url)
        }
        let zeros = sql.replacing(/zeros\((\d+)\)/) { "decode(repeat('00', \($0.1)), 'hex')" }
        guard Trial.isDistributed else {
            return try Trial.run("SET session_replication_role = replica; \(zeros)", in: url)
        }
        // The role that opens distributed stores is not allowed to disable references.
        try Trial.run(zeros.replacing("WHERE _id", with: "WHERE _tenant = \(tenant) AND _id"), in: url, of: tenant)
    }

    static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { access("\($0)/python3", X_OK) == 0 }

    func check() throws -> String { try Self.check(url, in: folder, ring, registry()) }

    /// The result of an independent program, which was written from the description of the tags alone.
    ///
    /// It reads the file, or a copy of the store as a file.
    static func check(
        _ url: URL,
        in folder: Folder,
        _ ring: KeyRing,
        _ registry: TransformerRegistry
    ) throws -> String {
        var file = url
        if EachEngine.current == .postgres {
            file = folder.file("copy-\(UUID().uuidString).sqlite")
            let (address, schema) = (try PostgresAddress(Trial.address()), Trial.schema(url))
            _ = try Store.copy(from: address, schema: schema, to: file, transformers: registry)
        }
        let keys = folder.file("ring.keys")
        try ring.write(to: keys, replacing: true)
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardized
        let script = tests.appending(path: "EncryptionPluginTests/Vectors/rows.py")
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", script.path, file.path, keys.path]
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
