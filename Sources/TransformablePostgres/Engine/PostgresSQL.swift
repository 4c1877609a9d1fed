internal import TransformableStore

/// The store's SQL as PostgreSQL takes it.
enum PostgresSQL {
    /// What depends on the rows that a statement sees.
    struct Options {
        /// How many parameters precede those of the statement.
        var shift = 0
        /// The schema of tables of `main`, or `nil` if they are found by the search path.
        var schema: String?
        /// Whether the visible rows of a table have a name of their own.
        var hasVisibleRows = false
    }

    /// Returns a statement in PostgreSQL's SQL.
    ///
    /// Outside of quotes and comments, `?` and `?2` become `$1` and `$2`, and a table of `main` is found by the search
    /// path. A quoted name becomes the one that the table or column has in PostgreSQL.
    static func translated(_ sql: String, _ options: Options = Options()) -> String {
        var translation = Translation(source: Array(sql.utf8), options: options)
        translation.run()
        return String(decoding: translation.result, as: UTF8.self)
    }
}

extension PostgresSQL {
    /// Returns a statement about tables that a schema contains and the search path leads to.
    ///
    /// In a recursive statement, an expression that has the name of a table would refer to itself instead of the table, so
    /// tables of `main` are then named with their schema.
    static func translated(_ sql: String, in schema: String) -> String {
        translated(sql, Options(schema: sql.hasPrefix("WITH RECURSIVE ") ? schema : nil))
    }
}

private struct Translation {
    let source: [UInt8]
    let options: PostgresSQL.Options
    var result: [UInt8] = []
    private var index = 0
    private var count = 0

    init(source: [UInt8], options: PostgresSQL.Options) {
        self.source = source
        self.options = options
        result.reserveCapacity(source.count + 16)
    }

    mutating func run() {
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "'"): copy(through: end(of: UInt8(ascii: "'")))
            case UInt8(ascii: "\""): name()
            case UInt8(ascii: "?"): parameter()
            case UInt8(ascii: "-") where starts(with: "--"): copy(through: end(of: UInt8(ascii: "\n")))
            case UInt8(ascii: "/") where starts(with: "/*"): comment()
            case UInt8(ascii: "m") where starts(with: "main.\"") && !follows: schema()
            case UInt8(ascii: "t") where starts(with: "temp.\"") && !follows: index += "temp.".utf8.count
            default: copy(through: index)
            }
        }
    }

    /// Whether the current byte belongs to the word before it.
    private var follows: Bool {
        guard let last = result.last else { return false }
        return last == UInt8(ascii: "_") || last >= 0x80 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= last
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= last | 0x20
    }

    private func starts(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index + length <= source.count else { return false }
        return source[index..<index + length].elementsEqual("\(text)".utf8)
    }

    /// Returns the position of a byte after the current one, or of the last byte.
    private func end(of byte: UInt8) -> Int {
        source[(index + 1)...].firstIndex(of: byte) ?? source.count - 1
    }

    private mutating func copy(through end: Int) {
        result += source[index...end]
        index = end + 1
    }

    private mutating func comment() {
        var end = index + 2
        while end + 1 < source.count, !(source[end] == UInt8(ascii: "*") && source[end + 1] == UInt8(ascii: "/")) {
            end += 1
        }
        copy(through: min(end + 1, source.count - 1))
    }

    private mutating func schema() {
        index += "main.".utf8.count
        guard let schema = options.schema else { return }
        result += "\(PostgresName.quoted(schema)).".utf8
    }

    private mutating func parameter() {
        index += 1
        let digits = source[index...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        index = digits.endIndex
        if digits.isEmpty { count += 1 }
        let number = digits.isEmpty ? count : Int(String(decoding: digits, as: UTF8.self)) ?? .max - 1
        result += "$\(number + options.shift)".utf8
    }

    /// Copies a quoted name, in which a doubled quotation mark stands for one.
    private mutating func name() {
        let quote = UInt8(ascii: "\"")
        var name: [UInt8] = []
        index += 1
        while index < source.count {
            let byte = source[index]
            index += 1
            if byte == quote {
                guard index < source.count, source[index] == quote else { break }
                index += 1
            }
            name.append(byte)
        }
        if !options.hasVisibleRows, name.starts(with: TenantColumn.visiblePrefix.utf8) {
            name.removeFirst(TenantColumn.visiblePrefix.utf8.count)
            if let schema = options.schema { result += "\(PostgresName.quoted(schema)).".utf8 }
        }
        result += PostgresName.quoted(String(decoding: name, as: UTF8.self)).utf8
    }
}
