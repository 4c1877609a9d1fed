/// The type of an attribute in a Core Data model.
///
/// The raw value is the number that Core Data uses in compiled models.
public enum CoreDataAttributeType: Int, Sendable, Hashable, CaseIterable {
    /// A type that is unknown to Core Data. Only transient attributes have this type.
    case undefined = 0
    /// A 16-bit integer.
    case integer16 = 100
    /// A 32-bit integer.
    case integer32 = 200
    /// A 64-bit integer.
    case integer64 = 300
    /// A decimal number.
    case decimal = 400
    /// A double-precision number.
    case double = 500
    /// A single-precision number.
    case float = 600
    /// Text.
    case string = 700
    /// A Boolean value.
    case boolean = 800
    /// A date.
    case date = 900
    /// Data.
    case binary = 1000
    /// A UUID.
    case uuid = 1100
    /// A URI.
    case uri = 1200
    /// A value that a value transformer stores as data.
    case transformable = 1800
    /// The identifier of an object. Only transient attributes have this type.
    case objectID = 2000
    /// A value whose elements are stored in columns of their own.
    case composite = 2100
}

extension CoreDataAttributeType {
    /// The type's name in the XML form of a model, such as `Integer 64`.
    public var name: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }

    /// Returns the type with the given name in the XML form of a model.
    ///
    /// - Parameter name: The name, such as `Integer 64`.
    public init?(name: some StringProtocol) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }
}
