/// A Swift type whose values a column holds as they are.
///
/// Conforming are the types of all plain kinds of attributes. A type of a program's own conforms by
/// saying which kind it is and how its values become a cell; an enumeration with raw values needs
/// nothing, see ``AttributeDescription/raw(_:as:_:)``.
public protocol PlainValue: SendableMetatype {
    /// The kind of attribute that holds such values.
    static var attributeType: AttributeType { get }

    /// Reads a cell.
    ///
    /// - Parameter column: What the cell holds; never ``ColumnValue/null``.
    /// - Throws: Any error, if no value of the type is stored so.
    init(column: ColumnValue) throws

    /// What the cell of a value holds.
    ///
    /// - Returns: What to store; never ``ColumnValue/null``.
    /// - Throws: Any error, if the value cannot be stored.
    func column() throws -> ColumnValue
}

/// Why a plain value cannot be read or stored; the attribute adds where.
struct PlainValueError: Error, CustomStringConvertible {
    let description: String

    static func unexpected(_ column: ColumnValue, for type: AttributeType) -> Self {
        let found =
            switch column {
            case .null: "nothing"
            case .integer: "a whole number"
            case .real: "a number"
            case .text: "text"
            case .brokenText: "text that is not UTF-8"
            case .blob: "bytes"
            }
        return Self(description: "the cell holds \(found) that is not a value of type “\(type.rawValue)”")
    }
}
