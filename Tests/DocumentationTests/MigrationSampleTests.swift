import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import TransformableTesting

@Suite struct MigrationSampleTests {
    private let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry {}
    }

    @Test func everyVersionMigratesToEveryNewerOne() throws {
        let first = try Model(entities: [
            EntityDescription("Member", attributes: [.string("fullName"), .string("note", .optional)])
        ])
        let second = try Model(
            version: 2,
            entities: [
                EntityDescription(
                    "Member",
                    attributes: [.string("name", .renamed(from: "fullName")), .string("last", .default(""))]
                )
            ]
        )
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Member") { member in
                let name = try member.value("name", as: String.self)
                try member.setValue(name.split(separator: " ").last.map(String.init) ?? name, for: "last")
            }
        }
        let test = MigrationTest([first, second], transformers: registry, migrations: [step]) { context, version in
            let member = try context.insert("Member")
            try member.setValue("Ada Lovelace", for: version == 1 ? "fullName" : "name")
        }
        for report in try assertMigrations(test) { print(report) }
        let migrated = try test.migrate(from: 1, to: 2)
        #expect(migrated.report.entry("Member", "name")?.kept == 1)
        #expect(try migrated.store.read { try $0.first("Member")?.value("last", as: String.self) } == "Lovelace")
        let lines = migrated.report.description.split(separator: "\n")
        #expect(
            lines == [
                "version 1 to 2", "Member: 1 kept", "Member.name, formerly fullName: 1 kept", "Member.last: 1 added",
                "Member.note: none",
            ]
        )
        try addsAFile(first, second, step)
    }

    private func addsAFile(_ first: Model, _ second: Model, _ step: MigrationStep) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let store = try Store(at: url, model: first, transformers: registry)
        try store.write { try $0.insert("Member").setValue("Ada Lovelace", for: "fullName") }
        try store.close()
        var test = MigrationTest([first, second], transformers: registry, migrations: [step], fill: nil)
        try test.addFile(url)
        try assertMigrations(test)
    }

    @Test func fillsTenants() throws {
        func model(_ version: Int, _ number: AttributeDescription) throws -> Model {
            try Model(
                version: version,
                hasTenants: true,
                entities: [
                    EntityDescription("Country", attributes: [.string("code")], shared: true),
                    EntityDescription("Customer", attributes: [number]),
                ]
            )
        }
        let first = try model(1, .integer("number"))
        let second = try model(2, .integer("number", .indexed))
        let test = MigrationTest([first, second], transformers: registry, tenants: [7, 8]) { context, version in
            if context.tenant == nil {
                try context.insert("Country").setValue("DK", for: "code")
            } else {
                try context.insert("Customer").setValue(1, for: "number")
            }
        }
        let reports = try assertMigrations(test)
        #expect(reports.first?.entry("Customer", "number")?.kept == 2)
    }
}
