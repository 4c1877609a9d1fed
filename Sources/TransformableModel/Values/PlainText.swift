internal import Foundation
package import Transformable

/// The text forms of plain values, as used in defaults, in conditions, and on the command line.
package enum PlainText {
    static func parses(_ text: String, as type: AttributeType) -> Bool {
        column(text, as: type) != nil
    }

    /// Returns the cell for a value in text form, or `nil` if the text is not a value of the type.
    package static func column(_ text: String, as type: AttributeType) -> ColumnValue? {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
            Int64(text).flatMap { type.integers?.contains($0) == true ? .integer($0) : nil }
        case .float: RealText.number(text, as: Float.self).flatMap { try? $0.column() }
        case .double: RealText.number(text, as: Double.self).flatMap { try? $0.column() }
        case .decimal: (try? DecimalText.decimal(text)).map { .text(DecimalText.text(of: $0)) }
        case .boolean: ["true": 1, "false": 0, "1": 1, "0": 0][text].map(ColumnValue.integer)
        case .string: .text(text)
        case .date: (try? DateText.seconds(text)).map(ColumnValue.real)
        case .data: nil
        case .uuid: UUID(uuidString: text).map { $0.column() }
        case .url: URLText.url(text).map { $0.column() }
        case .transformed, .undefined: nil
        }
    }

    /// Returns what is wrong with a text that is not a value of a type, or `nil` if naming the type says it all.
    package static func fault(_ text: String, as type: AttributeType) -> TransformerError? {
        do throws(TransformerError) {
            switch type {
            case .date: _ = try DateText.seconds(text)
            case .decimal: _ = try DecimalText.decimal(text)
            default: return type.integers.flatMap { integerFault(text, $0) }
            }
            return nil
        } catch {
            return error
        }
    }

    private static func integerFault(_ text: String, _ range: ClosedRange<Int64>) -> TransformerError? {
        let digits = text.drop { $0 == "+" || $0 == "-" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return .invalidData("the number is not from \(range.lowerBound) to \(range.upperBound)")
    }
}
