internal import Foundation

/// Turns what a condition compares with into what a column holds.
enum OperandConversion {
    /// Says of a value that an attribute refuses that it is the condition's, and that nothing was to be stored.
    static func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError where error.code == .invalidValue {
            error.code = .invalidCondition
            error.message = "it cannot be compared with this value"
            throw error
        }
    }

    static func column(
        of value: any Sendable,
        for column: BoundColumn,
        _ name: String,
        _ entity: String
    ) throws -> ColumnValue {
        switch column {
        case .plain(let attribute):
            if let id = value as? ObjectID, attribute.description.type == .int64 { return .integer(id.number) }
            if attribute.description.type.isNumeric, let number = (value as? any PlainValue).flatMap(numeric) {
                return rounded(number, attribute.description.type)
            }
            return try composed(refusing { try attribute.column(any: value) })
        case .number, .projection:
            guard let plain = value as? any PlainValue, let cell = try? plain.column() else {
                throw StoreError(
                    .wrongType,
                    "the column cannot be compared with a value of type \(type(of: value))",
                    entity: entity,
                    attribute: name
                )
            }
            return composed(cell)
        }
    }

    private static func numeric(_ value: any PlainValue) -> ColumnValue? {
        switch try? value.column() {
        case .integer(let number): value is Bool ? nil : .integer(number)
        case .real(let number): value is Date ? nil : .real(number)
        default: nil
        }
    }

    /// A column of single precision holds numbers that were rounded to it.
    private static func rounded(_ value: ColumnValue, _ type: AttributeType) -> ColumnValue {
        guard type == .float else { return value }
        return switch value {
        case .integer(let number): .real(Double(Float(number)))
        case .real(let number): .real(Double(Float(number)))
        default: value
        }
    }

    private static func composed(_ value: ColumnValue) -> ColumnValue {
        guard case .text(let text) = value else { return value }
        return .text(text.composed)
    }

    static func column(
        of literal: Operand.Literal,
        for column: BoundColumn,
        _ name: String,
        _ entity: String
    ) throws -> ColumnValue {
        let value: ColumnValue? =
            switch column {
            case .number: number(literal)
            case .plain(let attribute): plain(literal, attribute.description.type)
            case .projection(let attribute, let index):
                switch attribute.projections[index].columnType {
                case "INTEGER", "REAL": number(literal)
                case "TEXT": plain(literal, .string)
                default: literal == .null ? .null : nil
                }
            }
        guard let value else {
            throw StoreError(
                .invalidCondition,
                "it cannot be compared with \(literal.kind)",
                entity: entity,
                attribute: name
            )
        }
        return value
    }

    private static func number(_ literal: Operand.Literal) -> ColumnValue? {
        switch literal {
        case .null: .null
        case .integer(let number): .integer(number)
        case .number(let number): .real(number)
        default: nil
        }
    }

    private static func plain(_ literal: Operand.Literal, _ type: AttributeType) -> ColumnValue? {
        switch (literal, type) {
        case (.null, _): .null
        case (.boolean(let flag), .boolean): .integer(flag ? 1 : 0)
        case (.integer(let number), .boolean): number == 0 || number == 1 ? .integer(number) : nil
        case (.integer(let number), .decimal): .text("\(number)")
        case (.number(let number), .decimal): .text("\(number)")
        case (.string(let text), .string): .text(text.composed)
        case (.string(let text), .uuid), (.string(let text), .url), (.string(let text), .decimal):
            PlainText.column(text, as: type)
        case (.string(let text), .date), (.date(let text), .date): PlainText.column(text, as: .date)
        case (_, _) where type.isNumeric: number(literal).map { rounded($0, type) }
        default: nil
        }
    }
}

extension Operand.Literal {
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a truth value"
        case .integer, .number: "a number"
        case .string: "this text"
        case .date: "a date"
        }
    }
}

extension AttributeType {
    /// Whether the column holds numbers that SQL compares.
    var isNumeric: Bool {
        [.int16, .int32, .int64, .float, .double].contains(self)
    }
}

extension String {
    /// The text in Unicode's composed form, which plain ASCII has already.
    var composed: String {
        utf8.allSatisfy { $0 < 128 } ? self : precomposedStringWithCanonicalMapping
    }
}
