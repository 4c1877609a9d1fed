internal import TransformableModel
package import TransformableStore

/// A statement that a store's file was created with.
package struct RawDefinition: Sendable, Hashable {
    /// `table`, `index`, or `trigger`.
    package let type: String
    package let name: String
    /// The table that it belongs to.
    package let table: String
    package let sql: String

    package init(type: String, name: String, table: String, sql: String) {
        self.type = type
        self.name = name
        self.table = table
        self.sql = sql
    }

    /// Creates a definition from a row with its type, its name, its table, and its statement.
    package init(_ row: PackedRow) {
        let texts = (0..<4).map { row.text($0) ?? "" }
        self.init(type: texts[0], name: texts[1], table: texts[2], sql: texts[3])
    }
}

extension RawDefinition {
    /// Throws an error unless the statement creates what it says, and does nothing else.
    ///
    /// A table that is created from a query would run it.
    func check() throws(StoreError) {
        let starts = ["table": ["CREATE TABLE "], "trigger": ["CREATE TRIGGER "]]
        let allowed = starts[type] ?? (type == "index" ? ["CREATE INDEX ", "CREATE UNIQUE INDEX "] : [])
        guard let start = allowed.first(where: sql.hasPrefix), !name.hasPrefix("sqlite_") else {
            throw .invalidDefinition("the definition of “\(name)”")
        }
        guard type == "table" else { return }
        let rest = sql.dropFirst(start.count).utf8
        guard Self.afterName(rest).drop(while: { $0 == UInt8(ascii: " ") }).first == UInt8(ascii: "(") else {
            throw .invalidDefinition("the definition of “\(name)”")
        }
    }

    /// Returns what follows a name, which may be quoted.
    private static func afterName(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        guard text.first == quote else { return text.drop(while: isPartOfName) }
        var rest = text.dropFirst()
        while true {
            rest = rest.drop { $0 != quote }.dropFirst()
            // A doubled quotation mark is part of the name.
            guard rest.first == quote else { return rest }
            rest = rest.dropFirst()
        }
    }

    /// Returns a Boolean value that indicates whether a byte can be part of a name that is not quoted.
    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
        }
    }
}

extension StoreError {
    static func invalidDefinition(_ what: String, because cause: StoreError? = nil) -> Self {
        Self(.corruptFile, "\(what) is not one of a store", underlying: cause)
    }
}

/// The highest number that a table has ever had.
package struct RawSequence: Sendable, Hashable {
    package let table: String
    package let number: Int64

    package init(table: String, number: Int64) {
        self.table = table
        self.number = number
    }
}
