public import struct Foundation.Data

/// The default value of an attribute in a Core Data model.
///
/// Models as XML keep defaults as text, which need not fit the attribute's type: `0` for a Boolean value, `NO` for an
/// integer. A default is given here in the form that fits the type, whatever the source.
public enum CoreDataDefaultValue: Sendable, Hashable {
    /// An integer.
    case integer(Int64)
    /// A single-precision or double-precision number.
    case number(Double)
    /// The digits of a decimal number, or `NaN`.
    case decimal(String)
    /// A Boolean value.
    case boolean(Bool)
    /// Text. For a URI or a UUID, its text form.
    case string(String)
    /// A date, in seconds since January 1, 2001, 00:00 UTC.
    case date(Double)
    /// Data.
    case data(Data)
    /// A default that does not fit the attribute's type, as text.
    case invalid(String)
}
