/// An attribute of an entity: its name, its type, and its transformer if it has one.
///
/// ```swift
/// EntityDescription("Patient", attributes: [
///     .string("name", .indexed),
///     .transformed("bed", "rect", as: CGRect.self),
///     .transformed("ssn", "sealed", as: String.self, .optional, .projected("blind-index(bits: 32)")),
/// ])
/// ```
public struct AttributeDescription: Sendable, Hashable {
    /// The name of the attribute and of its column.
    public var name: String
    /// The type.
    public var type: AttributeType
    /// The expression of the transformer, or `nil` for a plain attribute.
    ///
    /// A transformed attribute that names no transformer uses ``defaultTransformer``.
    public var transformer: String?
    /// Whether the attribute is optional.
    public var isOptional = false
    /// Whether the attribute is kept only in memory and discarded along with its object.
    public var isTransient = false
    /// Whether the attribute's column is indexed.
    public var isIndexed = false
    /// Whether the attribute's values are unique.
    public var isUnique = false
    /// The derivation that computes the attribute's value from the rest of its object, or `nil` if programs set it.
    public var derivation: Derivation?
    /// The attribute's value in a new object.
    public var defaultValue: DefaultValue?
    /// The rules that values are checked against.
    public var validation = ValidationRules.none
    /// The size in bytes from which a value is stored in a file of its own, or `nil` to keep all values in the
    /// database.
    public var externalThreshold: Int?
    /// The point at which stored bytes are decoded.
    public var decoding = DecodingStrategy.onAccess
    /// The point at which values are encoded.
    public var encoding = EncodingStrategy.onSave
    /// The columns that are computed from the attribute's value.
    public var projections: [ProjectionDescription] = []
    /// The attribute's names in earlier versions of the model, oldest first.
    public var renamedFrom = FormerNames()
    /// The version of the model that added the attribute, or `nil` if it is not stated.
    ///
    /// The version distinguishes the attribute from one with the same name that was in earlier versions and was
    /// removed.
    public var addedIn: Int?
    /// Additional information for the program's own use.
    public var userInfo: [String: String] = [:]
    /// The Swift type of the values.
    ///
    /// If it is `nil`, as it always is for a model read from JSON, the type follows from the transformer or from
    /// ``type``.
    public var valueType: AttributeValueType?

    package init(
        _ name: String,
        _ type: AttributeType,
        transformer: String? = nil,
        valueType: AttributeValueType? = nil,
        _ options: [AttributeOption] = []
    ) {
        self.name = name
        self.type = type
        self.transformer = transformer
        self.valueType = valueType
        for option in options {
            option.apply(&self)
        }
    }
}

extension AttributeDescription {
    /// The transformer of transformed attributes that name none.
    ///
    /// It is `keyed-archive`, as in Core Data.
    public static let defaultTransformer = "keyed-archive"

    /// Sets how the value is computed.
    ///
    /// A count has no column.
    mutating func setDerivation(_ derivation: Derivation?) {
        self.derivation = derivation
        guard case .count? = derivation else { return }
        isTransient = true
        isOptional = true
    }

    /// The expression of the transformer that stores the attribute.
    package var storedExpression: String { transformer ?? Self.defaultTransformer }
}

/// The value of an attribute in a new object.
public enum DefaultValue: Sendable, Hashable {
    /// An integer, for numeric attributes.
    case integer(Int64)
    /// A number, for attributes with fractions. A decimal attribute gets exactly the digits that are needed to write
    /// the number.
    case number(Double)
    /// Text. For an attribute that is not a string, the text form of its values, such as `2024-05-22T00:59:00Z` for a
    /// date. A decimal number can have up to 38 digits.
    case string(String)
    /// A Boolean value.
    case boolean(Bool)
    /// The time at which the object is inserted.
    case now
    /// A new random UUID.
    case newUUID
}

extension DefaultValue: ExpressibleByIntegerLiteral {
    /// Creates a default from an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension DefaultValue: ExpressibleByFloatLiteral {
    /// Creates a default from a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension DefaultValue: ExpressibleByStringLiteral {
    /// Creates a default from a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension DefaultValue: ExpressibleByBooleanLiteral {
    /// Creates a default from a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension DefaultValue {
    /// Returns the reason why the value cannot be the default of an attribute of the given type, or `nil` if it can.
    package func fault(for type: AttributeType) -> String? {
        switch (self, type) {
        case (.number(let number), _) where !number.isFinite: "is not finite"
        case (.integer, .float), (.integer, .double), (.integer, .decimal): nil
        case (.integer(let number), _) where type.integers != nil:
            type.integers?.contains(number) == true ? nil : "does not fit the type “\(type.rawValue)”"
        case (.number, .float), (.number, .double): nil
        case (.number(let number), .decimal):
            PlainText.parses("\(number)", as: .decimal) ? nil : "is not a decimal number"
        // A transformer's input type is known only after the transformer is resolved.
        case (_, .transformed): nil
        case (.boolean, .boolean), (.now, .date), (.newUUID, .uuid), (.string, .string): nil
        case (.string(let text), _):
            PlainText.parses(text, as: type) ? nil : "is not a value of type “\(type.rawValue)”"
        default: "is not a value of type “\(type.rawValue)”"
        }
    }
}
