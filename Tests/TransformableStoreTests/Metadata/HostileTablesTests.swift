import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Files whose columns hold what nobody expects there.
@Suite struct HostileTablesTests {
    /// Each table that a store has at least, and SQLite's own one of the highest row numbers.
    static let tables = [
        "_transformable_store", "_transformable_model", "_transformable_entity", "_transformable_attribute",
        "_transformable_projection", "_transformable_job", "sqlite_sequence", "Note",
    ]

    /// Values of each of SQLite's types, numbers beyond any place in a row among them.
    private static let values: [DatabaseValue] = [
        .null, (-5).databaseValue, Int64.min.databaseValue, Int64.max.databaseValue, 7.databaseValue,
        2.5.databaseValue, "".databaseValue, "odd".databaseValue, Data().databaseValue,
        Data([0xFF, 0, 0xFE]).databaseValue,
    ]

    private static func makeStore() throws -> ReencodingFixture {
        let fixture = try ReencodingFixture()
        let store = try fixture.open(ReencodingFixture.text("text | bound"))
        try store.addNotes(["a note", "another note"])
        try store.close()
        // A number that, taken for a place in a row, is beyond it, for whichever table changes places with this one.
        try shell(fixture.folder.file()) { try $0.execute(sql: "UPDATE sqlite_sequence SET seq = 1000000000") }
        return fixture
    }

    @Test(arguments: tables)
    func readsOrRejectsSwappedTables(first: String) async throws {
        let fixture = try Self.makeStore()
        let path = fixture.folder.file().path
        await #expect(processExitsWith: .success) { [first = first as String, path = path as String] in
            let whole = try Data(contentsOf: URL(filePath: path))
            for second in Self.tables where second != first {
                try Self.swap(first, second, of: whole).write(to: URL(filePath: path))
                Self.use(path)
            }
        }
    }

    @Test(arguments: tables)
    func readsOrRejectsUnusualCells(table: String) async throws {
        let fixture = try Self.makeStore()
        let path = fixture.folder.file().path
        await #expect(processExitsWith: .success) { [table = table as String, path = path as String] in
            let whole = try Data(contentsOf: URL(filePath: path))
            let columns = try DatabaseQueue(path: path).read { try $0.columns(in: table).map(\.name) }
            for (column, value) in columns.flatMap({ column in Self.values.map { (column, $0) } }) {
                try whole.write(to: URL(filePath: path))
                guard try Self.plant(value, in: column, of: table, path) else { continue }
                Self.use(path)
            }
        }
    }

    // SQLite computes such a table when it is read, with any amount of time and memory.
    private static let computedTables = [
        "DROP TABLE _transformable_job; CREATE VIEW _transformable_job AS SELECT 1 AS id, '' AS kind",
        "DROP TABLE _transformable_job; CREATE VIEW _Transformable_JOB AS SELECT 1 AS id, '' AS kind",
        "DROP TABLE _transformable_model; CREATE VIEW _transformable_model AS SELECT 1 AS version, '' AS json",
        "CREATE VIEW _transformable_seal AS SELECT 1 AS id",
        "ALTER TABLE _transformable_job ADD COLUMN more AS (zeroblob(1000000))",
        "DROP TABLE Note; CREATE VIEW NOTE AS SELECT 1 AS _id, 1 AS _version, 'x' AS title, x'00' AS text",
        """
        DROP TABLE Note; CREATE TABLE Note (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL DEFAULT 1,
        title TEXT NOT NULL, text AS (zeroblob(1000000)))
        """,
        "DROP TABLE _transformable_job; CREATE VIEW\"_transformable_job\"aS/**/VALUES(1, '')",
        """
        DROP TABLE Note; CREATE TABLE Note (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL DEFAULT 1,
        title TEXT NOT NULL,"text"As/* a comment */(zeroblob(1000000)))
        """,
        "DROP TABLE Note; CREATE VIRTUAL TABLE Note USING fts4(title, text)",
    ]

    @Test(
        arguments: computedTables,
        [Store.Options.readOnly, .mustExist, Store.Options(acceptsUnauthenticatedModel: true)]
    )
    func rejectsComputedTables(sql: String, options: Store.Options) throws {
        let fixture = try Self.makeStore()
        try shell(fixture.folder.file()) { try $0.execute(sql: sql) }
        #expect(throws: StoreError(code: .corruptFile)) {
            try fixture.open(ReencodingFixture.text("text | bound"), options)
        }
    }

    @Test(arguments: [
        "CREATE VIEW Texts AS SELECT text FROM Note", "ALTER TABLE Note ADD COLUMN size AS (length(text))",
    ])
    func allowsColumnsAndViewsOfOthers(sql: String) throws {
        let fixture = try Self.makeStore()
        try shell(fixture.folder.file()) { try $0.execute(sql: sql) }
        #expect(try fixture.open(ReencodingFixture.text("text | bound")).texts.count == 2)
    }

    /// Writes a value to a column of every row, unless SQLite does not let it.
    private static func plant(_ value: DatabaseValue, in column: String, of table: String, _ path: String) throws
        -> Bool
    {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        do {
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
                let sql = "UPDATE OR REPLACE \"\(table)\" SET \"\(column)\" = ?"
                try database.execute(sql: sql, arguments: [value])
            }
            return true
        } catch is DatabaseError {
            return false
        }
    }

    /// The file with the root pages of two tables in each other's place.
    private static func swap(_ first: String, _ second: String, of file: Data) throws -> Data {
        let roots = try roots(of: file)
        var bytes = file
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        let pages = try [first, second]
            .map { name in
                let start = try (#require(roots[name]) - 1) * size
                return start..<start + size
            }
        bytes.replaceSubrange(pages[0], with: file[pages[1]])
        bytes.replaceSubrange(pages[1], with: file[pages[0]])
        return bytes
    }

    private static func roots(of file: Data) throws -> [String: Int] {
        let folder = try Folder()
        try file.write(to: folder.file())
        return try DatabaseQueue(path: folder.file().path)
            .read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'"
                )
                return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["rootpage"]) })
            }
    }

    /// Opens the file, reads it, and checks it; a fault is an error of ours, and never the end of the process.
    private static func use(_ path: String) {
        do {
            let fixture = try ReencodingFixture()
            let store = try Store(at: URL(filePath: path), transformers: fixture.registry)
            _ = try store.verify()
            _ = try store.texts
        } catch {
            precondition(error is StoreError, "\(error)")
        }
    }
}
