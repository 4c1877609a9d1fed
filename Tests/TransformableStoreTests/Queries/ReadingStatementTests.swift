import Foundation
import Testing
import Transformable
import TransformableStore

/// The program's own statements do not change anything, not even in a block that writes.
@Suite(.eachEngine) struct ReadingStatementTests {
    private func store() throws -> Store {
        let model = try Model(entities: [EntityDescription("Part", attributes: [.integer("number")])])
        let store = try Store.trial(model: model, transformers: TransformerRegistry {})
        try store.write { context in
            for number in 1...3 { try context.insert("Part").setValue(number, for: "number") }
        }
        return store
    }

    private func numbers(_ context: StoreContext) throws -> [Int] {
        try context.fetch("Part").map { try $0.value("number", as: Int.self) }
    }

    /// SQLite does not know these forms, and says so.
    @Test(arguments: [
        "WITH d AS (DELETE FROM \"Part\" RETURNING \"_id\") SELECT * FROM d",
        "EXPLAIN ANALYZE UPDATE \"Part\" SET \"number\" = 0",
        "WITH d AS (INSERT INTO \"Part\" (\"number\") VALUES (9) RETURNING \"_id\") SELECT * FROM d",
    ])
    func changesAreRefused(_ sql: String) throws {
        let store = try store()
        try store.write { context in
            try context.first("Part")?.setValue(10, for: "number")
            let error = #expect(throws: StoreError.self) { try context.rows(sql).count }
            let code = EachEngine.current == .postgres ? StoreError.Code.readOnly : .invalidStatement
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(try numbers(context) == [10, 2, 3])
            #expect(try context.rows("SELECT sum(\"number\") AS \"n\" FROM \"Part\"").count == 1)
            try context.insert("Part").setValue(4, for: "number")
        }
        #expect(try store.read(numbers) == [10, 2, 3, 4])
    }
}
