import EncryptionPlugin
import Foundation
import StandardPlugin
import Synchronization
import Testing
import Transformable
import TransformableModel
import TransformableSQLite
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// The same checks on stores in a file and in PostgreSQL.
@Suite struct EngineTests {
    /// Opens a store of either kind, again and again.
    struct Place {
        let kind: Kind
        let registry: TransformerRegistry
        let name = "engine-\(UUID().uuidString)"

        enum Kind: CaseIterable {
            case file
            case postgres
        }

        static var all: [Kind] { PostgresServer.programs == nil ? [.file] : Kind.allCases }

        init(_ kind: Kind) throws {
            self.kind = kind
            let ring = try KeyRing.empty.addingKey()
            registry = try TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: ring)
            }
        }

        func open(_ model: Model? = nil, _ options: Store.Options = .createIfMissing) throws -> Store {
            switch kind {
            case .file:
                let url = FileManager.default.temporaryDirectory.appending(path: name)
                return try Store(at: url, model: model, transformers: registry, options: options)
            case .postgres:
                let address = try PostgresServer.shared.get().address.description
                return try Store(
                    postgres: address,
                    schema: name,
                    model: model,
                    transformers: registry,
                    options: options
                )
            }
        }
    }

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"), .int16("age", .optional), .boolean("isActive", .optional),
                    .double("height", .optional),
                    .decimal("fee", .optional), .date("born", .optional), .data("photo", .optional),
                    .uuid("card", .optional, .unique), .url("page", .optional), .int64("number", .optional),
                    .transformed(
                        "ssn",
                        "sealed",
                        as: String.self,
                        .optional,
                        .projected("blind-index(bits: 16)", as: "ssn_index")
                    ),
                ],
                relationships: [
                    .toMany("visits", "Visit", inverse: "patient", deleteRule: .cascade),
                    .toMany("groups", "Group", inverse: "members"),
                ]
            ),
            EntityDescription(
                "Visit",
                attributes: [.string("note", .optional)],
                relationships: [.toOne("patient", "Patient", inverse: "visits")]
            ),
            EntityDescription(
                "Group",
                attributes: [.string("name", .optional)],
                relationships: [.toMany("members", "Patient", inverse: "groups")]
            ),
        ])
    }

    private static let card = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    private static let born = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)

    @discardableResult
    private func add(_ name: String, to store: Store) throws -> ObjectID {
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue(name, for: "name")
            return patient.id
        }
    }

    @Test(arguments: Place.all) func readsWhatItWrote(_ kind: Place.Kind) throws {
        let place = try Place(kind)
        let store = try place.open(Self.model())
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Adá 🐈\n“x”", for: "name")
            try patient.setValue(Int16.min, for: "age")
            try patient.setValue(true, for: "isActive")
            try patient.setValue(0.1 + 0.2, for: "height")
            try patient.setValue(Decimal(string: "-12345678901234567890.0123456789"), for: "fee")
            try patient.setValue(Self.born, for: "born")
            try patient.setValue(Data(repeating: 7, count: 100_000), for: "photo")
            try patient.setValue(Self.card, for: "card")
            try patient.setValue(URL(string: "https://example.org/?q=1"), for: "page")
            try patient.setValue(Int64.max, for: "number")
            try patient.setValue("078-05-1120", for: "ssn")
            return patient.id
        }
        try store.close()
        let again = try place.open(Self.model())
        try again.read { context in
            let patient = try context.object(id)
            #expect(try patient.value("name", as: String.self) == "Adá 🐈\n“x”")
            #expect(try patient.value("age", as: Int16.self) == .min)
            #expect(try patient.value("isActive", as: Bool.self))
            #expect(try patient.value("height", as: Double.self) == 0.1 + 0.2)
            #expect(try patient.value("fee", as: Decimal.self) == Decimal(string: "-12345678901234567890.0123456789"))
            #expect(try patient.value("born", as: Date.self) == Self.born)
            #expect(try patient.value("photo", as: Data.self) == Data(repeating: 7, count: 100_000))
            #expect(try patient.value("card", as: UUID.self) == Self.card)
            #expect(try patient.value("page", as: URL.self) == URL(string: "https://example.org/?q=1"))
            #expect(try patient.value("number", as: Int64.self) == .max)
            #expect(try patient.value("ssn", as: String.self) == "078-05-1120")
        }
    }

    @Test(arguments: Place.all) func changesAndDeletes(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        let (first, second) = (try add("Ada", to: store), try add("Eve", to: store))
        try store.write { context in
            try context.object(first).setValue("Ida", for: "name")
            try context.delete(context.object(second))
        }
        let names = try store.read { context in
            try context.fetch("Patient").map { try $0.value("name", as: String.self) }
        }
        #expect(names == ["Ida"])
        #expect(try store.read { try $0.objectIfAny(second) == nil })
    }

    @Test(arguments: Place.all) func rollsBackABlockThatThrows(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        #expect(throws: CancellationError.self) {
            try store.write { context in
                try context.insert("Patient").setValue("Ada", for: "name")
                try context.save()
                throw CancellationError()
            }
        }
        #expect(try store.read { try $0.count("Patient") } == 0)
    }

    @Test(arguments: Place.all) func followsRelationshipsAndDeleteRules(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        let (patient, group) = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            for _ in 0..<3 { try patient.add(context.insert("Visit"), to: "visits") }
            let group = try context.insert("Group")
            try patient.setObjects([group], for: "groups")
            return (patient.id, group.id)
        }
        try store.read { context in
            let (patient, group) = (try context.object(patient), try context.object(group))
            #expect(try patient.objects("visits").count == 3)
            #expect(try group.objects("members").map(\.id) == [patient.id])
        }
        try store.write { try $0.delete($0.object(patient)) }
        try store.read { context in
            let group = try context.object(group)
            #expect(try context.count("Visit") == 0)
            #expect(try group.objects("members").isEmpty)
        }
    }

    @Test(arguments: Place.all) func refusesASecondUniqueValue(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        let id = try add("Ada", to: store)
        try store.write { try $0.object(id).setValue(Self.card, for: "card") }
        let error = try #require(throws: StoreError.self) {
            try store.write { context in
                let other = try context.insert("Patient")
                try other.setValue("Eve", for: "name")
                try other.setValue(Self.card, for: "card")
            }
        }
        #expect(error.code == .notUnique)
        #expect(error.entity == "Patient")
        #expect(error.attribute == "card")
        #expect(try store.read { try $0.count("Patient") } == 1)
    }

    @Test(arguments: Place.all) func noticesAConflict(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        let id = try add("Ada", to: store)
        let context = store.makeContext()
        let object = try context.object(id)
        #expect(try object.value("name", as: String.self) == "Ada")
        try store.write { try $0.object(id).setValue("Ida", for: "name") }
        try object.setValue("Eva", for: "name")
        #expect(try #require(throws: StoreError.self) { try context.save() }.code == .conflict)
        try context.refresh(object)
        try object.setValue("Eva", for: "name")
        try context.save()
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Eva")
    }

    @Test(arguments: Place.all) func undoesAChange(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        let id = try add("Ada", to: store)
        let context = store.makeContext()
        let object = try context.object(id)
        try object.setValue("Ida", for: "name")
        try context.undo()
        #expect(try object.value("name", as: String.self) == "Ada")
        try object.setValue("Eva", for: "name")
        let other = try context.insert("Patient")
        try other.setValue("Bea", for: "name")
        try context.save()
        #expect(try store.read { try $0.count("Patient") } == 2)
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Eva")
    }

    @Test(arguments: Place.all) func numbersAreNotUsedAgain(_ kind: Place.Kind) throws {
        let place = try Place(kind)
        let store = try place.open(Self.model())
        let first = try add("Ada", to: store)
        try store.write { try $0.delete($0.object(first)) }
        try store.close()
        let second = try add("Eve", to: place.open(Self.model()))
        #expect(second.number > first.number)
    }

    @Test(.needsPostgres) func aCopyInAFileContinuesTheNumbers() throws {
        let place = try Place(.postgres)
        let store = try place.open(Self.model())
        let (first, last) = (try add("Ada", to: store), try add("Eve", to: store))
        try store.write { try $0.delete($0.object(last)) }
        try store.close()
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let address = try PostgresServer.shared.get().address
        try Store.copy(from: address, schema: place.name, to: url, transformers: place.registry)
        let copy = try Store(at: url, model: Self.model(), transformers: place.registry, options: .mustExist)
        #expect(try copy.read { try $0.object(first).value("name", as: String.self) } == "Ada")
        #expect(try add("Bea", to: copy).number > last.number)
    }

    @Test(arguments: Place.all) func opensWithTheModelInTheStore(_ kind: Place.Kind) throws {
        let place = try Place(kind)
        let id = try add("Ada", to: place.open(Self.model()))
        let store = try place.open(nil, .readOnly)
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Ada")
        #expect(try #require(throws: StoreError.self) { try store.write { _ in } }.code == .readOnly)
    }

    @Test(arguments: Place.all) func fetchesByNumbersAndSorts(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(Self.model())
        for age in [3, nil, 1, 2] as [Int16?] {
            try store.write { context in
                let patient = try context.insert("Patient")
                try patient.setValue("Ada", for: "name")
                try patient.setValue(age, for: "age")
            }
        }
        try store.read { context in
            let sorted = try context.fetch("Patient", sortedBy: [SortKey(name: "age", isDescending: false)])
            #expect(try sorted.map { try $0.value("age", as: Int16?.self) } == [nil, 1, 2, 3])
            #expect(try context.fetch("Patient", limit: 2, offset: 1).count == 2)
            #expect(try context.count("Patient", where: Condition("age == 2")) == 1)
            #expect(try context.count("Patient", where: Condition("age == 70000")) == 0)
            #expect(try context.count("Patient", where: Condition("age == null")) == 1)
            #expect(try context.count("Patient", where: Condition("age > 1")) == 2)
            #expect(try context.count("Patient", where: Condition("not age == 2")) == 3)
        }
    }

    @Test(arguments: Place.all) func awaitsReadsAndWrites(_ kind: Place.Kind) async throws {
        let store = try Place(kind).open(Self.model())
        let id = try await store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        #expect(try await store.read { try $0.object(id).value("name", as: String.self) } == "Ada")
    }

    @Test(.needsPostgres) func aSaveOfManyObjectsTakesFewRoundTrips() throws {
        let place = try Place(.postgres)
        try place.open(Self.model()).close()
        let engine = PostgresEngine(
            try PostgresServer.shared.get().address,
            schema: place.name,
            options: PostgresOptions(),
            lockTimeout: 5
        )
        let store = try Store(
            engine: engine,
            model: Self.model(),
            transformers: place.registry,
            options: .mustExist,
            hooks: [:]
        )
        func roundTrips(_ body: (StoreContext) throws -> Void) throws -> Int {
            let before = engine.roundTrips.load(ordering: .relaxed)
            try store.write(body)
            return engine.roundTrips.load(ordering: .relaxed) - before
        }
        let insertion = { (context: StoreContext) in
            for _ in 0..<1000 { try context.insert("Visit").setValue("new", for: "note") }
        }
        let change = { (context: StoreContext) in
            for visit in try context.fetch("Visit") { try visit.setValue("changed", for: "note") }
        }
        // The first use of each statement asks the server for its types.
        _ = try roundTrips(insertion)
        _ = try roundTrips(change)
        // One to begin, 16 for numbers, one for the rows, and one for the commit.
        #expect(try roundTrips(insertion) <= 40)
        #expect(try roundTrips(change) <= 4)
        #expect(try store.read { try $0.count("Visit") } == 2000)
    }

    // MARK: - Several programs

    @Test(.needsPostgres) func writersOnTwoMachinesLoseNoChange() async throws {
        let place = try Place(.postgres)
        let stores = [try place.open(Self.model()), try place.open(Self.model())]
        let id = try add("Ada", to: stores[0])
        try await stores[0].write { try $0.object(id).setValue(Int64(0), for: "number") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        try await stores[index % 2]
                            .write { context in
                                let patient = try context.object(id)
                                try patient.setValue(patient.value("number", as: Int64.self) + 1, for: "number")
                                try context.insert("Group").setValue("g", for: "name")
                            }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[1].read { try $0.object(id).value("number", as: Int64.self) } == 80)
        let numbers = try await stores[0].read { try $0.ids("Group").map(\.number) }
        #expect(Set(numbers).count == 80)
    }

    @Test(.needsPostgres, .timeLimit(.minutes(1))) func observersHearOfCommitsOfOthers() async throws {
        let place = try Place(.postgres)
        let (store, other) = (try place.open(Self.model()), try place.open(Self.model()))
        var changes = try store.changes().makeAsyncIterator()
        try add("Ada", to: other)
        #expect(await changes.next() != nil)
    }

    @Test(.needsPostgres, .timeLimit(.minutes(1)), arguments: ["deletion", "pair"])
    func observersHearOfChangesWithoutAnswers(_ change: String) async throws {
        let place = try Place(.postgres)
        let store = try place.open(ClinicStore.model())
        let other = try place.open(ClinicStore.model())
        let (patient, group) = try await other.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return (patient.id, try context.insert("Group").id)
        }
        var changes = try store.changes().makeAsyncIterator()
        let context = other.makeContext()
        if change == "deletion" {
            try context.delete(context.object(group))
        } else {
            try context.object(patient).add(context.object(group), to: "groups")
        }
        try context.save()
        #expect(await changes.next() != nil)
    }

    /// The first observer still waits for the connection that listens when the second one starts.
    @Test(.needsPostgres, .timeLimit(.minutes(1)))
    func aSecondObserverMissesNothingWhileTheFirstStarts() async throws {
        // It accepts connections, and says nothing.
        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port = try MutatingProxy.listen(silent)
        let place = try EngineStore()
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        options.notificationAddress = try PostgresAddress("postgres:host=127.0.0.1 port=\(port) dbname=postgres")
        let store = try place.open(options: options)
        Thread.detachNewThread { _ = try? store.changes() }
        var connection = pollfd(fd: silent, events: Int16(POLLIN), revents: 0)
        #expect(poll(&connection, 1, 30_000) == 1)
        var changes = try store.changes().makeAsyncIterator()
        try await place.open().write { _ = try $0.insert("Item") }
        close(silent)
        #expect(try #require(await changes.next()).isIncomplete)
    }

    @Test(.needsPostgres) func locksOfAStatementLastUntilTheEndOfTheTransaction() throws {
        let store = try EngineStore().open()
        let locks = """
            SELECT count(*) AS "n" FROM "pg_locks"
            WHERE "locktype" = 'advisory' AND "objid" = 7 AND "pid" = pg_backend_pid()
            """
        try store.write { context in
            _ = try context.rows("SELECT pg_advisory_xact_lock(7)::text")
            #expect(try context.rows(locks).first?.value("n", as: Int.self) == 1)
            try context.insert("Tag").setValue("a", for: "label")
        }
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    @Test(.needsPostgres) func aBlockWritesAfterAStatementWhoseRestHasFailed() throws {
        struct Stop: Error {}
        let store = try EngineStore().open()
        try store.write { context in
            #expect(throws: Stop.self) {
                let sql = "SELECT 1 / (5000 - \"s\") AS \"n\" FROM generate_series(1, 5000) AS \"s\""
                try context.forEachRow(sql) { _ in throw Stop() }
            }
            try context.insert("Tag").setValue("a", for: "label")
        }
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    @Test(.needsPostgres) func aFullCacheOfStatementsDoesNotKeepASavepoint() throws {
        var options = PostgresOptions()
        options.maximumConnections = 1
        let store = try EngineStore().open(options: options)
        try store.write { context in
            for label in ["a", "b"] { try context.insert("Tag").setValue(label, for: "label") }
        }
        try store.read { context in
            for number in 0..<300 { _ = try context.rows("SELECT \(number) AS \"n\"") }
        }
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Tag").setValue("a", for: "label") }
        }
        #expect(error?.code == .notUnique)
        try store.read { context in
            for number in 300..<600 { _ = try context.rows("SELECT \(number) AS \"n\"") }
        }
        try store.write { context in
            let tags = try context.fetch("Tag")
            for (tag, label) in zip(tags, ["b", "a"]) { try tag.setValue(label, for: "label") }
        }
        let labels = try store.read { context in
            try context.fetch("Tag").map { try $0.value("label", as: String.self) }
        }
        #expect(labels == ["b", "a"])
    }

    /// Without prepared statements, the server does not notice that a statement's columns have changed.
    @Test(.needsPostgres) func columnsThatAnotherProgramDropsAreNoticed() throws {
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        let place = try EngineStore()
        let store = try place.open(options: options)
        let connection = try PostgresServer.connect()
        let table = "\"\(place.schema)\".\"extra\""
        try connection.run(script: "CREATE TABLE \(table) AS SELECT 1::bigint AS a, 'x'::text AS b, 2::bigint AS c")
        let columns = { try store.read { try $0.rows("SELECT * FROM \"extra\"").map(\.columns) } }
        #expect(try columns() == [["a", "b", "c"]])
        try connection.run(script: "ALTER TABLE \(table) DROP COLUMN c")
        let error = #expect(throws: StoreError.self) { try columns() }
        #expect(error?.code == .transactionConflict)
        #expect(try columns() == [["a", "b"]])
    }

    @Test(.needsPostgres) func awaitedReadEndsWithItsTask() async throws {
        let store = try Place(.postgres).open(Self.model())
        let task = Task {
            try await store.read { context in
                while true { _ = try context.count("Patient") }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The hook's statement waits for a lock until the task has been canceled.
    @Test(.needsPostgres, arguments: [false, true])
    func aCommittedWriteIsNotCanceled(readsOtherStore: Bool) async throws {
        let (place, other) = try (EngineStore(), EngineStore().open())
        let key = Int32.random(in: 1 ... .max)
        let sql = "SELECT pg_advisory_xact_lock(\(key))::text AS \"lock\""
        var hooks = EntityHooks()
        hooks.didSave = { item in
            _ = try readsOtherStore ? other.read { try $0.rows(sql) } : item.context.rows(sql)
        }
        let store = try Store(
            engine: place.engine(),
            model: EngineStore.model(),
            transformers: place.registry,
            options: .mustExist,
            hooks: ["Item": hooks]
        )
        let holder = try PostgresServer.connect()
        try holder.execute(PostgresStatement("SELECT pg_advisory_lock(\(key))"))
        let write = Task { try await store.write { _ = try $0.insert("Item") } }
        let waiting = PostgresStatement("SELECT FROM pg_locks WHERE NOT granted AND objid = \(key)")
        while try holder.execute(waiting) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        write.cancel()
        try holder.execute(PostgresStatement("SELECT pg_advisory_unlock(\(key))"))
        try await write.value
        #expect(try await store.read { try $0.count("Item") } == 1)
    }
}
