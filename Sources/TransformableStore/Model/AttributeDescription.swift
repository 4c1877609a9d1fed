/// One value of an entity's objects: its name, its kind, and for a transformed one its transformer.
///
/// ```swift
/// EntityDescription("Patient", attributes: [
///     .string("name", .indexed),
///     .transformed("bed", "rect", as: CGRect.self),
///     .transformed("ssn", "sealed", as: String.self, .optional, .projected("blind-index(bits: 32)")),
/// ])
/// ```
public struct AttributeDescription: Sendable, Hashable {
    /// The name, which is the column's name too.
    public var name: String
    /// The kind.
    public var type: AttributeType
    /// The expression of the transformer; nil for a plain attribute.
    ///
    /// A transformed attribute without one is stored by ``defaultTransformer``.
    public var transformer: String?
    /// Whether it may have no value.
    public var isOptional = false
    /// Whether it is kept in memory only, and dropped with its object.
    public var isTransient = false
    /// Whether its column has an index.
    public var isIndexed = false
    /// Whether each of its values occurs once.
    public var isUnique = false
    /// What it holds in a new object.
    public var defaultValue: DefaultValue?
    /// What values it accepts.
    public var validation = ValidationRules.none
    /// From how many bytes on its value lies in a file of its own; nil keeps it in the database.
    public var externalThreshold: Int?
    /// When stored bytes become its value.
    public var decoding = DecodingStrategy.onAccess
    /// When its value becomes the bytes to store.
    public var encoding = EncodingStrategy.onSave
    /// Columns computed from its value.
    public var projections: [ProjectionDescription] = []
    /// The names in earlier versions of the model, the oldest first.
    public var renamedFrom = FormerNames()
    /// The version of the model that added it; nil if that is not stated.
    ///
    /// It tells the attribute from one of the same name that earlier versions had and dropped.
    public var addedIn: Int?
    /// Notes of the program's own.
    public var userInfo: [String: String] = [:]
    /// The Swift type of its values; nil, as always from JSON, leaves it to the transformer or the kind.
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
    /// What stores a transformed attribute that names no transformer: `keyed-archive`, as in Core Data.
    public static let defaultTransformer = "keyed-archive"

    /// The expression that stores a transformed attribute.
    var storedExpression: String { transformer ?? Self.defaultTransformer }
}
