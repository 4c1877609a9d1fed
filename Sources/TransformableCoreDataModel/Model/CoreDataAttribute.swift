public import struct Foundation.Data

/// An attribute of an entity in a Core Data model, or an element of a composite attribute.
///
/// Properties whose documentation says “XML only” are not in compiled models. They are then `nil` or `false`.
public struct CoreDataAttribute: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The type.
    public var type: CoreDataAttributeType
    /// Whether the attribute is optional.
    public var isOptional = false
    /// Whether the attribute is not stored.
    public var isTransient = false
    /// Whether the attribute has an index of its own, as models declared it before fetch indexes.
    public var isIndexed = false
    /// The value in a new object, or `nil` if there is none.
    public var defaultValue: CoreDataDefaultValue?
    /// The smallest valid value, in decimal digits, or `nil` if there is none.
    ///
    /// For text it is a length, for a date a number of seconds since January 1, 2001, 00:00 UTC.
    public var minimum: String?
    /// The largest valid value, in decimal digits, or `nil` if there is none.
    ///
    /// See ``minimum``.
    public var maximum: String?
    /// The regular expression that text must match, or `nil` if there is none.
    public var pattern: String?
    /// The name of the value transformer, or `nil` if the model states none.
    ///
    /// It is never empty.
    public var transformerName: String?
    /// The class of a transformable attribute's values as the model states it, or `nil`.
    ///
    /// It does not have to be valid Swift.
    public var className: String?
    /// Whether generated code uses a scalar type for the attribute.
    ///
    /// XML only.
    public var usesScalarType: Bool?
    /// Whether large values can be in files of their own.
    ///
    /// The stored bytes of such an attribute begin with a byte that says where the value is.
    public var allowsExternalStorage = false
    /// How the value is computed if the attribute is derived.
    public var derivation: CoreDataDerivation?
    /// The name of the composite that the attribute's elements are taken from.
    ///
    /// XML only.
    public var compositeName: String?
    /// The elements of a composite attribute, in the order of the model.
    ///
    /// They can be composites too.
    public var elements: [CoreDataAttribute] = []
    /// Whether the values are encrypted in CloudKit.
    public var allowsCloudEncryption = false
    /// Whether the value is kept in the store's history when its object is deleted.
    public var preservesValueOnDeletion = false
    /// Whether Spotlight indexes the values.
    public var isIndexedBySpotlight = false
    /// Whether the attribute takes part in synchronization.
    ///
    /// XML only.
    public var isSyncable: Bool?
    /// The identifier by which migrations recognize the attribute under its new name, usually its former name.
    public var renamingIdentifier: String?
    /// A string that makes two versions of the attribute differ.
    public var versionHashModifier: String?
    /// Additional information for the app's own use.
    public var userInfo: [String: String] = [:]

    /// Creates an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The attribute's type.
    ///   - optional: Whether the attribute is optional.
    ///   - elements: The elements of a composite attribute.
    public init(
        _ name: String,
        _ type: CoreDataAttributeType,
        optional: Bool = false,
        elements: [CoreDataAttribute] = []
    ) {
        self.name = name
        self.type = type
        isOptional = optional
        self.elements = elements
    }
}

extension CoreDataAttribute {
    /// The attributes that have a column: the attribute itself, or the elements of a composite and of the composites
    /// in it.
    public var leaves: [CoreDataAttribute] {
        type == .composite ? elements.flatMap(\.leaves) : [self]
    }
}

/// How Core Data computes the value of a derived attribute.
public struct CoreDataDerivation: Sendable, Hashable {
    /// The expression, such as `messages.@count` or `lowercase:(name)`.
    ///
    /// A count that is written as the function `count:(messages)` is `messages.@count`, too.
    public var expression: String
    /// The predicate that restricts the objects that the expression counts or sums, or `nil` if there is none.
    public var predicate: String?

    /// Creates a derivation.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - predicate: The predicate that restricts the objects that the expression counts or sums.
    public init(_ expression: String, predicate: String? = nil) {
        let counted = expression.wholeMatch(of: /\s*count:\(\s*([A-Za-z_][A-Za-z0-9_.]*)\s*\)\s*/)?.1
        self.expression = counted.map { "\($0).@count" } ?? expression
        self.predicate = predicate
    }
}

/// The default value of an attribute in a Core Data model.
///
/// In XML, defaults are text that may not fit the attribute's type, such as `0` for a Boolean value or `NO` for an
/// integer. Here, a default has the form that fits the type, regardless of the source.
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
