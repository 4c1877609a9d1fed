internal import Foundation

/// Searches the cells of every table for canaries, both in their own form and as text in another form.
///
/// A search of the files misses values that a projection such as `lowercase` has changed, and values that extend over
/// two pages. This search finds both, including in columns that no model contains.
struct ColumnSearch {
    /// Larger cells are searched only in their own form.
    private static let largestFolded = 1 << 20

    private let exact: CanarySearch
    private let folded: CanarySearch
    /// The canary that each folded canary was made from.
    private let origins: [Int]
    /// The canaries that were found elsewhere and do not count.
    private let known: Set<Int>

    init(_ canaries: Canaries, apartFrom known: Set<Int>) {
        exact = CanarySearch(canaries)
        let forms = canaries.folded
        folded = CanarySearch(forms.canaries)
        origins = forms.origins
        self.known = known
    }

    /// Returns the number of canaries found, by table and column.
    func counts(on connection: any EngineConnection) throws -> [String: Int] {
        let tables = """
            SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "name" NOT GLOB 'sqlite_*' \
            AND "sql" NOT LIKE 'CREATE VIRTUAL%'
            """
        var counts: [String: Int] = [:]
        for table in try connection.rows(tables, count: 1).compactMap({ $0.text(0) }) {
            let columns = "SELECT \"name\" FROM pragma_table_info(?)"
            let names = try connection.rows(columns, [.text(table)], count: 1)
                .compactMap { $0.text(0) }
            for column in names {
                let count = try count(in: column, of: table, on: connection)
                if count > 0 { counts["\(table).\(column)"] = count }
            }
        }
        return counts
    }

    private func count(in column: String, of table: String, on connection: any EngineConnection) throws -> Int {
        let (name, source) = (SQL.quoted(column), SQL.quoted(table))
        let sql = "SELECT \(name) FROM \(source) WHERE typeof(\(name)) IN ('text', 'blob')"
        let statement = try connection.statement(sql, cached: false)
        defer { statement.reset() }
        var found: Set<Int> = []
        while try statement.step() {
            let cell = statement.packedRow(from: 0, count: 1).value(0)
            guard let bytes = cell.bytes else { continue }
            found.formUnion(exact.places(in: bytes))
            guard bytes.count <= Self.largestFolded, let text = Canaries.folded(bytes) else { continue }
            found.formUnion(folded.places(in: text).map { origins[$0] })
        }
        return found.subtracting(known).count
    }
}

extension ColumnValue {
    /// The bytes of text or a blob.
    fileprivate var bytes: Data? {
        switch self {
        case .blob(let bytes), .brokenText(let bytes): bytes
        case .text(let text): Data(text.utf8)
        case .null, .integer, .real: nil
        }
    }
}
