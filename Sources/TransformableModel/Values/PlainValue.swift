public import Foundation
package import Transformable

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
            case .blob: "data"
            }
        return Self(description: "the cell contains \(found) that is not a value of type “\(type.rawValue)”")
    }
}

extension PlainValue {
    /// Returns a value that was created from one of another type, which is stored in the same way.
    ///
    /// It is not an initializer, because `map(String.init)` would choose it.
    ///
    /// A number from a `Double` is rounded to the precision of the type.
    ///
    /// - Parameter other: The other value.
    /// - Returns: The value.
    /// - Throws: Any error if the value cannot be stored, or if it is a number that the type cannot hold.
    package static func converted(_ other: any PlainValue) throws -> Self {
        let cell = try other.column()
        let value = try Self(column: cell)
        guard try value.column().keeps(cell) else { throw PlainValueError.unexpected(cell, for: attributeType) }
        return value
    }
}

extension ColumnValue {
    /// Whether a number that was converted to this one is still the same, apart from the rounding of a real number.
    fileprivate func keeps(_ number: Self) -> Bool {
        switch (number, self) {
        case (.integer(let whole), .real(let real)): Int64(exactly: real) == whole
        case (.real(let real), .real(let rounded)): real.isFinite == rounded.isFinite && (real == 0) == (rounded == 0)
        default: true
        }
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

    /// Returns what is wrong with a string that is not a value of a type, or `nil` if naming the type says it all.
    package static func fault(_ text: String, as type: AttributeType) -> TransformerError? {
        do throws(TransformerError) {
            switch type {
            case .date: _ = try DateText.seconds(text)
            case .decimal: _ = try DecimalText.decimal(text)
            case .boolean: return .invalidData("it must be true or false")
            case .uuid: return .invalidData("it must have hexadecimal digits in the form 8-4-4-4-12")
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

/// The human forms of plain types that have no lossless text in Swift.
package enum PlainForm {
    package static func form(for type: any Any.Type) -> AnyHumanForm? {
        switch type {
        case is Date.Type: date
        case is UUID.Type: uuid
        case is URL.Type: url
        case is Decimal.Type: decimal
        default: .automatic(for: type)
        }
    }

    private static let date = AnyHumanForm(.text(parse: parse(as: .date), print: DateText.text(of:)))
    private static let uuid = AnyHumanForm(.text(parse: parse(as: .uuid)) { (uuid: UUID) in uuid.uuidString })
    private static let url = AnyHumanForm(.text(parse: parse(as: .url)) { (url: URL) in URLText.text(of: url) })
    private static let decimal = AnyHumanForm(
        .text(parse: parse(as: .decimal)) { (number: Decimal) in DecimalText.text(of: number) }
    )

    private static func parse<Value: PlainValue>(as type: AttributeType) -> @Sendable (String) throws -> Value {
        { text in
            guard let column = PlainText.column(text, as: type) else {
                throw PlainText.fault(text, as: type)
                    ?? TransformerError.invalidData("the text is not a value of type “\(type.rawValue)”")
            }
            return try Value(column: column)
        }
    }
}
