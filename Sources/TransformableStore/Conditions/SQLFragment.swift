/// A piece of SQL with the values of its parameters.
///
/// It is written as text with interpolations: another piece is taken in, a cell or a function of Swift
/// becomes a parameter. Names and words that are SQL themselves go in by `raw:`.
struct SQLFragment {
    enum Parameter {
        case value(ColumnValue)
        case function(SQLFunction)
    }

    private(set) var text: String
    private(set) var parameters: [Parameter]
    /// Whether running it calls Swift for each row, so that cheaper pieces go first.
    private(set) var isCostly = false
    /// The outermost scope whose columns it names.
    private(set) var reach = Int.max

    init(_ text: String, _ values: [ColumnValue] = []) {
        self.text = text
        parameters = values.map(Parameter.value)
    }

    /// A piece that names columns of a scope.
    init(_ text: String, reach: Int) {
        self.init(text)
        self.reach = reach
    }

    static var always: Self { "1" }
    static var never: Self { "0" }

    /// The values of its parameters, for a piece without functions.
    var values: [ColumnValue] {
        parameters.compactMap { parameter in
            if case .value(let value) = parameter { value } else { nil }
        }
    }

    /// Joins pieces pairwise, since SQLite limits how deep an expression is.
    static func joined(_ pieces: [Self], by word: String) -> Self {
        guard pieces.count > 1 else { return pieces.first ?? always }
        let middle = pieces.count / 2
        let left = joined(Array(pieces[..<middle]), by: word)
        let right = joined(Array(pieces[middle...]), by: word)
        return "(\(left) \(raw: word) \(right))"
    }

    /// Lists pieces with commas, or something else, between them.
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
        parameters += other.parameters
        isCostly = isCostly || other.isCostly
        reach = min(reach, other.reach)
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    init(stringLiteral text: String) {
        self.init(text)
    }

    init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.fragment
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment("")

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            fragment.text += literal
        }

        mutating func appendInterpolation(raw text: String) {
            fragment.text += text
        }

        mutating func appendInterpolation(_ other: SQLFragment) {
            fragment.append(other)
        }

        mutating func appendInterpolation(_ value: ColumnValue) {
            fragment.text += "?"
            fragment.parameters.append(.value(value))
        }

        mutating func appendInterpolation(_ function: SQLFunction) {
            fragment.text += "?"
            fragment.parameters.append(.function(function))
            fragment.isCostly = true
        }
    }
}
