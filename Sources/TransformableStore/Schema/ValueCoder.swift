internal import Foundation
internal import Transformable

/// Converts the values of an attribute to and from cells.
///
/// Coders are classes so that calling one through an attribute does not copy its parts.
protocol ValueCoder<Value>: AnyObject, Sendable {
    associatedtype Value

    func decode(_ row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Value
    func encode(_ value: Value, in context: TransformContext) throws -> ColumnValue
    /// Returns a Boolean value that indicates whether storing the value would leave the cell unchanged.
    func isUnchanged(_ value: Value, since row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Bool

    // The same, for bytes before the stages that process them in pieces.

    func decode(head: Data, in context: TransformContext) throws -> Value
    func encode(head value: Value, in context: TransformContext) throws -> Data
    func isUnchanged(_ value: Value, sinceHead head: Data, in context: TransformContext) throws -> Bool
}

extension ValueCoder {
    func decode(head: Data, in context: TransformContext) throws -> Value {
        try decode(PackedRow(single: .blob(head)), 0, in: context)
    }

    func encode(head value: Value, in context: TransformContext) throws -> Data {
        guard case .blob(let bytes) = try encode(value, in: context) else {
            throw PlainValueError(description: "the value is not stored as bytes")
        }
        return bytes
    }

    func isUnchanged(_ value: Value, sinceHead head: Data, in context: TransformContext) throws -> Bool {
        try isUnchanged(value, since: PackedRow(single: .blob(head)), 0, in: context)
    }
}

/// Stores plain values directly in their column.
final class PlainCoder<Value: PlainValue>: ValueCoder {
    func decode(_ row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Value {
        try Value(column: row.value(cell))
    }

    func encode(_ value: Value, in context: TransformContext) throws -> ColumnValue {
        try value.column()
    }

    func isUnchanged(_ value: Value, since row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Bool {
        try value.column().isIdentical(to: row.value(cell))
    }
}

/// Stores enumerations and similar values as their raw values.
final class RawCoder<Value: RawRepresentable & SendableMetatype>: ValueCoder where Value.RawValue: PlainValue {
    func decode(_ row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Value {
        guard let value = try Value(rawValue: Value.RawValue(column: row.value(cell))) else {
            throw PlainValueError(description: "the cell contains a raw value that \(Value.self) does not have")
        }
        return value
    }

    func encode(_ value: Value, in context: TransformContext) throws -> ColumnValue {
        try value.rawValue.column()
    }

    func isUnchanged(_ value: Value, since row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Bool {
        try value.rawValue.column().isIdentical(to: row.value(cell))
    }
}

/// Stores transformed values as the bytes that their transformer returns.
final class TransformedCoder<Value>: ValueCoder {
    // A transformer in a property is copied with all its parts for each call. One that a closure captures is not.
    private let decoding: @Sendable (PackedRow, Int, TransformContext) throws -> Value
    private let encoding: @Sendable (Value, TransformContext) throws -> Data
    private let comparison: @Sendable (Value, Data, TransformContext) throws -> Bool
    // All stages before those that process pieces, or the identity if there are none.
    private let head: any Transformer<Value, Data>

    /// Splits a transformer if large values are processed in pieces.
    init(_ transformer: some Transformer<Value, Data>, _ streamed: StreamedStages?) {
        if let transformer = transformer as? any SpanTransformer<Value> {
            decoding = Self.lending(to: transformer)
        } else {
            decoding = { try transformer.decode($0.data($1), in: $2) }
        }
        encoding = { try transformer.encode($0, in: $1) }
        comparison = { try transformer.isUnchanged($0, since: $1, in: $2) }
        let stages = streamed?.head as? any Transformer<Value, Data>
        let identity = streamed?.head == nil && streamed != nil ? IdentityTransformer<Data>() : nil
        head = stages ?? identity as? any Transformer<Value, Data> ?? transformer
    }

    /// Decodes bytes in place in the row.
    private static func lending(
        to transformer: some SpanTransformer<Value>
    ) -> @Sendable (PackedRow, Int, TransformContext) throws -> Value {
        { row, cell, context in try row.lend(cell) { try transformer.decode($0, in: context) } }
    }

    func decode(head: Data, in context: TransformContext) throws -> Value {
        try self.head.decode(head, in: context)
    }

    func encode(head value: Value, in context: TransformContext) throws -> Data {
        try head.encode(value, in: context)
    }

    func isUnchanged(_ value: Value, sinceHead head: Data, in context: TransformContext) throws -> Bool {
        try self.head.isUnchanged(value, since: head, in: context)
    }

    func decode(_ row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Value {
        guard row.kind(cell) == .blob else {
            throw PlainValueError.unexpected(row.value(cell), for: .transformed)
        }
        return try decoding(row, cell, context)
    }

    func encode(_ value: Value, in context: TransformContext) throws -> ColumnValue {
        .blob(try encoding(value, context))
    }

    func isUnchanged(_ value: Value, since row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Bool {
        guard row.kind(cell) == .blob else { return false }
        return try comparison(value, row.data(cell), context)
    }
}

extension ColumnValue {
    /// Returns a Boolean value that indicates whether both are stored as the same bytes.
    ///
    /// Text is compared by its UTF-8, and numbers by their bits.
    package func isIdentical(to other: Self) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        default: self == other
        }
    }
}
