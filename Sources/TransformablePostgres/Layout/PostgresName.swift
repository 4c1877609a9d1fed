/// The names of tables, columns, and constraints in PostgreSQL.
enum PostgresName {
    /// The number of bytes that PostgreSQL keeps of a name.
    private static let limit = 63

    /// Returns a name as a quoted identifier.
    ///
    /// PostgreSQL would silently cut a longer name, so that two names might become one. Such a name ends with a hash of
    /// all of it.
    static func quoted(_ name: String) -> String {
        let short = shortened(name)
        guard short.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(short)\"" }
        let doubled = short.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    /// The columns that PostgreSQL adds to every table.
    private static let taken: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// Returns a name that PostgreSQL keeps as it is: the name itself, or its start, a tilde, and 16 hexadecimal digits.
    ///
    /// The name of a column that PostgreSQL adds to every table gets a tilde, too.
    static func shortened(_ name: String) -> String {
        guard !taken.contains(name) else { return name + "~" }
        guard name.utf8.count > limit else { return name }
        let digits = String(hash(of: name), radix: 16)
        let suffix = "~" + String(repeating: "0", count: 16 - digits.count) + digits
        var start = String.UnicodeScalarView()
        var count = suffix.utf8.count
        for scalar in name.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            start.append(scalar)
        }
        return String(start) + suffix
    }

    /// Returns the 64-bit FNV-1a hash of a name.
    private static func hash(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
