/// What a connection can do in addition if its database is embedded in the program, and not on a server.
///
/// Such a database consists of pages in a file, and usually has a log.
package protocol EmbeddedConnection: EngineConnection {
    // MARK: Traces of deleted content

    /// Overwrites content that is deleted from now on, and keeps temporary content out of files.
    func overwriteDeletedContent() throws

    /// Moves the log's content into the file, and returns `false` if that was prevented by another connection.
    func emptyLog() throws -> Bool

    // MARK: Writing

    /// Records what tells a store from the database of another program.
    ///
    /// - Parameters:
    ///   - application: The program that the database belongs to.
    ///   - format: The version of the tables of metadata.
    /// - Throws: `StoreError` if the file cannot be written.
    func writeHeader(application: Int64, format: Int64) throws

    /// Runs a closure in whose transactions many rows are inserted, without checking their references.
    func loading<Result>(_ body: () throws -> Result) throws -> Result

    /// Runs a closure whose commits survive a power failure, together with all earlier ones.
    func durably(_ body: () throws -> Void) throws

    // MARK: Checks

    /// Returns the references to rows that do not exist.
    func danglingReferences() throws -> [DanglingReference]

    /// Returns descriptions of the damage to the file's pages.
    ///
    /// - Parameter table: The only table to check, or `nil` for the whole file.
    /// - Returns: At most 100 descriptions.
    /// - Throws: `StoreError` with the code `corrupt-file` if a page prevents the check from being finished.
    func damage(of table: TableName?) throws -> [String]

    /// Returns a number that changes whenever another connection commits.
    func dataVersion() throws -> Int64

    /// Returns whether a table other than those of metadata has or has had rows.
    func hasHadRows() throws -> Bool

    // MARK: Tenants

    /// Whether the views of a limited context stay when it ends, for the next one.
    var keepsViews: Bool { get }
}

/// A reference to a row that does not exist.
package struct DanglingReference {
    /// The name of the table that contains the reference.
    package let table: String
    /// The number of the row that contains the reference, or `nil` if the table has no such numbers.
    package let number: Int64?
    /// The column that contains the reference.
    package let column: String?
    /// The name of the table that the reference leads to.
    package let destination: String?

    package init(table: String, number: Int64?, column: String?, destination: String?) {
        self.table = table
        self.number = number
        self.column = column
        self.destination = destination
    }
}
