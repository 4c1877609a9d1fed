internal import Foundation
internal import TransformableStore

/// Placeholders for plain values that cannot be read.
///
/// A getter that can neither throw nor return nil returns a placeholder, and the error is thrown at the end of the
/// block.
enum Placeholder {
    /// Returns zero, an empty text, or a similar default, or nil if the type has none.
    static func value<Value>(of type: Value.Type) -> Value? {
        guard let plain = Value.self as? any PlainValue.Type else { return nil }
        return (try? plain.init(column: column(for: plain.attributeType))) as? Value
    }

    private static func column(for type: AttributeType) -> ColumnValue {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .boolean: .integer(0)
        case .float, .double, .date: .real(0)
        case .decimal: .text("0")
        case .string: .text("")
        case .uuid: .text("00000000-0000-0000-0000-000000000000")
        case .url: .text("about:blank")
        case .data, .transformed, .undefined: .blob(Data())
        }
    }
}
