import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct SQLRowTests {
    private func store(in folder: Folder? = nil) throws -> Store {
        let attributes: [AttributeDescription] = [
            .string("name"), .integer("age", .optional), .date("born", .optional),
            .transformed("secret", "text | bound", as: String.self, .optional),
        ]
        let model = try Model(entities: [EntityDescription("Person", attributes: attributes)])
        let registry = try Transformers().registry()
        let store = try Store.trial(at: folder?.file(), model: model, transformers: registry)
        try store.write { context in
            for (name, age) in [("Ada", 36), ("Bea", 20), ("Cid", 20), ("Dee", nil)] {
                let person = try context.insert("Person")
                try person.setValue(name, for: "name")
                try person.setValue(age, for: "age")
                try person.setValue(Date(timeIntervalSinceReferenceDate: 0.1), for: "born")
                try person.setValue(name.lowercased(), for: "secret")
            }
        }
        return store
    }

    @Test func readsPlainValues() throws {
        let rows = try store()
            .read { context in
                try context.rows(
                    "SELECT age, count(*) AS n, max(born) AS born FROM Person WHERE name > ? GROUP BY age ORDER BY age",
                    arguments: ["Ada"]
                )
            }
        #expect(rows.map(\.columns) == [["age", "n", "born"], ["age", "n", "born"]])
        #expect(try rows.map { try $0.value("age", as: Int?.self) } == [nil, 20])
        #expect(try rows.map { try $0.value("n", as: Int.self) } == [1, 2])
        #expect(try rows[0].value("born", as: Date.self) == Date(timeIntervalSinceReferenceDate: 0.1))
        #expect(try rows[1].column("age") == .integer(20))
        #expect(throws: StoreError(code: .missingValue)) { try rows[0].value("age", as: Int.self) }
        #expect(throws: StoreError(code: .wrongType)) { try rows[0].value("n", as: UUID.self) }
        #expect(throws: StoreError(code: .unknownAttribute)) { try rows[0].value("x", as: Int.self) }
    }

    @Test func decodesWithTheTransformerOfAnAttribute() throws {
        let rows = try store()
            .read { try $0.rows("SELECT _id, _id AS no, secret, secret AS s FROM Person ORDER BY _id DESC") }
        #expect(
            try rows.map { try $0.decoded("secret", as: String.self, of: "Person") } == ["dee", "cid", "bea", "ada"]
        )
        let other = try rows[0].decoded("s", as: String.self, attribute: "secret", of: "Person", number: "no")
        #expect(other == "dee")
        // It is bound to its row.
        #expect(throws: StoreError(code: .undecodable)) {
            try rows[0].decoded("secret", as: String.self, of: "Person", number: "none")
        }
    }

    @Test(.eachEngine) func seesPendingChanges() throws {
        let store = try store()
        let count = { (context: StoreContext) in
            try context.rows("SELECT count(*) AS n FROM \"Person\" WHERE \"age\" = 99")[0].value("n", as: Int.self)
        }
        try store.write { context in
            try context.first("Person")?.setValue(99, for: "age")
            #expect(try count(context) == 1)
        }
        let editor = store.makeContext()
        let person = try editor.first("Person", where: Field("name") == "Bea")
        try person?.setValue(99, for: "age")
        #expect(try count(editor) == 2)
        #expect(try store.read { try count($0) } == 1)
    }

    @Test(
        .eachEngine,
        .alsoWithTenants,
        arguments: [
            "SELECT count(*) FROM \"bed\" WHERE \"size\" > ?", "select count(*) from bed where size > ?",
            "SELECT\ncount(*) FROM bed WHERE size > ?",
            "  -- beds\n\t/* all */ SELECT count(*) FROM bed WHERE size > ?",
            "VALUES ((SELECT count(*) FROM bed WHERE size > ?))",
            "WITH large AS (SELECT * FROM bed WHERE size > ?) SELECT count(*) FROM large",
            "/* beds */ with\nlarge as (select * from bed where size > ?) select count(*) from large",
            "WITH recursive_ AS (SELECT * FROM bed WHERE size > ?) SELECT count(*) FROM recursive_",
            """
            WITH /* 1, 2 */ RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2)
            SELECT count(*) / 2 FROM bed, n WHERE size > ?
            """,
        ]
    )
    func seesPendingChangesHoweverItIsWritten(sql: String) throws {
        let model = try Model(entities: [EntityDescription("bed", attributes: [.integer("size")])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { context in
            for size in [1, 2, 7, 8] { try context.insert("bed").setValue(size, for: "size") }
        }
        let context = store.makeContext()
        let beds = try context.fetch("bed")
        try beds[0].setValue(9, for: "size")
        try context.delete(beds[3])
        for size in [5, 6] { try context.insert("bed").setValue(size, for: "size") }
        // Now the sizes are 9, 2, 7, 5, and 6.
        let row = try context.rows(sql, arguments: [4])[0]
        #expect(try row.column(row.columns[0]) == .integer(4))
    }

    @Test(arguments: [
        "DELETE FROM Person", "  -- SELECT\n UPDATE Person SET age = 1",
        "/* SELECT */ INSERT INTO Person (name) VALUES ('x')",
        "WITH x AS (SELECT 1) DELETE FROM Person", "ATTACH '/tmp/other.sqlite' AS other", "PRAGMA user_version = 7",
        "PRAGMA query_only = 0", "PRAGMA table_info(Person)", "BEGIN", "COMMIT", "VACUUM", "DROP TABLE Person", "",
        "/* SELECT", "CREATE TEMP TABLE t (a)",
    ])
    func rejectsStatementsThatWrite(sql: String) throws {
        let folder = try Folder()
        let store = try store(in: folder)
        for isWrite in [false, true] {
            let body = { (context: StoreContext) in try context.rows(sql).count }
            let error = #expect(throws: StoreError.self) {
                isWrite ? try store.write { try body($0) } : try store.read { try body($0) }
            }
            #expect(error?.code == .readOnly, "\(String(describing: error))")
        }
        #expect(try store.read { try $0.count("Person", where: Field("age") != 1) } == 4)
        // The connection writes again afterward.
        try store.write { try $0.first("Person")?.setValue(1, for: "age") }
    }

    @Test(arguments: [
        ("SELECT nothing FROM Person", 0), ("SELEC", 0), ("SELECT 1; SELECT 2", 0), ("SELECT ?", 0), ("SELECT 1", 1),
        ("SELECT json('{')", 0), ("SELECT _transformable_call(1)", 0),
    ])
    func reportsInvalidStatements(sql: String, arguments: Int) throws {
        let values = Array(repeating: 1, count: arguments)
        let error = #expect(throws: StoreError.self) {
            try store().read { try $0.rows(sql, arguments: values).count }
        }
        #expect(error?.code == (sql == "SELEC" ? .readOnly : .invalidStatement), "\(String(describing: error))")
    }

    @Test func bindsEveryKindOfValue() throws {
        let values: [(any PlainValue)?] = [1, 2.5, "a\0b", Data([1, 0]), nil, true]
        let row = try store()
            .read { try $0.rows("SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f", arguments: values)[0] }
        let cells = try row.columns.map { try row.column($0) }
        #expect(cells == [.integer(1), .real(2.5), .text("a\0b"), .blob(Data([1, 0])), .null, .integer(1)])
    }
}
