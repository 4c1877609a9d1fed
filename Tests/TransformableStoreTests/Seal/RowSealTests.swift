import EncryptionPlugin
import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Rows whose tags reveal changes that were made without the key.
@Suite(.eachEngine, .alsoWithTenants)
struct RowSealTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sql: String
        /// The patients whose rows are no longer authentic.
        var numbers: [Int64] = [1]

        init(_ name: String, _ sql: String, _ numbers: [Int64] = [1]) {
            testDescription = name
            self.sql = sql
            self.numbers = numbers
        }
    }

    private static func taking(_ columns: String) -> String {
        "UPDATE \"Patient\" SET (\(columns)) = (SELECT \(columns) FROM \"Patient\" WHERE _id = 2) WHERE _id = 1"
    }

    /// A distributed table does not take rows of a temporary one, because it hides the rows of tenants.
    static var attacks: [Attack] { changes + (Trial.isDistributed ? [] : copies) }

    private static let changes = [
        Attack("a diagnosis is moved", taking("diagnosis")),
        Attack("a diagnosis is removed", "UPDATE \"Patient\" SET diagnosis = NULL WHERE _id = 1"),
        Attack("a number changes", "UPDATE \"Patient\" SET age = age + 1 WHERE _id = 1"),
        Attack("a large cell changes", "UPDATE \"Patient\" SET photo = zeros(99999) WHERE _id = 1"),
        Attack("an index is zeroed", "UPDATE \"Patient\" SET ssn_bi = 0 WHERE _id = 1"),
        Attack("an index is removed", "UPDATE \"Patient\" SET ssn_bi = NULL WHERE _id = 1"),
        Attack("a compound index is moved", taking("\"both\"")),
        Attack("a sealed value is removed", "UPDATE \"Patient\" SET ssn = NULL, ssn_bi = NULL WHERE _id = 1"),
        Attack("a reference leads elsewhere", "UPDATE \"Patient\" SET ward = 2 WHERE _id = 1"),
        Attack("a position changes", "UPDATE \"Patient\" SET \"_order.ward\" = 7 WHERE _id = 1"),
        Attack("the version changes", "UPDATE \"Patient\" SET _version = _version + 1 WHERE _id = 1"),
        Attack(
            "two rows change numbers",
            """
            UPDATE "Patient" SET _id = -1 WHERE _id = 1; UPDATE "Patient" SET _id = 1 WHERE _id = 2;
            UPDATE "Patient" SET _id = 2 WHERE _id = -1
            """,
            [1, 2]
        ),
        Attack(
            "all cells are moved with their tag",
            taking("_version, name, diagnosis, age, weight, photo, ssn, ssn_bi, \"both\", ward, \"_order.ward\", _mac")
        ),
        Attack("a tag is moved", taking("_mac")),
        Attack("a tag is NULL", "UPDATE \"Patient\" SET _mac = NULL WHERE _id = 1"),
        Attack("a tag is zero", "UPDATE \"Patient\" SET _mac = zeros(24) WHERE _id = 1"),
        Attack("a tag is cut short", "UPDATE \"Patient\" SET _mac = substr(_mac, 1, 23) WHERE _id = 1"),
        // Part of a sealed value stands for 24 random bytes.
        Attack("a tag has an unknown key", "UPDATE \"Patient\" SET age = 0, _mac = substr(ssn, 73, 24) WHERE _id = 1"),
        Attack("a tag is only a key", "UPDATE \"Patient\" SET _mac = substr(_mac, 1, 8) || zeros(16) WHERE _id = 1"),
    ]

    private static let copies = [
        Attack(
            "a row is planted",
            """
            CREATE TEMP TABLE row AS SELECT * FROM "Patient" WHERE _id = 1; UPDATE row SET _id = 3, _mac = zeros(24);
            INSERT INTO "Patient" SELECT * FROM row
            """,
            [3]
        ),
        Attack(
            "a row is copied with its tag",
            """
            CREATE TEMP TABLE row AS SELECT * FROM "Patient" WHERE _id = 1; UPDATE row SET _id = 3;
            INSERT INTO "Patient" SELECT * FROM row
            """,
            [3]
        ),
    ]

    /// In PostgreSQL, a column has a type.
    static let attacksOnTypes = [
        Attack("a number becomes text", "UPDATE Patient SET weight = '60 kg' WHERE _id = 1"),
        Attack("a tag is text", "UPDATE Patient SET _mac = 'genuine' WHERE _id = 1"),
        Attack("a tag is a number", "UPDATE Patient SET _mac = 1 WHERE _id = 1"),
    ]

    private func expectRefusal(
        _ number: Int64? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.code == .unauthenticatedRow, sourceLocation: sourceLocation)
        #expect(error?.entity == "Patient", sourceLocation: sourceLocation)
        if let number { #expect(error?.object?.number == number, sourceLocation: sourceLocation) }
    }

    @Test(.sqliteOnly("a cell of another type"), arguments: attacksOnTypes)
    func cellsOfOtherTypesAreDetectedWhenRead(attack: Attack) throws {
        try forgedRowsAreDetectedWhenRead(attack: attack)
    }

    @Test(.sqliteOnly("a cell of another type"), arguments: attacksOnTypes)
    func noWriteAuthenticatesCellsOfOtherTypes(attack: Attack) throws {
        try noWriteAuthenticatesAForgedRow(attack: attack)
    }

    /// A long read, whose rows are read a few batches ahead.
    @Test func objectsBeforeAForgedRowAreVisited() throws {
        let fixture = try RowFixture()
        let store = try fixture.open()
        try store.insert(many: 1...1500, into: "Patient") { patient, number in
            try patient.setValue("name \(number)", for: "name")
            try patient.setValue("ssn \(number)", for: "ssn")
        }
        try fixture.change("UPDATE \"Patient\" SET name = 'Eve' WHERE _id = 1000")
        var found: [String] = []
        #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try store.read { context in
                try context.forEach("Patient") { found.append(try $0.value("ssn", as: String.self)) }
            }
        }
        #expect(found == (1...999).map { "ssn \($0)" })
    }

    @Test(arguments: attacks) func forgedRowsAreDetectedWhenRead(attack: Attack) throws {
        let fixture = try RowFixture.filled()
        try fixture.change(attack.sql)
        let number = attack.numbers[0]
        for options in [Store.Options.readOnly, .mustExist] {
            let store = try fixture.open(options)
            expectRefusal(number) { try store.read { _ = try $0.fetch("Patient") } }
            expectRefusal(number) {
                try store.read { context in
                    let object = try context.object(ObjectID(entity: "Patient", number: number))
                    _ = try object.value("name", as: String.self)
                }
            }
            expectRefusal(number) { try store.read { _ = try $0.values("Patient", of: ["name"]) } }
            let found = try store.verify()
            let forged = found.faults.filter { $0.code == .unauthenticatedRow }
            #expect(forged.map { $0.object?.number } == attack.numbers)
            #expect(throws: StoreError(code: .unauthenticatedRow)) {
                try store.export(to: fixture.folder.file("out-\(UUID().uuidString)"))
            }
            try store.close()
        }
    }

    @Test func forgedNamesOfSectionsAreDetected() async throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        var sections = try store.sections(of: "Patient", by: "diagnosis").makeAsyncIterator()
        #expect(try await sections.next()?.sections.isEmpty == false)
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'forged' WHERE _id = 1")
        sections = try store.sections(of: "Patient", by: "diagnosis").makeAsyncIterator()
        do {
            _ = try await sections.next()
            Issue.record("the forged name was returned")
        } catch let error as StoreError {
            expectRefusal(1) { throw error }
        }
    }

    @Test(arguments: attacks) func noWriteAuthenticatesAForgedRow(attack: Attack) throws {
        let fixture = try RowFixture.filled()
        try fixture.change(attack.sql)
        let store = try fixture.open()
        expectRefusal {
            try store.write { context in
                for patient in try context.fetch("Patient") { try patient.setValue(1, for: "age") }
            }
        }
        expectRefusal {
            try store.write { context in
                _ = try context.update("Patient", where: .all) { try $0.setValue(1, for: "age") }
            }
        }
        #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try store.reencode(Reencoding("ssn", of: "Patient", to: .plain))
        }
        try store.close()
        expectRefusal { _ = try fixture.open(model: RowFixture.model(2, more: [.string("more", .optional)])) }
        let again = try fixture.open(.readOnly)
        #expect(try again.verify().faults.contains { $0.code == .unauthenticatedRow })
    }

    @Test(.sqliteOnly("values that are read after their row")) func attributesReadLaterAreCheckedWithTheirRow() throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        let context = store.makeContext()
        let patient = try #require(try context.first("Patient", where: Field("name") == "Ada"))
        #expect(try patient.value("age", as: Int.self) == 40)
        try fixture.change("UPDATE Patient SET photo = zeroblob(99999) WHERE _id = 1")
        expectRefusal(1) { _ = try patient.value("photo", as: Data.self) }
        expectRefusal(1) { _ = try patient.stream("photo")?.next() }
    }

    // The row still has the version that the object was read with, so only its tag reveals the change.
    @Test func aSaveDoesNotAuthenticateARowChangedSinceItWasRead() throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        let context = store.makeContext()
        let patient = try #require(try context.first("Patient", where: Field("name") == "Ada"))
        try patient.setValue(50, for: "age")
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'flu' WHERE _id = 1")
        expectRefusal(1) { try context.save() }
        #expect(try store.verify().faults.map { $0.object?.number } == [1])
    }

    @Test(.sqliteOnly("a cell of another type"), arguments: ["''", "'x'", "1.5", "9223372036854775807"])
    func anInvalidVersionIsReported(value: String) throws {
        let fixture = try RowFixture()
        let model = try RowFixture.model(authenticatesRows: false)
        let store = try fixture.open(model: model)
        try store.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        #expect(try store.verify().isSound)
        try fixture.change("UPDATE Patient SET _version = \(value)")
        let fault = try #require(try store.verify().faults.first)
        #expect(fault.code == .corruptFile && fault.object?.number == 1)
    }

    // A trigger in the file cannot call the function that computes tags.
    @Test(.sqliteOnly("a function in SQL")) func aPlantedTriggerGetsNoTag() throws {
        let fixture = try RowFixture.filled()
        try fixture.change(
            """
            CREATE TRIGGER spy AFTER INSERT ON Ward BEGIN
            UPDATE Patient SET _mac = _transformable_row_tag(3, _id, _version, name); END
            """
        )
        try fixture.open(Store.Options(acceptsUnauthenticatedModel: true)).close()
        let store = try fixture.open()
        #expect(throws: StoreError(code: .statementFailed)) {
            try store.write { try $0.insert("Ward").setValue("New", for: "name") }
        }
        #expect(try store.verify().isSound)
    }

    @Test func aForgedRowIsNotHiddenByAQuarantine() throws {
        let fixture = try RowFixture.filled()
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'flu' WHERE _id = 1")
        let store = try fixture.open(Store.Options(quarantine: .report))
        expectRefusal(1) { try store.read { _ = try $0.fetch("Patient") } }
    }

    @Test func aFetchAmidPendingChangesChecksWhatIsStored() throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        let context = store.makeContext()
        let new = try context.insert("Patient")
        try new.setValue("Cy", for: "name")
        let bob = try #require(try context.first("Patient", where: Field("name") == "Bob"))
        try bob.setValue("none", for: "diagnosis")
        #expect(try context.fetch("Patient").count == 3)
        #expect(try context.values("Patient", of: ["name"]).count == 3)
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'flu' WHERE _id = 1")
        expectRefusal(1) { _ = try context.values("Patient", of: ["name"]) }
        expectRefusal(1) { _ = try store.makeContext().fetch("Patient") }
    }

    // MARK: - Keys

    @Test func writingRequiresAKeyButReadingDoesNot() throws {
        let fixture = try RowFixture.filled()
        let registry = try fixture.registry(.empty)
        let error = #expect(throws: StoreError.self) {
            try Store.trial(at: fixture.url, transformers: registry, options: Store.Options(unresolved: .keepBytes))
        }
        #expect(error?.code == .unauthenticatedRow)
        #expect(error?.transformerError?.code.rawValue == "missing-key")
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let store = try Store.trial(at: fixture.url, transformers: registry, options: options)
        #expect(try store.read { try $0.values("Patient", of: ["diagnosis"]).count } == 2)
        let other = fixture.folder.file("other.sqlite")
        #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try Store.trial(at: other, model: RowFixture.model(), transformers: registry)
        }
        #expect(!FileManager.default.fileExists(atPath: other.path))
    }

    @Test(.sqliteOnly("a store in memory")) func aStoreInMemoryHasNoTags() throws {
        let fixture = try RowFixture()
        let store = try Store.inMemory(model: RowFixture.model(), transformers: fixture.registry())
        try store.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        #expect(try store.read { try $0.fetch("Patient").count } == 1)
    }

    @Test(.enabled(if: RowFixture.hasPython)) func followsARotation() throws {
        var fixture = try RowFixture.filled()
        let first = try #require(fixture.ring.generations(of: "default").last?.id)
        #expect(try fixture.open().rowKeys() == ["Patient": ["\(first)": 2]])
        fixture.ring = try fixture.ring.rotatingKey()
        let second = try #require(fixture.ring.generations(of: "default").last?.id)
        let store = try fixture.open()
        try store.write { try $0.first("Patient")?.setValue(50, for: "age") }
        #expect(try store.rowKeys() == ["Patient": ["\(first)": 1, "\(second)": 1]])
        #expect(try KeyUsage(of: [store]).rows[first] == 1)
        #expect(try KeyUsage(of: [store]).need(of: first)?.contains("1 authenticated row") == true)
        #expect(try fixture.check() == "Patient 2 genuine")
        #expect(try store.reauthenticateRows() == 1)
        #expect(try store.rowKeys() == ["Patient": ["\(second)": 2]])
        #expect(try fixture.check() == "Patient 2 genuine")
        #expect(try store.verify().isSound)
    }

    @Test func rowsWithAMissingKeyAreNotReportedAsForged() throws {
        var fixture = try RowFixture.filled()
        let first = try #require(fixture.ring.generations(of: "default").last?.id)
        fixture.ring = try fixture.ring.rotatingKey()
        let renewed = try fixture.open()
        try renewed.renewOutdatedSeal()
        try renewed.close()
        fixture.ring = try fixture.ring.retiringUnchecked(first)
        let store = try fixture.open(Store.Options(opening: .readOnly, unresolved: .keepBytes))
        let error = #expect(throws: StoreError.self) { try store.read { _ = try $0.fetch("Patient") } }
        #expect(error?.code == .unauthenticatedRow)
        #expect(error?.transformerError?.code.rawValue == "retired-key")
    }

    // MARK: - Accepting

    @Test(.enabled(if: RowFixture.hasPython)) func rowsCanBeAcceptedOnce() throws {
        let fixture = try RowFixture.filled()
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'flu' WHERE _id = 1")
        #expect(try fixture.check() == "Patient 2 not genuine: [1]")
        try fixture.open(Store.Options(acceptsUnauthenticatedRows: true)).close()
        #expect(try fixture.check() == "Patient 2 genuine")
        #expect(try fixture.open().verify().isSound)
    }
}
