internal import Foundation
internal import TransformableModel
internal import TransformableStore

/// Why a cell of a store's file cannot be held by its column in PostgreSQL.
enum Misfit: Error {
    /// PostgreSQL's text cannot contain U+0000.
    case nullCharacter
    /// The cell is not stored in the way in which values of its type are.
    case unlikeItsType(ColumnType)
    /// The cell has more bytes than PostgreSQL stores.
    case tooLong
}

/// Converts cells between a store's file and PostgreSQL's binary format.
///
/// Each value has a single form on both sides, so that rows are equal if their bytes are.
extension ColumnType {
    /// Appends a cell as a field.
    ///
    /// - Parameters:
    ///   - row: The row of the file.
    ///   - cell: The position of the cell.
    ///   - isExternal: Whether the cell may be the name of an external value.
    ///   - fields: The fields.
    /// - Throws: ``Misfit`` if the column cannot hold the cell.
    func encode(
        _ row: PackedRow,
        _ cell: Int,
        isExternal: Bool = false,
        into fields: inout RowFields
    ) throws(Misfit) {
        switch (self, row.kind(cell)) {
        case (_, .null): fields.appendNull()
        case (.smallint, .integer): fields.append(field: try whole(row, cell, Int16.self))
        case (.integer, .integer): fields.append(field: try whole(row, cell, Int32.self))
        case (.bigint, .integer): fields.append(field: row.integer(cell))
        case (.boolean, .integer) where 0...1 ~= row.integer(cell): fields.append(field: UInt8(row.integer(cell)))
        case (.double, .real): fields.append(field: row.real(cell).bitPattern)
        case (.bytea, .blob): try encodeValue(row, cell, into: &fields)
        case (.bytea, .text) where isExternal: try encodeName(row, cell, into: &fields)
        case (.text, .text): try encodeText(row, cell, into: &fields)
        case (.uuid, .text): fields.append(field: try uuid(row.text(cell)))
        case (.numeric, .text): try encodeNumeric(row.text(cell), into: &fields)
        case (.cell, let kind): encodeAny(row, cell, kind, into: &fields)
        default: throw .unlikeItsType(self)
        }
    }

    private func whole<Number: FixedWidthInteger>(
        _ row: PackedRow,
        _ cell: Int,
        _: Number.Type
    ) throws(Misfit) -> Number {
        guard let number = Number(exactly: row.integer(cell)) else { throw .unlikeItsType(self) }
        return number
    }

    private func encodeBytes(
        _ row: PackedRow,
        _ cell: Int,
        ending endsField: Bool = true,
        into fields: inout RowFields
    ) throws(Misfit) {
        let start = fields.bytes.count
        fields.append(row, cell)
        if endsField { fields.endField() }
        guard fields.bytes.count - start <= WireBuffer.largestCell else { throw .tooLong }
    }

    /// Appends bytes, with a zero after those that could be taken for the name of an external value.
    private func encodeValue(_ row: PackedRow, _ cell: Int, into fields: inout RowFields) throws(Misfit) {
        let start = fields.bytes.count
        try encodeBytes(row, cell, ending: false, into: &fields)
        if let suffix = BlobName.suffix(of: fields.bytes[start...]) { fields.append(suffix) }
        fields.endField()
    }

    /// Appends the name of an external value.
    private func encodeName(_ row: PackedRow, _ cell: Int, into fields: inout RowFields) throws(Misfit) {
        let start = fields.bytes.count
        try encodeBytes(row, cell, into: &fields)
        guard BlobName.split(fields.bytes[start...]).isName else { throw .unlikeItsType(self) }
    }

    private func encodeText(_ row: PackedRow, _ cell: Int, into fields: inout RowFields) throws(Misfit) {
        let start = fields.bytes.count
        try encodeBytes(row, cell, into: &fields)
        let content = fields.bytes[start...]
        guard !content.contains(0) else { throw .nullCharacter }
        // PostgreSQL refuses what is not UTF-8.
        guard content.allSatisfy({ $0 < 0x80 }) || row.text(cell) != nil else { throw .unlikeItsType(self) }
    }

