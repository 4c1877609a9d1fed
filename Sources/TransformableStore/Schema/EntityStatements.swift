/// The statements that read and write the rows of an entity.
///
/// They are composed once, when a store is opened.
struct EntityStatements: Sendable {
    /// The columns of a query that returns the lengths of large cells instead of their content, and checks the tags of
    /// rows.
    let readList: (text: String, count: Int)
    /// The same from a view of pending changes, which checks the tags of stored rows.
    let overlaidList: (text: String, count: Int)
    /// The columns of a query that does not check tags.
    let uncheckedList: String
    /// A query that includes large cells, followed by the tenant if objects belong to tenants.
    let selectWhole: String
    /// The statement that reads the row of an object.
    let selectOne: String
    let insert: String
    let delete: String
    private let selectMain: String
    private let rowSeal: RowSeal?
    private let written: String
    /// The condition for a row that is still the one that was read, whose parameters are the number and version.
    private let isUnchanged: String

    /// Composes the statements.
    ///
    /// - Parameters:
    ///   - table: The entity's table.
    ///   - columns: The attributes that have a column.
    ///   - inserted: The columns of a new row after its number and version.
    ///   - readsLengths: Whether the lengths of large cells are read instead of their content.
    ///   - rowSeal: The tags of the rows, or `nil` if there are none.
    ///   - belongsToTenant: Whether each row belongs to a tenant.
    init(
        _ table: TableName,
        _ columns: [StoredAttribute],
        inserted: [String],
        readsLengths: Bool,
        rowSeal: RowSeal?,
        belongsToTenant: Bool
    ) {
        self.rowSeal = rowSeal
        let key = ["_id", "_version"]
        let names = key + columns.map(\.name)
        let read = key.map(SQL.quoted) + columns.map { readsLengths ? $0.readExpression : SQL.quoted($0.name) }
        uncheckedList = read.joined(separator: ", ")
        let overlaid = read + (rowSeal == nil ? [] : [RowSeal.column.description])
        overlaidList = (overlaid.joined(separator: ", "), overlaid.count)
        let checked = read + [rowSeal?.check(besides: names)].compactMap(\.self)
        readList = (checked.joined(separator: ", "), checked.count)
        let whole = names.map(SQL.quoted) + (belongsToTenant ? [TenantColumn.name.description] : [])
        selectWhole = "SELECT \(whole.joined(separator: ", ")) FROM \(table)"
        // Never includes a context's pending changes, because it names the file's own table or a view of it.
        selectMain = "SELECT \(readList.text) FROM \(TenantColumn.visible(table, belongsToTenant))"
        selectOne = "\(selectMain) WHERE \"_id\" = ?"
        written = TenantColumn.written(table, belongsToTenant)
        isUnchanged = "\"_id\" = ? AND \"_version\" = ?\(TenantColumn.isCurrent(belongsToTenant))"
        insert = Self.insertion(into: written, key + inserted, rowSeal, belongsToTenant)
        delete = "DELETE FROM \(written) WHERE \(isUnchanged)"
    }

    /// Returns the statement that inserts a row, whose parameters are the cells of the given columns.
    private static func insertion(
        into table: String,
        _ names: [String],
        _ seal: RowSeal?,
        _ belongsToTenant: Bool
    ) -> String {
        let marks = names.indices.map { "?\($0 + 1)" }
        let parameters = Dictionary(zip(names, marks)) { first, _ in first }
        let columns =
            names.map(ColumnName.init) + (seal == nil ? [] : [RowSeal.column])
            + (belongsToTenant ? [TenantColumn.name] : [])
        let values =
            marks + [seal?.tag(of: parameters)].compactMap(\.self) + (belongsToTenant ? [TenantColumn.current] : [])
        let list = columns.map(\.description).joined(separator: ", ")
        return "INSERT INTO \(table) (\(list)) VALUES (\(values.joined(separator: ", ")))"
    }

    /// Returns the statement that reads the rows of several objects.
    func selectMany(_ count: Int) -> String {
        "\(selectMain) WHERE \"_id\" IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))"
    }

    /// Returns the statement that writes some columns of a row and increments its version.
    ///
    /// If the store computes the tags of rows itself, the tag follows the columns.
    func update(_ columns: [String]) -> String {
        let version = "\"_version\" + 1"
        let parameters = columns.indices.map { "?\($0 + 1)" }
        let tag = rowSeal?.assignment(after: zip(columns, parameters) + [("_version", version)])
        let list = columns.map { "\(SQL.quoted($0)) = ?" } + [tag, "\"_version\" = \(version)"].compactMap(\.self)
        return "UPDATE \(written) SET \(list.joined(separator: ", ")) WHERE \(isUnchanged)"
    }
}
