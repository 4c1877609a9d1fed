internal import TransformableModel
internal import TransformableStore

/// A statement that inserts a row with a tag, which is computed from its parameters before it is sent.
struct TaggedText: Sendable {
    /// The statement, whose last parameter is the tag.
    let sql: String
    /// The entity's number.
    let entity: UInt32
    /// The cells that the tag covers.
    private let cells: [Cell]

    private enum Cell {
        case empty
        /// A parameter, counted from 1.
        case parameter(Int)
        /// The tenant that the row is inserted for.
        case tenant

        init(_ argument: Substring) {
            if argument == RowSeal.currentTenant {
                self = .tenant
            } else {
                self = Int(argument.dropFirst()).map(Self.parameter) ?? .empty
            }
        }
    }

    /// Returns `nil` if the statement computes no tag.
    init?(_ sql: String) {
        let head = "\(RowSeal.Function.tag)("
        guard let call = sql.firstRange(of: head), let end = sql[call.upperBound...].firstIndex(of: ")") else {
            return nil
        }
        let arguments = sql[call.upperBound..<end].split(separator: ", ")
        guard let entity = arguments.first.flatMap({ UInt32($0) }) else { return nil }
        self.entity = entity
        cells = arguments.dropFirst().map(Cell.init)
        let before = sql[..<call.lowerBound]
        let count = before.split(separator: "?").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
        self.sql = "\(before)?\(count + 1)\(sql[sql.index(after: end)...])"
    }

    /// Returns the cells that the tag covers, or `nil` if there are too few values.
    func cells(_ values: ArraySlice<ColumnValue>, of tenant: Int64?) -> [ColumnValue]? {
        var result: [ColumnValue] = []
        for cell in cells {
            switch cell {
            case .empty: result.append(.null)
            case .parameter(let number):
                guard number <= values.count else { return nil }
                result.append(values[values.startIndex + number - 1])
            case .tenant:
                guard let tenant else { return nil }
                result.append(.integer(tenant))
            }
        }
        return result
    }
}

extension PostgresEngine {
    /// Returns a statement that inserts a row with a tag, or `nil` if it is another statement.
    func tagged(_ sql: String) -> TaggedText? {
        guard rowAuthenticator != nil, sql.hasPrefix("INSERT ") else { return nil }
        return taggedTexts.value(of: sql) { TaggedText(sql) }
    }

    /// Returns the tag of a new row, which is inserted for a tenant or none.
    func tag(of values: ArraySlice<ColumnValue>, by text: TaggedText, _ tenant: Int64?) throws -> ColumnValue {
        guard let rowAuthenticator, let cells = text.cells(values, of: tenant) else { throw RowAuthenticator.misuse }
        return try StoreError.describingRows { .blob(try rowAuthenticator.tag(of: text.entity, cells)) }
    }
}
