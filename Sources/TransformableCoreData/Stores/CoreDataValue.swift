public import Foundation

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
