internal import Foundation
internal import Transformable

/// The text forms of plain values, as defaults, conditions and the command line have them.
enum PlainText {
    static func parses(_ text: String, as type: AttributeType) -> Bool {
        column(text, as: type) != nil
    }

    /// Reads a text as a cell of a type; nil if it is none.
    static func column(_ text: String, as type: AttributeType) -> ColumnValue? {
        switch type {
        case .int16: Int16(text).map { $0.column() }
        case .int32: Int32(text).map { $0.column() }
        case .int64: Int64(text).map { $0.column() }
        case .float: finite(Float(text), text).flatMap { try? $0.column() }
        case .double: finite(Double(text), text).flatMap { try? $0.column() }
        case .decimal: (try? DecimalText.decimal(text)).map { .text(DecimalText.text(of: $0)) }
        case .boolean: ["true": 1, "false": 0, "1": 1, "0": 0][text].map(ColumnValue.integer)
        case .string: .text(text)
        case .date: (try? DateText.seconds(text)).map(ColumnValue.real)
        case .data: nil
        case .uuid: UUID(uuidString: text).map { $0.column() }
        case .url: URL(string: text, encodingInvalidCharacters: false).map { $0.column() }
        case .transformed, .undefined: nil
        }
    }

    /// A number, unless it became infinite by being too large: infinity itself is written in letters.
    private static func finite<Number: BinaryFloatingPoint>(_ number: Number?, _ text: String) -> Number? {
        number?.isInfinite == true && !text.lowercased().contains("inf") ? nil : number
    }

    /// What is wrong with a text that is not a value of a type; nil where the type says all.
    static func fault(_ text: String, as type: AttributeType) -> TransformerError? {
        do throws(TransformerError) {
            switch type {
            case .date: _ = try DateText.seconds(text)
            case .decimal: _ = try DecimalText.decimal(text)
            default: break
            }
            return nil
        } catch {
            return error
        }
    }
}
