import EncryptionPlugin
import Testing
import Transformable
import TransformableModel
import TransformableStore

@testable import TransformablePostgres  // What a statement's text says is internal.

/// What the text of a statement says about the rows whose tags are checked, whatever the server says.
@Suite struct RowTextTests {
    private static let row = "\(RowSeal.rowStart)5, \"_mac\", \"a\"))]"
    private static let pending = """
        WITH "T" ("_id", "_mac") AS (SELECT "_id", \(row) AS "_mac" FROM "t" \
        UNION ALL SELECT 7, \(RowSeal.rowStart)-5, "_mac"))] FROM "t")
        """

    @Test(
        arguments: [
            ("SELECT \"_id\", \"a, b\", \(row) FROM \"T\"", [2], [5]),
            ("SELECT \(row) AS \"from\", 'FROM', \(row), \"_mac\" FROM \"T\"", [0, 2, 3], [5]),
            ("\(pending) SELECT count(*) FROM \"T\"", [], [5, -5]),
            ("\(pending) SELECT 0 AS \"place\", \"_id\", \"T\".\"_mac\" FROM \"T\" ORDER BY 1, 2", [2], [5, -5]),
            ("SELECT 1, \(RowSeal.exemption) FROM \"U\" UNION ALL SELECT 2, \(row) FROM \"T\"", [1], [5]),
            ("SELECT \"_mac\" FROM \"T\"", [], []),
            ("SELECT \"a\" FROM \"T\" WHERE \"a\" = $1", [], []),
            ("DELETE FROM \"T\"", [], []), ("", [], []), ("SELECT '", [], []),
        ] as [(String, [Int], Set<Int64>)]
    )
    func namesRows(_ sql: String, _ rows: [Int], _ entities: Set<Int64>) {
        let text = RowText(sql)
        #expect(text.rows == rows)
        #expect(text.entities == entities)
    }

    @Test func namesRowsOfRelatedObjects() {
        let text = RowText("SELECT \"_id\", \(Self.row), (SELECT \(Self.row) FROM \"U\") AS \"_related0\" FROM \"T\"")
        #expect(text.rows == [1])
        #expect(text.related == [2])
        #expect(text.entities == [5])
    }

    @Test func namesColumns() {
        let text = RowText("SELECT 5 AS \"b\", \"T\".\"a\", lower(x), \"b\", \(Self.row), \"c\" FROM \"T\"")
        #expect(text.columns(before: 4, ["c", "c", "d", "e", "f", "g"]) == ["a": 1, "b": 3, "c": 0, "d": 2, "e": 3])
    }

    /// The columns that a star stands for depend on the table.
    @Test(arguments: ["*", "\"T\".*"]) func namesOnlyColumnsBeforeAStar(star: String) {
        let text = RowText("SELECT \"a\", \(star), \"b\", \(Self.row) FROM \"T\"")
        #expect(text.rows == [])
        #expect(text.columns(before: 3, ["x", "b", "c"]) == ["a": 0, "x": 0, "b": 1, "c": 2])
    }

    @Test(arguments: [[], [25], [25, 25], [1001, 25]] as [[UInt32]])
    func aServerThatSendsNoRowIsNotBelieved(_ types: [UInt32]) throws {
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let authenticator = try #require(RowAuthenticator(registry))
        let text = RowText("SELECT \"a\", \(Self.row) FROM \"T\"")
        let columns = types.map { PostgresDescription.Column(name: "a", type: $0) }
        let error = #expect(throws: StoreError.self) { try RowChecker(text, columns, authenticator) }
        #expect(error?.code == .unauthenticatedRow)
        let right = ["a", "b"].map { PostgresDescription.Column(name: $0, type: $0 == "a" ? 25 : 1001) }
        #expect(try RowChecker(text, right, authenticator) != nil)
    }
}
