public import Foundation

/// A Swift type whose values are stored directly in a column.
///
/// The Swift types of all plain attribute types conform to this protocol. To make a type of your own conform, state its
/// attribute type and convert its values to and from the content of a cell. An enumeration with raw values does not
/// need to conform. See ``AttributeDescription/raw(_:as:_:)``.
public protocol PlainValue: SendableMetatype {
    /// The attribute type that stores these values.
    static var attributeType: AttributeType { get }

    /// Creates a value from the content of a cell.
    ///
    /// - Parameter column: The cell's content, which is never ``ColumnValue/null``.
    /// - Throws: Any error if the content is not a value of the type.
    init(column: ColumnValue) throws

    /// Returns the content of the value's cell.
    ///
    /// - Returns: The content to store, which must not be ``ColumnValue/null``.
    /// - Throws: Any error if the value cannot be stored.
    func column() throws -> ColumnValue
}

/// The reason why a plain value cannot be read or stored.
///
/// The attribute adds the location.
package struct PlainValueError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }

    package static func unexpected(_ column: ColumnValue, for type: AttributeType) -> Self {
        let found =
            switch column {
            case .null: "nothing"
            case .integer: "a whole number"
            case .real: "a number"
            case .text: "text"
            case .brokenText: "text that is not UTF-8"
            case .blob: "bytes"
            }
        return Self(description: "the cell contains \(found) that is not a value of type “\(type.rawValue)”")
    }
}

/// The content of a cell of a table.
public enum ColumnValue: Sendable, Hashable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// A number.
    ///
    /// It is never NaN, which SQLite would store as NULL.
    case real(Double)
    /// Text, which may contain any characters.
    case text(String)
    /// Text whose bytes are not UTF-8.
    case brokenText(Data)
    /// Bytes.
    case blob(Data)
}
