import Foundation
import Testing
import TransformableStore

/// Changes that an attacker without the key makes to the file of an open store.
///
/// The program either throws an error, or continues with the model that was authentic when it opened the store.
/// Operations that depend on the current file throw an error.
@Suite struct OpenStoreAttackTests {
    struct Use: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let mustRefuse: Bool
        let body: @Sendable (Store) throws -> Void

        init(_ name: String, mustRefuse: Bool = false, _ body: @escaping @Sendable (Store) throws -> Void) {
            testDescription = name
            self.mustRefuse = mustRefuse
            self.body = body
        }
    }

    private static let secret = "secret-815"

    static let uses: [Use] = [
        Use("reads") { store in
            let notes = try store.read { context in
                try context.fetch("Patient").map { try $0.value("note", as: String?.self) }
            }
            #expect(notes == [AttackedStore.canary, "other"])
        },
        Use("finds") { store in
            let found = try store.read { context in
                try context.fetch("Patient", where: Field("ssn") == AttackedStore.canary).map(\.id.number)
            }
            #expect(found == [1])
        },
        Use("inserts") { store in
            try store.write { context in
                let patient = try context.insert("Patient")
                try patient.setValue("Eve", for: "name")
                try patient.setValue(secret, for: "note")
                try patient.setValue(secret, for: "ssn")
            }
            let note = try store.read { try $0.fetch("Patient").last?.value("note", as: String?.self) }
            #expect(note == secret)
        },
        Use("changes") { store in
            try store.write { context in
                try context.object(ObjectID(entity: "Patient", number: 2)).setValue(secret, for: "ssn")
                try context.object(ObjectID(entity: "Patient", number: 2)).setValue("Bert", for: "name")
            }
            let name = try store.read { context in
                try context.object(ObjectID(entity: "Patient", number: 2)).value("name", as: String.self)
            }
            #expect(name == "Bert")
        },
        Use("re-encodes", mustRefuse: true) { try $0.reencode(Reencoding("note", of: "Patient")) },
        Use("re-encodes by another transformer", mustRefuse: true) { store in
            let target = Reencoding.Target.transformer("text | sealed(deterministic: true)")
            try store.reencode(Reencoding("note", of: "Patient", to: target))
        },
        Use("makes values plain", mustRefuse: true) { try $0.reencode(Reencoding("note", of: "Patient", to: .plain)) },
        Use("gives up re-encodings", mustRefuse: true) { try $0.abortReencodings() },
        Use("discards", mustRefuse: true) { try $0.discardSetAside() },
        Use("verifies", mustRefuse: true) { _ = try $0.verify() },
    ]

    @Test(arguments: ModelAttackTests.attacks, uses) func doesNoHarm(attack: ModelAttackTests.Attack, use: Use) throws {
        let attacked = try AttackedStore()
        let store = try attacked.open()
        #expect(try store.read { try $0.count("Patient") } == 2)
        try attacked.sqlite(attack.sql)
        try check(use, of: store)
        try store.close()
        #expect(try !attacked.hasPlain(AttackedStore.canary))
        #expect(try !attacked.hasPlain(Self.secret))
    }

    private func check(_ use: Use, of store: Store) throws {
        do {
            try use.body(store)
            #expect(!use.mustRefuse)
        } catch let error as StoreError {
            // Forged text in a sealed attribute is not a sealed value.
            var codes: Set<StoreError.Code> = [.unauthenticatedModel, .storeChanged]
            if !use.mustRefuse { codes.insert(.undecodable) }
            #expect(codes.contains(error.code), "\(error)")
        }
    }

    // SQLite also relies on this number, so a connection that has read the tables does not notice the trigger.
    @Test(
        arguments: [
            """
            CREATE TRIGGER undo AFTER UPDATE ON Patient
            BEGIN UPDATE Patient SET name = 'undone' WHERE _id = new._id; END;
            """,
            "CREATE TRIGGER spy AFTER INSERT ON Patient BEGIN DELETE FROM Patient WHERE _id = new._id; END;",
        ],
        uses
    )
    func resettingACounterHidesNothing(sql: String, use: Use) throws {
        let attacked = try AttackedStore()
        let store = try attacked.open()
        #expect(try store.read { try $0.count("Patient") } == 2)
        let version = try attacked.schemaVersion()
        try attacked.sqlite("\(sql) PRAGMA schema_version = \(version)")
        try check(use, of: store)
        try store.close()
        let error = #expect(throws: StoreError.self) { try attacked.open() }
        #expect(error?.code == .unauthenticatedModel)
        #expect(try !attacked.hasPlain(Self.secret))
    }

    // Cells are bound to their locations, whoever moves them.
    @Test(arguments: [
        "UPDATE Patient SET note = (SELECT note FROM Patient WHERE _id = 1) WHERE _id = 2",
        "UPDATE Patient SET note = ssn WHERE _id = 1", "UPDATE Patient SET note = 'forged'",
        "UPDATE Patient SET note = CAST(note AS TEXT)",
    ])
    func movedCellsAreRejected(sql: String) throws {
        let attacked = try AttackedStore()
        let store = try attacked.open()
        try attacked.sqlite(sql)
        let error = #expect(throws: StoreError.self) {
            _ = try store.read { context in
                try context.fetch("Patient").map { try $0.value("note", as: String?.self) }
            }
        }
        #expect(error?.code == .undecodable)
        #expect(try store.verify().faults.isEmpty == false)
    }
}
