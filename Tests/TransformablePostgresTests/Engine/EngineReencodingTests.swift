import Foundation
import Testing
import Transformable
import TransformableModel
import TransformableStore

@testable import TransformablePostgres  // The engine is internal.

/// What re-encoding costs on a server.
@Suite(.needsPostgres) struct EngineReencodingTests {
    private let place: EngineStore
    private let engine: PostgresEngine
    private let store: Store

    init() throws {
        place = try EngineStore()
        engine = place.engine()
        store = try place.open(engine)
        try store.write { context in
            for number in 0..<1000 { try context.insert("Item").setValue("secret \(number)", for: "secret") }
        }
    }

    /// The values as a program reads them that takes the model from the database.
    private func storedValues() throws -> [String] {
        let changed = try Store(
            postgres: place.address.description,
            schema: place.schema,
            transformers: place.registry,
            options: Store.Options(opening: .readOnly, unresolved: .keepBytes)
        )
        return try changed.read { context in
            try context.fetch("Item").map { try $0.value("secret", as: String.self) }
        }
    }

    @Test(arguments: [Reencoding.Target.same, .transformer("text | zlib | sealed")])
    func cellsAreWrittenInBatches(_ target: Reencoding.Target) throws {
        var cells = 0
        let count = try EngineStore.roundTrips(engine) {
            cells = try store.reencode(Reencoding("secret", of: "Item", to: target)).cells
        }
        #expect(cells == 1000)
        // The cells are written in batches. Waiting for each of them would take more than 1,000 round trips.
        #expect(count < 300)
        let values = try storedValues()
        #expect(Set(values) == Set((0..<1000).map { "secret \($0)" }))
    }

    @Test(arguments: ["sealed", "zlib | sealed"])
    func externalValuesAreReadAndWrittenInBatches(_ expression: String) throws {
        let place = try EngineStore(at: place.address, schema: "scans-\(UUID().uuidString)")
        let engine = place.engine()
        let attribute = AttributeDescription.transformed("bytes", "sealed", as: Data.self, .externalStorage(over: 1000))
        let model = try Model(entities: [EntityDescription("Scan", attributes: [attribute])])
        let address = place.address.description
        try Store(postgres: address, schema: place.schema, model: model, transformers: place.registry).close()
        let scans = try Store(
            engine: engine,
            model: model,
            transformers: place.registry,
            options: .mustExist,
            hooks: [:]
        )
        defer { try? scans.close() }
        try scans.write { context in
            for _ in 0..<400 { try context.insert("Scan").setValue(Data(repeating: 7, count: 3000), for: "bytes") }
        }
        let count = try EngineStore.roundTrips(engine) {
            let report = try scans.reencode(Reencoding("bytes", of: "Scan", to: .transformer(expression)))
            #expect(report.cells == 400)
        }
        // A batch has few large values, because each is an open file. One at a time, a value would take at least four:
        // to begin, to read its record and its pieces, and to commit.
        #expect(count < 2 * 400)
    }

    @Test func valuesThatOthersChangeMeanwhileAreKept() throws {
        let other = try place.open()
        var isFirst = true
        let report = try store.reencode(Reencoding("secret", of: "Item", to: .transformer("text | zlib | sealed"))) {
            _ in
            guard isFirst else { return }
            isFirst = false
            try other.write { context in
                let item = { (number: Int) in
                    try #require(try context.first("Item", where: Field("secret") == "secret \(number)"))
                }
                for number in [3, 990] { try item(number).setValue("changed", for: "secret") }
                try context.delete(item(7))
                try context.insert("Item").setValue("added", for: "secret")
            }
        }
        #expect(report.failureCount == 0)
        #expect(throws: StoreError(.storeChanged, "")) { try other.read { try $0.count("Item") } }
        let values = try storedValues()
        #expect(values.count == 1000)
        #expect(values.filter { $0 == "changed" }.count == 2)
        #expect(values.contains("added") && !values.contains("secret 7"))
    }

    // MARK: - Another program

    /// Makes each transaction that records a position fail, like one that meets another program each time.
    private func refusePositions() throws {
        let schema = PostgresName.quoted(place.schema)
        let script = """
            CREATE FUNCTION \(schema).refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE 'conflict' USING ERRCODE = '40001'; END $$;
            CREATE TRIGGER "refuse" BEFORE UPDATE ON \(schema)."_transformable_job"
            FOR EACH ROW EXECUTE FUNCTION \(schema).refuse()
            """
        try PostgresConnection(place.address).run(script: script)
    }

    @Test func saysThatAnotherProgramMayBeReencodingTheSameAttribute() throws {
        try refusePositions()
        let error = #expect(throws: StoreError(.transactionConflict, "")) {
            try store.reencode(Reencoding("secret", of: "Item", to: .same))
        }
        #expect(error?.entity == "Item")
        #expect(error?.message.contains("another program may be re-encoding the same attribute") == true)
    }

    @Test func anOpeningThatMeetsAnotherProgramKeepsWhatThatHasReencoded() throws {
        try refusePositions()
        var entities = try EngineStore.model().entities
        let index = try #require(entities[0].attributes.firstIndex { $0.name == "secret" })
        entities[0].attributes[index] = .transformed("secret", "text | zlib | sealed", .optional)
        var options = Store.Options.mustExist
        options.changedTransformers = .reencode
        let (address, model) = (place.address.description, try Model(entities: entities))
        #expect(throws: StoreError(.transactionConflict, "")) {
            try Store(
                postgres: address,
                schema: place.schema,
                model: model,
                transformers: place.registry,
                options: options
            )
        }
        #expect(try store.unfinishedReencodings().map(\.attribute) == ["secret"])
    }
}
