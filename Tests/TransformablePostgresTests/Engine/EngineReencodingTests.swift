import Testing
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
        #expect(throws: StoreError(code: .storeChanged)) { try other.read { try $0.count("Item") } }
        let values = try storedValues()
        #expect(values.count == 1000)
        #expect(values.filter { $0 == "changed" }.count == 2)
        #expect(values.contains("added") && !values.contains("secret 7"))
    }
}
