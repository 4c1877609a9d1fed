/// A fragment of SQL along with the values of its parameters.
///
/// Write a fragment as text with interpolations. An interpolated fragment is inserted, and a cell becomes a parameter.
/// Insert names and keywords, which are SQL themselves, with `raw:`.
package struct SQLFragment {
    package private(set) var text: String
    /// The values of its parameters.
    package private(set) var values: [ColumnValue]
    /// The outermost scope whose columns the fragment uses.
    private(set) var reach = Int.max
    /// Whether its value depends on the rows of related objects.
    private(set) var involvesOthers = false

    init(_ text: String, _ values: [ColumnValue] = []) {
        self.text = text
        self.values = values
    }

    /// Creates a fragment that uses columns of a scope.
    init(_ text: String, reach: Int) {
        self.init(text)
        self.reach = reach
    }

    static var always: Self { "TRUE" }
    static var never: Self { "FALSE" }

    /// The same fragment, whose value depends on the rows of related objects.
    var ofOthers: Self {
        var copy = self
        copy.involvesOthers = true
        return copy
    }

    /// Joins fragments pairwise, because SQLite limits the depth of an expression.
    static func joined(_ pieces: [Self], by word: String) -> Self {
        guard pieces.count > 1 else { return pieces.first ?? always }
        let middle = pieces.count / 2
        let left = joined(Array(pieces[..<middle]), by: word)
        let right = joined(Array(pieces[middle...]), by: word)
        return "(\(left) \(raw: word) \(right))"
    }

    /// Joins fragments with commas or another separator.
    static func list(_ pieces: [Self], by separator: String = ", ") -> Self {
        var list = Self("")
        for piece in pieces {
            if !list.text.isEmpty { list.text += separator }
            list.append(piece)
        }
        return list
    }

    private mutating func append(_ other: Self) {
        text += other.text
        values += other.values
        involvesOthers = involvesOthers || other.involvesOthers
        reach = min(reach, other.reach)
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self.init(text)
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.fragment
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            fragment.text += literal
        }

        package mutating func appendInterpolation(raw text: String) {
            fragment.text += text
        }

        package mutating func appendInterpolation(raw table: TableName) {
            fragment.text += table.description
        }

        package mutating func appendInterpolation(_ other: SQLFragment) {
            fragment.append(other)
        }

        package mutating func appendInterpolation(_ value: ColumnValue) {
            fragment.text += "?"
            fragment.values.append(value)
        }
    }
}
