/// A piece of SQL with the values of its parameters.
struct SQLFragment: Sendable {
    var text: String
    var values: [ColumnValue]

    init(_ text: String, _ values: [ColumnValue] = []) {
        self.text = text
        self.values = values
    }

    static let always = Self("1")
    static let never = Self("0")

    /// Joins pieces pairwise, since SQLite limits how deep an expression is.
    static func joined(_ pieces: [Self], by word: String) -> Self {
        guard pieces.count > 1 else { return pieces.first ?? always }
        let middle = pieces.count / 2
        let left = joined(Array(pieces[..<middle]), by: word)
        let right = joined(Array(pieces[middle...]), by: word)
        return Self("(\(left.text) \(word) \(right.text))", left.values + right.values)
    }
}