    /// Appends a number whose text is the one that PostgreSQL would write, down to the zeros at its end.
    private func encodeNumeric(_ text: String?, into fields: inout RowFields) throws(Misfit) {
        guard let text, Self.isCanonical(text), let number = try? PostgresNumeric(text),
            (try? fields.append(value: number)) != nil
        else { throw .unlikeItsType(self) }
    }

    /// Returns whether a number has no zeros before its first digit, and no sign if it is zero.
    private static func isCanonical(_ text: String) -> Bool {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard text != "NaN", !isNegative || digits.contains(where: { (49...57).contains($0) }) else { return false }
        return !digits.starts(with: "0".utf8) || digits.count == 1 || digits.starts(with: "0.".utf8)
    }

    private func encodeAny(_ row: PackedRow, _ cell: Int, _ kind: PackedRow.Kind, into fields: inout RowFields) {
        fields.append(kind.rawValue)
        switch kind {
        case .integer: fields.append(row.integer(cell))
        case .real: fields.append(row.real(cell).bitPattern)
        case .text, .blob: fields.append(row, cell)
        case .null: break
        }
        fields.endField()
    }

    /// Returns a UUID whose text is the one that the store writes.
    private func uuid(_ text: String?) throws(Misfit) -> UUID {
        guard let text, let uuid = UUID(uuidString: text), uuid.uuidString == text else { throw .unlikeItsType(self) }
        return uuid
    }
}

// MARK: - Decoding

extension ColumnType {
    /// Returns the cell of a column, or `nil` if SQLite cannot store its value.
    ///
    /// - Throws: `StoreError` if the column does not contain a value of the type.
    func decode(_ row: borrowing PostgresRow, _ column: Int) throws(StoreError) -> ColumnValue? {
        guard !row.isNull(column) else { return .null }
        return switch self {
        case .smallint: .integer(Int64(try row.value(column, as: Int16.self)))
        case .integer: .integer(Int64(try row.value(column, as: Int32.self)))
        case .bigint: .integer(try row.value(column))
        case .boolean: .integer(try row.value(column, as: Bool.self) ? 1 : 0)
        case .double: Self.real(try row.value(column))
        case .numeric: try Self.number(row, column)
        case .text: .text(try row.value(column))
        case .bytea: Self.bytes(try row.value(column))
        case .uuid: .text(try row.value(column, as: UUID.self).uuidString)
        case .cell: Self.any(try row.value(column))
        }
    }

    /// Returns a value, or the name of an external one.
    private static func bytes(_ bytes: Data) -> ColumnValue {
        let (isName, count) = BlobName.split(bytes)
        return isName ? .text(String(decoding: bytes, as: UTF8.self)) : .blob(bytes.prefix(count))
    }

    private static func real(_ number: Double) -> ColumnValue? { number.isNaN ? nil : .real(number) }

    private static func number(_ row: borrowing PostgresRow, _ column: Int) throws(StoreError) -> ColumnValue? {
        guard unsafe row.withBytes(column, { unsafe PostgresNumeric.isInfinite(wire: $0) }) != true else { return nil }
        let text = try row.value(column, as: PostgresNumeric.self).text
        return text == "NaN" ? nil : .text(text)
    }

    private static func any(_ field: Data) -> ColumnValue? {
        let content = Data(field.dropFirst())
        switch field.first.flatMap(PackedRow.Kind.init(rawValue:)) {
        case .integer: return content.number.map { .integer(Int64(bitPattern: $0)) }
        case .real: return content.number.flatMap { real(Double(bitPattern: $0)) }
        case .text: return String(validating: content, as: UTF8.self).map(ColumnValue.text) ?? .brokenText(content)
        case .blob: return .blob(content)
        case .null, nil: return nil
        }
    }
}

extension Data {
    /// The number of exactly 8 bytes, the highest one first.
    fileprivate var number: UInt64? {
        count == 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
