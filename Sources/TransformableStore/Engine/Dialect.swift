/// What a database can do, and how its SQL differs from that of others.
///
/// Most statements of the store are the same for all engines. They are written in SQL that SQLite and PostgreSQL
/// understand, with question marks for parameters.
package struct Dialect: Sendable {
    /// What not every engine can do.
    package struct Features: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Triggers and functions authenticate rows with tags.
        ///
        /// Otherwise, the store computes and checks the tags itself.
        package static let rowTags = Features(rawValue: 1 << 0)
        /// Views of pending changes are laid over the tables.
        package static let temporaryViews = Features(rawValue: 1 << 1)
        /// A fetch reads the lengths of large cells instead of their content.
        package static let lengthsOfCells = Features(rawValue: 1 << 5)
        /// A transaction that writes keeps all other writers out.
        package static let exclusiveWriter = Features(rawValue: 1 << 6)
        /// A statement that fails leaves its transaction as it was.
        package static let statementRollback = Features(rawValue: 1 << 7)
        /// Large external values are kept in files next to the database.
        package static let externalFiles = Features(rawValue: 1 << 8)
        /// Large external values are kept in pieces, in a table of the database.
        package static let externalPieces = Features(rawValue: 1 << 11)
        /// The database is on a server, so it is used by other machines as well.
        package static let server = Features(rawValue: 1 << 9)
        /// A cell may contain a value of a different type than its column's.
        package static let dynamicTypes = Features(rawValue: 1 << 10)
        /// The keys of tables include the tenant, and the database itself hides the rows of other tenants.
        package static let tenantsInKeys = Features(rawValue: 1 << 12)
    }

    /// The name of the database, for messages.
    package let name: String
    package let features: Features
    /// The source of the statements that the tables were created with, which has the columns of `sqlite_master`.
    package let definitions: String
    /// Tests of text.
    package let text: TextSQL

    package init(name: String, features: Features, definitions: String, text: TextSQL) {
        self.name = name
        self.features = features
        self.definitions = definitions
        self.text = text
    }

    /// The operator that tests whether two values are equal or both null.
    ///
    /// SQLite has the standard's operator only from version 3.39 on.
    var isSame: String { has(.dynamicTypes) ? "IS" : "IS NOT DISTINCT FROM" }

    /// The operator that tests whether two values differ, or only one of them is null.
    var differs: String { has(.dynamicTypes) ? "IS NOT" : "IS DISTINCT FROM" }

    /// Returns a Boolean value that indicates whether the database can do something.
    package func has(_ feature: Features) -> Bool {
        features.contains(feature)
    }

    /// Returns the error for something that a store in the database does not support.
    func unsupported(_ what: String) -> StoreError {
        StoreError(.unsupported, "\(what) is not supported by a store in \(name)")
    }
}

/// What tells a store from the database of another program.
package struct EngineHeader: Sendable {
    /// The program that the database belongs to, or 0.
    package let application: Int64
    /// The version of the tables of metadata.
    package let format: Int64
    /// The number of tables, views, and indexes.
    package let tableCount: Int64

    package init(application: Int64, format: Int64, tableCount: Int64) {
        self.application = application
        self.format = format
        self.tableCount = tableCount
    }
}

/// Tests of columns of text, which engines spell differently.
///
/// Text is compared by its bytes, and each test is true, false, or null.
package struct TextSQL: Sendable {
    /// Tests whether each byte is a character.
    ///
    /// Text with U+0000 may be considered otherwise.
    package let isASCII: @Sendable (_ column: SQLFragment) -> SQLFragment
    /// Tests whether the text contains another.
    package let contains: @Sendable (_ column: SQLFragment, _ text: String) -> SQLFragment
    /// Tests whether the text begins with another, which is not empty.
    ///
    /// An index can answer this.
    package let begins: @Sendable (_ column: SQLFragment, _ text: String) -> SQLFragment
    /// Tests whether the text ends with another, which is not empty.
    package let ends: @Sendable (_ column: SQLFragment, _ text: String) -> SQLFragment
    /// Tests whether the text may not be in Unicode's composed form.
    ///
    /// This is true for all text that is not, and for little else.
    package let mayDiffer: @Sendable (_ column: String) -> String

    package init(
        isASCII: @escaping @Sendable (SQLFragment) -> SQLFragment,
        contains: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
        begins: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
        ends: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
        mayDiffer: @escaping @Sendable (String) -> String
    ) {
        self.isASCII = isASCII
        self.contains = contains
        self.begins = begins
        self.ends = ends
        self.mayDiffer = mayDiffer
    }
}
