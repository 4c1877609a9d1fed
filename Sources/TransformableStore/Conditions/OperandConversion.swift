internal import Transformable

/// The left side of a comparison: an attribute's column, or a computed term.
struct Subject {
    var value: Expression
    var kind: ValueKind
    /// The attribute that the column belongs to.
    var attribute: StoredAttribute?
    /// The name used in messages.
    var name: String?
    let entity: String

    func failure(_ code: StoreError.Code, _ message: String) -> StoreError {
        StoreError(code, message, entity: entity, attribute: name)
    }
}

/// Converts operands to the content of a column.
extension Subject {
    /// Returns the cell of a constant.
    ///
    /// - Throws: `StoreError` if the constant cannot be compared with the subject, or if the operand is a term.
    func column(of operand: Operand) throws -> ColumnValue {
        switch operand {
        case .held(let value): try column(of: value)
        case .literal(let literal): try column(of: literal)
        case .term: throw failure(.unsupported, "it cannot be compared with another attribute here")
        }
    }

    private func column(of held: Operand.Value) throws -> ColumnValue {
        if let id = held.objectID { return try column(of: id) }
        let value = held.content
        if let cell = value as? ColumnValue { return Self.composed(cell) }
        let plain = Self.plain(value)
        if kind.isNumber, let number = plain.flatMap(Self.number) { return rounded(number) }
        if let plain, let found = ValueKind(type(of: plain).attributeType), found == kind || attribute == nil {
            guard found.compares(with: kind) else {
                throw failure(.wrongType, "it is \(kind.words), and cannot be compared with \(found.words)")
            }
            return Self.composed(try located { try plain.column() })
        }
        guard let attribute else {
            throw failure(.wrongType, "it cannot be compared with a value of type \(type(of: value))")
        }
        return Self.composed(try Self.refusing { try attribute.column(any: value) })
    }

    /// Returns the object's number.
    ///
    /// An object of a different entity gets the number 0, which no object has.
    private func column(of id: ObjectID) throws -> ColumnValue {
        guard case .object(let entity) = kind else {
            guard kind == .integer else { throw failure(.wrongType, "it cannot be compared with an object") }
            return .integer(id.number)
        }
        guard id.entity == entity || attribute == nil else {
            throw failure(.wrongType, "it refers to objects of \(entity), not of \(id.entity)")
        }
        return .integer(id.entity == entity ? id.number : 0)
    }

    /// Runs a conversion, and reports a value that an attribute rejects as invalid in the condition instead of as
    /// invalid to store.
    static func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError where error.code == .invalidValue {
            error.code = .invalidCondition
            error.message = error.lacksKey ? Self.unsearchable : "it cannot be compared with this value"
            throw error
        }
    }

    private static let unsearchable = """
        it cannot be searched, because its index uses a key that is not available; open the store with the right keys. \
        \(StoreError.wayWithoutKey), and re-encode the attribute (“store reseal”)
        """

    private func located<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch {
            throw StoreError(
                .invalidCondition,
                "it cannot be compared with this value",
                entity: entity,
                attribute: name,
                underlying: error
            )
        }
    }

    /// Returns a plain value, which may be the raw value of an enumeration.
    static func plain(_ value: Any) -> (any PlainValue)? {
        if let plain = value as? any PlainValue { return plain }
        return (value as? any RawRepresentable).flatMap { $0.rawValue as? any PlainValue }
    }

    private static func number(_ value: any PlainValue) -> ColumnValue? {
        guard let kind = ValueKind(type(of: value).attributeType), kind.isNumber else { return nil }
        // Larger than any integer in a column. As a real number, it compares correctly.
        if let number = (value as? any FixedWidthInteger)?.realBeyondColumns { return .real(number) }
        return try? value.column()
    }

    /// Rounds a real number to single precision for a column whose numbers were rounded.
    ///
    /// Whole numbers, and those that are too large for such a column, are compared as they are.
    private func rounded(_ value: ColumnValue) -> ColumnValue {
        guard kind == .float, case .real(let number) = value, Float(number).isFinite else { return value }
        return .real(Double(Float(number)))
    }

    private static func composed(_ value: ColumnValue) -> ColumnValue {
        guard case .text(let text) = value else { return value }
        return .text(text.composed)
    }

    private func column(of literal: Operand.Literal) throws(StoreError) -> ColumnValue {
        guard let value = cell(literal) else {
            let hint =
                switch (kind, literal) {
                case (.text, .integer), (.text, .number), (.text, .date): "; write it in quotes"
                case (_, .boolean): " (a name without a comparison says that its value is true)"
                case (.decimal, .number): " of more digits than it can have"
                default: ""
                }
            throw failure(.invalidCondition, "it is \(kind.words), and cannot be compared with \(literal.kind)\(hint)")
        }
        return value
    }

    private func cell(_ literal: Operand.Literal) -> ColumnValue? {
        switch (literal, kind) {
        case (.null, _): .null
        case (.boolean(let flag), .boolean): .integer(flag ? 1 : 0)
        case (.integer(let number), .boolean): number == 0 || number == 1 ? .integer(number) : nil
        case (.integer(let number), .decimal): .text("\(number)")
        case (.number(_, let text), .decimal): PlainText.column(text, as: .decimal)
        case (.string(let text), .text): .text(text.composed)
        case (.string(let text), .decimal): PlainText.column(text, as: .decimal)
        case (.string(let text), .uuid): PlainText.column(text, as: .uuid)
        case (.string(let text), .url): PlainText.column(text, as: .url)
        case (.string(let text), .date), (.date(let text), .date): PlainText.column(text, as: .date)
        case (.integer(let number), .integer), (.integer(let number), .float), (.integer(let number), .double),
            (.integer(let number), .object):
            rounded(.integer(number))
        case (.number(let number, _), .integer), (.number(let number, _), .float), (.number(let number, _), .double),
            (.number(let number, _), .object):
            rounded(.real(number))
        default: nil
        }
    }
}

extension FixedWidthInteger {
    /// The number as a real number if it is larger than any integer that a column can store.
    fileprivate var realBeyondColumns: Double? { self > Int64.max ? Double(self) : nil }
}

extension Operand.Literal {
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean value"
        case .integer, .number: "a number"
        case .string: "this text"
        case .date: "a date"
        }
    }
}
