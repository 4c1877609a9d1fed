public import Foundation
internal import Transformable
public import TransformableModel
internal import TransformableStore

/// An object in a Core Data store.
public struct CoreDataRow: Sendable {
    /// The names and columns of an entity's values, which its rows share.
    struct Columns: Sendable {
        let entity: String
        /// The columns of attributes, by their path with dots.
        let attributes: [String: (index: Int, attribute: CoreDataAttribute)]
        let references: [String: TableScan.Reference]
        /// The names of entities, by number.
        let entities: [Int64: String]
    }

    private let columns: Columns
    private let cells: PackedRow

    init(_ columns: Columns, _ cells: PackedRow) {
        self.columns = columns
        self.cells = cells
    }

    /// The object's entity and number, as in the last part of its URI, `Person/p7`.
    public var id: ObjectID { ObjectID(entity: columns.entity, number: cells.integer(TableScan.number)) }

    /// The number of times that the object was saved.
    public var saveCount: Int64 { cells.integer(TableScan.saves) }

    /// Returns the value of an attribute.
    ///
    /// - Parameter name: The attribute's name. Elements of a composite attribute follow its name and a dot.
    /// - Returns: The value, or `nil` if there is none.
    /// - Throws: `CoreDataError` with the code `unknown-name`, or with
    ///   `invalid-value` if the value is not of the attribute's type.
    public func value(_ name: String) throws(CoreDataError) -> CoreDataValue? {
        guard let (index, attribute) = columns.attributes[name] else {
            throw CoreDataError(.unknownName, "there is no such attribute", entity: columns.entity, property: name)
        }
        guard !cells.isNull(index) else { return nil }
        guard let value = CoreDataValue(cells, index, attribute) else {
            let reason = "the value of object \(id.number) is not of type \(attribute.type.name)"
            throw CoreDataError(.invalidValue, reason, entity: columns.entity, property: name)
        }
        return value
    }

    /// Returns the object of a to-one relationship.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The object, or `nil` if there is none.
    /// - Throws: `CoreDataError` with the code `unknown-name`, or with
    ///   `dangling-reference` if the object does not exist.
    public func reference(_ name: String) throws(CoreDataError) -> ObjectID? {
        guard let reference = columns.references[name] else {
            let reason = "there is no such to-one relationship"
            throw CoreDataError(.unknownName, reason, entity: columns.entity, property: name)
        }
        guard !cells.isNull(reference.value) else { return nil }
        guard cells.kind(reference.value) == .integer, cells.kind(reference.target) == .integer,
            let entity = columns.entities[cells.integer(reference.target)]
        else {
            let reason = "object \(id.number) refers to an object that does not exist"
            throw CoreDataError(.danglingReference, reason, entity: columns.entity, property: name)
        }
        return ObjectID(entity: entity, number: cells.integer(reference.value))
    }
}

extension CoreDataValue {
    /// Reads a cell, or returns `nil` if it does not contain a value of the attribute's type.
    init?(_ cells: PackedRow, _ index: Int, _ attribute: CoreDataAttribute) {
        switch (attribute.type, cells.value(index)) {
        case (.integer16, .integer(let number)) where Int16(exactly: number) == nil: return nil
        case (.integer32, .integer(let number)) where Int32(exactly: number) == nil: return nil
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
            (.integer64, .integer(let number)):
            self = .integer(number)
        case (.boolean, .integer(let number)): self = .boolean(number != 0)
        case (.double, .real(let number)), (.float, .real(let number)): self = .number(number)
        case (.double, .integer(let number)), (.float, .integer(let number)): self = .number(Double(number))
        case (.date, .real(let seconds)): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .integer(let seconds)): self = .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.decimal, .text("NaN")): self = .decimal(.nan)
        case (.decimal, let cell):
            guard let text = cell.decimalDigits, let number = try? DecimalText.decimal(text) else { return nil }
            self = .decimal(number)
        case (.string, .text(let text)): self = .string(text)
        case (.uri, .text(let text)): self = .uri(text)
        case (.uuid, .blob(let bytes)):
            guard let uuid = UUID(bytes: bytes) else { return nil }
            self = .uuid(uuid)
        case (.binary, .blob(let bytes)), (.transformable, .blob(let bytes)):
            self = Self(bytes, mayBeExternal: attribute.allowsExternalStorage)
        default: return nil
        }
    }

    private init(_ bytes: Data, mayBeExternal: Bool) {
        guard mayBeExternal, let stored = ExternalData(bytes) else {
            self = .data(bytes)
            return
        }
        switch stored {
        case .inline(let value): self = .data(value)
        case .file(let uuid): self = .externalData(uuid)
        }
    }
}

extension ColumnValue {
    /// The digits of a decimal number, which Core Data stores as an integer, a number, or text.
    var decimalDigits: String? {
        switch self {
        case .integer(let number): String(number)
        // The shortest digits that are read as this number.
        case .real(let number): number.isFinite ? number.description : nil
        case .text(let text): text
        case .null, .brokenText, .blob: nil
        }
    }
}

extension UUID {
    /// Creates a UUID from its 16 bytes.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        let b = [UInt8](bytes)
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }
}

/// A value in a Core Data store.
public enum CoreDataValue: Sendable, Hashable {
    /// An integer.
    case integer(Int64)
    /// A single-precision or double-precision number.
    case number(Double)
    /// A decimal number, which may be `Decimal.nan`.
    case decimal(Decimal)
    /// A Boolean value.
    case boolean(Bool)
    /// Text.
    case string(String)
    /// A date.
    case date(Date)
    /// Data, or the bytes that a value transformer returned.
    case data(Data)
    /// The name of a file with such data, in the folder next to the store that
    /// ``CoreDataStore/externalDataFolder`` names.
    case externalData(UUID)
    /// A UUID.
    case uuid(UUID)
    /// A URI, as text.
    case uri(String)
}
