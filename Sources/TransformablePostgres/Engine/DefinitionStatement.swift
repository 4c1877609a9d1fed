/// What a statement in SQLite's SQL creates, changes, or drops.
enum DefinitionStatement: Hashable {
    case createTable(String)
    /// A table with the rows of a query.
    case copyTable(String, rows: String)
    case createIndex(String, table: String)
    case createTrigger(String)
    case dropTable(String)
    case dropIndex(String)
    case dropTrigger(String)
    case renameTable(String, to: String)
    case addColumn(String, table: String)
    case dropColumn(String, table: String)
    case renameColumn(String, to: String, table: String)

    /// Reads a statement of the store, in which all names are quoted, or returns `nil` if it is of another kind.
    init?(_ sql: String) {
        var words = DefinitionWords(sql)
        switch words.next() {
        case .word("CREATE"): self.init(creating: &words)
        case .word("DROP"): self.init(dropping: &words)
        case .word("ALTER"): self.init(altering: &words)
        default: return nil
        }
    }

    private init?(creating words: inout DefinitionWords) {
        var kind = words.next()
        if kind == .word("UNIQUE") { kind = words.next() }
        words.skip(["IF", "NOT", "EXISTS"])
        guard case .name(let name)? = words.next() else { return nil }
        switch kind {
        case .word("TABLE"):
            let isCopy = words.next() == .word("AS")
            self = isCopy ? .copyTable(name, rows: words.remainder) : .createTable(name)
        case .word("INDEX"):
            guard words.next() == .word("ON"), case .name(let table)? = words.next() else { return nil }
            self = .createIndex(name, table: table)
        case .word("TRIGGER"): self = .createTrigger(name)
        default: return nil
        }
    }

    private init?(dropping words: inout DefinitionWords) {
        let kind = words.next()
        words.skip(["IF", "EXISTS"])
        guard case .name(let name)? = words.next() else { return nil }
        switch kind {
        case .word("TABLE"): self = .dropTable(name)
        case .word("INDEX"): self = .dropIndex(name)
        case .word("TRIGGER"): self = .dropTrigger(name)
        default: return nil
        }
    }

    private init?(altering words: inout DefinitionWords) {
        guard words.next() == .word("TABLE"), case .name(let table)? = words.next() else { return nil }
        let verb = words.next()
        if verb == .word("RENAME"), words.skip(["TO"]) {
            guard case .name(let name)? = words.next() else { return nil }
            self = .renameTable(table, to: name)
            return
        }
        guard words.skip(["COLUMN"]), case .name(let column)? = words.next() else { return nil }
        switch verb {
        case .word("ADD"): self = .addColumn(column, table: table)
        case .word("DROP"): self = .dropColumn(column, table: table)
        case .word("RENAME"):
            guard words.skip(["TO"]), case .name(let name)? = words.next() else { return nil }
            self = .renameColumn(column, to: name, table: table)
        default: return nil
        }
    }
}

/// The words and the quoted names of a statement, from its beginning.
private struct DefinitionWords {
    enum Element: Hashable {
        case word(String)
        case name(String)
    }

    private var rest: Substring.UnicodeScalarView

    init(_ sql: String) {
        rest = Substring(sql).unicodeScalars
    }

    /// The text behind the words so far.
    var remainder: String { String(rest) }

    mutating func next() -> Element? {
        rest = rest.drop { $0.properties.isWhitespace }
        guard let first = rest.first else { return nil }
        guard first == "\"" else {
            let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" && $0 != "(" }
            rest = rest.dropFirst(max(word.count, 1))
            return .word(String(word).uppercased())
        }
        return name()
    }

    /// Reads a quoted name, in which a doubled quotation mark stands for one.
    private mutating func name() -> Element? {
        var name = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                guard rest.first == "\"" else { return .name(String(name)) }
                rest.removeFirst()
            }
            name.append(scalar)
        }
        return nil
    }

    /// Moves behind some words if they come next, and returns whether they did.
    @discardableResult
    mutating func skip(_ words: [String]) -> Bool {
        var ahead = self
        for word in words where ahead.next() != .word(word) { return false }
        self = ahead
        return true
    }
}
