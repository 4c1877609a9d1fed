import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformableSQLite

@testable import TransformableStore  // The end of a re-encoding is internal.

@Suite(.eachEngine) struct ReencodingTests {
    private typealias Fixture = ReencodingFixture

    @Test func rewritesValuesInPlace() throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes((0..<1200).map { "note \($0)" })
        try store.write { try $0.insert("Note").removeValue(for: "text") }
        let before = try fixture.cells()
        let report = try store.reencode(Reencoding("text", of: "Note"))
        #expect(report.cells == 1200)
        #expect(report.failureCount == 0)
        let after = try fixture.cells()
        #expect(after != before)
        #expect(try store.texts == (0..<1200).map { "note \($0)" } + [nil])
        let versions = try Trial.cells("SELECT DISTINCT \"_version\" FROM \"Note\"", in: fixture.folder.file())
        #expect(versions == [[.integer(1)]])
    }

    @Test func reencodesPartsOfComposites() throws {
        let fixture = try Fixture()
        func open(_ zip: AttributeDescription) throws -> Store {
            let home = CompositeDescription("home", optional: true, parts: [zip, .string("street")])
            let model = try Model(entities: [EntityDescription("Place", composites: [home])])
            return try Store.trial(at: fixture.folder.file(), model: model, transformers: fixture.registry)
        }
        let cells = { try Trial.cells("SELECT \"home_zip\" FROM \"Place\"", in: fixture.folder.file()) }
        let bound = AttributeDescription.transformed("zip", "text | bound", as: String.self)
        let store = try open(bound)
        try store.write { context in
            let place = try context.insert("Place")
            try place.setValue("123", for: "home_zip")
            try place.setValue("Main", for: "home_street")
        }
        let before = try cells()
        #expect(try store.reencode(Reencoding("home_zip", of: "Place")).cells == 1)
        #expect(try cells() != before)
        try store.reencode(Reencoding("home_zip", of: "Place", to: .plain))
        #expect(try cells() == [[.text("123")]])
        let plain = try open(.string("zip"))
        #expect(try plain.verify().isSound)
        try plain.reencode(Reencoding("home_zip", of: "Place", to: .transformer("text | bound")))
        let last = try open(bound)
        #expect(try last.read { try $0.fetch("Place").map { try $0.value("home_zip", as: String.self) } } == ["123"])
        let stored = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry).model
        #expect(stored.entities[0].composites[0].parts.map(\.name) == ["zip", "street"])
        #expect(stored.entities[0].composites[0].parts.allSatisfy { !$0.isOptional })
    }

    /// What requires values of the former column must not outlive the table that a migration replaces.
    @Test func aReencodedAttributeBecomesOptional() throws {
        let fixture = try Fixture()
        let store = try fixture.open(.string("text"))
        try store.addNotes(["a"])
        try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound")))
        try store.close()
        let migrated = try fixture.open(Fixture.text("text | bound"), version: 2)
        try migrated.write { try $0.insert("Note").removeValue(for: "text") }
        #expect(try migrated.texts == ["a", nil])
        #expect(try migrated.verify().isSound)
    }

    @Test func doesNotRepeatEarlierStages() throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | stamp | bound"))
        try store.addNotes(["a"])
        // Text that was stamped once ends in a single byte of 1, no matter how often it was sealed.
        #expect(try store.texts == ["a\u{1}"])
        try store.reencode(Reencoding("text", of: "Note"))
        #expect(try store.texts == ["a\u{1}"])
        try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | stamp")))
        #expect(try fixture.open(Fixture.text("text | stamp")).texts == ["a\u{1}"])
        #expect(try fixture.cells() == [.blob(Data([0x61, 1]))])
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func movesAColumnToAnotherTransformer() throws {
        let fixture = try Fixture()
        let old = try fixture.open(Fixture.text("text", projected: "text | blind"))
        try old.addNotes((0..<700).map { "note \($0)" })
        let report = try old.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound")))
        #expect(report.cells == 700)
        #expect(throws: StoreError(code: .storeChanged)) { try old.texts }
        #expect(throws: StoreError(code: .storeChanged)) { try old.addNotes(["late"]) }
        #expect(throws: StoreError(code: .signatureMismatch)) {
            try fixture.open(Fixture.text("text", projected: "text | blind"))
        }
        let new = try fixture.open(Fixture.text("text | bound", projected: "text | blind"))
        #expect(try new.texts == (0..<700).map { "note \($0)" })
        #expect(try new.read { try $0.count("Note", where: Field("text") == "note 31") } == 1)
        #expect(try Set(fixture.columns()) == ["_id", "_version", "text", "title", "finder"])
        let state = try shell(fixture.folder.file()) { database in
            (
                try String.fetchOne(database, sql: "PRAGMA integrity_check"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM _transformable_job"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
            )
        }
        #expect(state == ("ok", 0, 0))
    }

    @Test func sealsAPlainColumnAndUnsealsIt() throws {
        let fixture = try Fixture()
        let plain = AttributeDescription.string("text", .indexed, .optional)
        let store = try fixture.open(plain)
        try store.addNotes(["a", "b"])
        try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound")))
        let sealed = try fixture.open(Fixture.text("text | bound"))
        #expect(try sealed.texts == ["a", "b"])
        #expect(throws: StoreError(code: .modelMismatch)) { try fixture.open(plain) }
        try sealed.reencode(Reencoding("text", of: "Note", to: .plain))
        #expect(try fixture.cells() == [.text("a"), .text("b")])
        #expect(try fixture.open(.string("text", .optional)).texts == ["a", "b"])
    }

    @Test(arguments: [
        (Reencoding("text", of: "None"), StoreError.Code.unknownEntity),
        (Reencoding("none", of: "Note"), .unknownAttribute),
        (Reencoding("title", of: "Note"), .unsupported),
        (Reencoding("text", of: "Note", to: .transformer("text | none")), .unresolvedTransformer),
    ])
    func rejectsInvalidRequests(reencoding: Reencoding, code: StoreError.Code) throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text"))
        try store.addNotes(["a"])
        #expect(throws: StoreError(code: code)) { try store.reencode(reencoding) }
        #expect(try store.texts == ["a"])
        #expect(try fixture.columns().count == 4)
    }

    @Test func keepsAndReportsUndecodableValues() throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes(["a", "b", "c"])
        try Trial.run(
            "UPDATE \"Note\" SET \"text\" = \(Trial.bytes("00ff")) WHERE \"_id\" = 2",
            in: fixture.folder.file()
        )
        let report = try store.reencode(Reencoding("text", of: "Note"))
        #expect(report.cells == 2)
        #expect(report.failures.map(\.object?.number) == [2])
        #expect(try fixture.cells()[1] == .blob(Data([0, 0xFF])))

        let target = Reencoding.Target.transformer("text | bound(key: 1)")
        let refusal = #expect(throws: StoreError.self) {
            try store.reencode(Reencoding("text", of: "Note", to: target))
        }
        #expect(refusal?.code == .undecodable)
        #expect(refusal?.object?.number == 2)
        #expect(refusal?.message.contains("keepsUndecodable") == true)
        let kept = try store.reencode(Reencoding("text", of: "Note", to: target, keepsUndecodable: true))
        #expect(kept.failureCount == 1)
        let new = try fixture.open(Fixture.text("text | bound(key: 1)"))
        #expect(try fixture.cells()[1] == .blob(Data([0, 0xFF])))
        try new.read { context in
            let notes = try context.fetch("Note")
            #expect(try notes[0].value("text", as: String.self) == "a")
            #expect(try notes[1].failure(of: "text")?.code == .undecodable)
        }
    }

    @Test func doesNotAcceptDamagedBytesAsAValue() throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes(["a", "b"])
        try Trial.run(
            "UPDATE \"Note\" SET \"text\" = \(Trial.bytes("41")) WHERE \"_id\" = 2",
            in: fixture.folder.file()
        )
        let reencoding = Reencoding("text", of: "Note", to: .transformer("text"), keepsUndecodable: true)
        #expect(throws: StoreError(code: .undecodable)) { try store.reencode(reencoding) }
        #expect(try store.unfinishedReencodings().isEmpty)
        #expect(try store.read { try $0.fetch("Note")[0].value("text", as: String.self) } == "a")
    }

    // A writer with the old model changes, adds, and removes notes after each transaction.
    @Test(arguments: ["text | bound", "text | bound(key: 9)"])
    func losesNoConcurrentWrites(expression: String) throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        let writer = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes((0..<2000).map { "note \($0)" })
        let expected = Mutex(Dictionary(uniqueKeysWithValues: (1...2000).map { (Int64($0), "note \($0 - 1)") }))
        let round = Mutex(0)
        try store.reencode(Reencoding("text", of: "Note", to: .transformer(expression))) { _ in
            let number = round.withLock { round in
                round += 1
                return round
            }
            guard number < 12 else { return }
            let change = try writer.write { context in
                let first = try context.object(ObjectID(entity: "Note", number: Int64(number * 3)))
                try first.setValue("changed \(number)", for: "text")
                let later = try context.object(ObjectID(entity: "Note", number: Int64(2000 - number)))
                try later.setValue("changed later \(number)", for: "text")
                try context.delete(context.object(ObjectID(entity: "Note", number: Int64(500 + number * 7))))
                let added = try context.insert("Note")
                try added.setValue("added \(number)", for: "text")
                return (added.id.number)
            }
            expected.withLock { expected in
                expected[Int64(number * 3)] = "changed \(number)"
                expected[Int64(2000 - number)] = "changed later \(number)"
                expected[Int64(500 + number * 7)] = nil
                expected[change] = "added \(number)"
            }
        }
        let new = try fixture.open(Fixture.text(expression))
        let found = try new.read { context in
            try context.fetch("Note").map { ($0.id.number, try $0.value("text", as: String.self)) }
        }
        #expect(Dictionary(uniqueKeysWithValues: found) == expected.withLock { $0 })
        #expect(round.withLock { $0 } >= 4)
    }

    @Test(arguments: ["text | bound", "text | bound(key: 9)"])
    func resumesAReencoding(expression: String) throws {
        struct Stop: Error {}
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes((0..<1500).map { "note \($0)" })
        let reencoding = Reencoding("text", of: "Note", to: .transformer(expression))
        #expect(throws: Stop.self) {
            try store.reencode(reencoding) { progress in if progress.done >= 1000 { throw Stop() } }
        }
        #expect(try store.texts.count == 1500)
        let reopened = try fixture.open(Fixture.text("text | bound"))
        #expect(try reopened.reencode(reencoding).cells == 1500 - 2 * 512)
        #expect(try fixture.open(Fixture.text(expression)).texts == (0..<1500).map { "note \($0)" })
    }

    /// The migration happens while the re-encoding waits for its turn to write.
    @Test func doesNotUndoAMigration() throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes(["a"])
        var run = try ReencodingRun(Reencoding("text", of: "Note"), in: store)
        try run.convertAll { _ in }
        var large = Fixture.text("text | bound")
        large.externalThreshold = 10
        try fixture.open(large, version: 2).close()
        var report = run.end.report
        #expect(throws: StoreError(code: .storeChanged)) { try run.end.swap.run(&report) }
        let own = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry)
        #expect(own.model.entity("Note")?.attribute("text")?.externalThreshold == 10)
    }

    @Test func anotherTargetReplacesAReencoding() throws {
        struct Stop: Error {}
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes((0..<600).map { "note \($0)" })
        #expect(throws: Stop.self) {
            try store.reencode(Reencoding("text", of: "Note", to: .transformer("text"))) { _ in throw Stop() }
        }
        let target = Reencoding.Target.transformer("text | bound(key: 3)")
        #expect(try store.reencode(Reencoding("text", of: "Note", to: target)).cells == 600)
        #expect(try fixture.columns().count == 4)
        #expect(try fixture.open(Fixture.text("text | bound(key: 3)")).texts.count == 600)
    }

    @Test func aRehearsalIsRefusedIfTheReencodingWouldBe() throws {
        var fixture = try Fixture()
        let text = Fixture.text("text | bound", projected: "text | blind")
        let old = try fixture.open(text)
        try old.addNotes(["a"])
        let reencoding = Reencoding("text", of: "Note")
        #expect(try old.rehearse(reencoding).cells == 1)
        fixture.keys = [9, 7]
        let new = try fixture.open(text)
        #expect(try new.rehearse(reencoding).cells == 1)
        let rehearsal = #expect(throws: StoreError.self) { try old.rehearse(reencoding) }
        let refusal = #expect(throws: StoreError.self) { try old.reencode(reencoding) }
        #expect(rehearsal?.transformerError?.message == "there is no key 9")
        #expect(refusal?.transformerError?.message == "there is no key 9")
    }

    @Test func endsWhenItsTaskIsCanceled() async throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text | bound"))
        try store.addNotes((0..<1500).map { "note \($0)" })
        let task = Task {
            try await store.reencode(Reencoding("text", of: "Note")) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.reencode(Reencoding("text", of: "Note")).cells == 1500 - 512)
    }

    @Test func reencodesWhenOpeningOnRequest() throws {
        let fixture = try Fixture()
        let old = try fixture.open(.string("text", .optional))
        try old.addNotes(["a", "b"])
        try old.close()
        let options = Store.Options(changedTransformers: .reencode)
        let sealed = Fixture.text("text | bound", projected: "text | blind")
        #expect(throws: StoreError(code: .unsupported)) { try fixture.open(sealed, version: 2) }
        let store = try fixture.open(sealed, version: 2, options)
        #expect(try store.texts == ["a", "b"])
        #expect(try store.read { try $0.count("Note", where: Field("text") == "b") } == 1)
        try store.close()
        let other = Fixture.text("text | bound(key: 5)", projected: "text | blind")
        #expect(try fixture.open(other, version: 2, options).texts == ["a", "b"])
    }

    @Test func explainsHowToKeepUndecodableCells() throws {
        let fixture = try Fixture()
        let old = try fixture.open(Fixture.text("text | bound"))
        try old.addNotes(["a", "b"])
        try old.close()
        try Trial.run(
            "UPDATE \"Note\" SET \"text\" = \(Trial.bytes("00ff")) WHERE \"_id\" = 2",
            in: fixture.folder.file()
        )
        let options = Store.Options(changedTransformers: .reencode)
        let new = Fixture.text("text | bound(key: 5)")
        let refusal = #expect(throws: StoreError.self) { try fixture.open(new, options) }
        #expect(refusal?.message.contains("keepsUndecodable") == true)
        let own = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry)
        let target = Reencoding.Target.transformer("text | bound(key: 5)")
        try own.reencode(Reencoding("text", of: "Note", to: target, keepsUndecodable: true))
        try own.close()
        let store = try fixture.open(new, options)
        #expect(try store.read { try $0.fetch("Note")[0].value("text", as: String.self) } == "a")
    }

    // An added column cannot be NOT NULL. Triggers enforce this until the table is rebuilt.
    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func aReplacedColumnStillRequiresValues() throws {
        let fixture = try Fixture()
        func attribute(_ expression: String) -> AttributeDescription {
            .transformed("text", expression, as: String.self)
        }
        let store = try fixture.open(attribute("text"))
        try store.addNotes(["a"])
        for expression in ["text | bound", "text", "text | bound(key: 9)"] {
            let last = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry)
            try last.reencode(Reencoding("text", of: "Note", to: .transformer(expression)))
            try last.close()
            for change in ["INSERT INTO Note (title) VALUES ('b')", "UPDATE Note SET text = NULL"] {
                #expect(throws: DatabaseError.self) { try shell(fixture.folder.file()) { try $0.execute(sql: change) } }
            }
        }
        let new = try fixture.open(attribute("text | bound(key: 9)"))
        #expect(throws: StoreError(code: .missingValue)) { try new.write { _ = try $0.insert("Note") } }
        #expect(try new.texts == ["a"])
        try new.close()
        let label = EntityDescription(
            "Note",
            attributes: [
                attribute("text | bound(key: 9)"), .string("title", .default("")), .string("label", .optional),
            ]
        )
        let next = try Store.trial(
            at: fixture.folder.file(),
            model: Model(version: 2, entities: [label]),
            transformers: fixture.registry
        )
        #expect(try next.texts == ["a"])
        let state = try shell(fixture.folder.file()) { database in
            (
                try Int.fetchOne(
                    database,
                    sql: "SELECT \"notnull\" FROM pragma_table_info('Note') WHERE name = 'text'"
                ),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
            )
        }
        #expect(state == (1, 0))
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func notifiesOtherStoresOnlyOfRelevantChanges() throws {
        let fixture = try Fixture()
        let store = try fixture.open(Fixture.text("text"))
        try store.addNotes(["a"])
        try shell(fixture.folder.file()) { try $0.execute(sql: "CREATE INDEX mine ON Note (title)") }
        #expect(try store.texts == ["a"])
        try fixture.open(Fixture.text("text"), version: 2).close()
        #expect(throws: StoreError(code: .storeChanged)) { try store.texts }
    }

    // "bound" takes bytes. Text becomes bytes if a type requires it, but the file contains no types.
    @Test(arguments: ["bound", "text | bound", "text | bound(key: 7)"])
    func plainTextIsPassedAsTextToStages(expression: String) throws {
        let fixture = try Fixture()
        let plain = try fixture.open(.string("text", .optional))
        try plain.addNotes(["a", "b"])
        try plain.reencode(Reencoding("text", of: "Note", to: .transformer(expression)))
        try plain.close()
        let own = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry, options: .mustExist)
        #expect(try own.texts == ["a", "b"])
        try own.close()
        #expect(try fixture.open(ReencodingFixture.text(expression)).texts == ["a", "b"])
    }

    @Test(arguments: [true, false])
    func reportsADroppedIndex(indexed: Bool) throws {
        let fixture = try Fixture()
        let store = try fixture.open(.string("text", indexed ? .indexed : .optional))
        try store.addNotes(["a"])
        let report = try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound")))
        #expect(report.dropsIndex == indexed)
        try store.close()
        let sealed = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry, options: .mustExist)
        #expect(try !sealed.reencode(Reencoding("text", of: "Note", to: .plain)).dropsIndex)
    }
}
