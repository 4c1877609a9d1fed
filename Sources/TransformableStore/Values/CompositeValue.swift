public import Foundation

/// A Swift type whose values lie in several columns, see ``CompositeDescription``.
///
/// ```swift
/// extension Money: CompositeValue {
///     static var parts: [CompositePart<Money>] {
///         [CompositePart("amount") { $0.amount }, CompositePart("currency") { $0.currency }]
///     }
///
///     init(parts: CompositeParts) throws {
///         self.init(amount: try parts("amount"), currency: try parts("currency"))
///     }
/// }
/// ```
public protocol CompositeValue: Sendable {
    /// The parts, in the order of their columns.
    static var parts: [CompositePart<Self>] { get }

    /// Creates a value of its parts.
    ///
    /// - Parameter parts: Gives the value of each.
    /// - Throws: Any error, if these parts make no value; what `parts` throws.
    init(parts: CompositeParts) throws
}

/// A part of a composite value: its name, and how it is taken out of the whole.
public struct CompositePart<Whole>: Sendable {
    let attribute: AttributeDescription
    let value: @Sendable (Whole) -> (any PlainValue & Sendable)?

    /// Describes a part.
    ///
    /// - Parameters:
    ///   - name: The part's short name.
    ///   - options: What else is to be said about its column.
    ///   - value: Takes it out of the whole.
    public init<Part: PlainValue & Sendable>(
        _ name: String,
        _ options: AttributeOption...,
        value: @escaping @Sendable (Whole) -> Part
    ) {
        let type = AttributeValueType(plain: Part.self)
        attribute = AttributeDescription(name, Part.attributeType, valueType: type, options)
        self.value = value
    }

    /// Describes a part that may have no value.
    ///
    /// - Parameters:
    ///   - name: The part's short name.
    ///   - options: What else is to be said about its column.
    ///   - value: Takes it out of the whole.
    public init<Part: PlainValue & Sendable>(
        optional name: String,
        _ options: AttributeOption...,
        value: @escaping @Sendable (Whole) -> Part?
    ) {
        let type = AttributeValueType(plain: Part.self)
        attribute = AttributeDescription(name, Part.attributeType, valueType: type, options + [.optional])
        self.value = value
    }
}

/// The parts of a composite value of one object.
public struct CompositeParts {
    let composite: CompositeDescription
    /// The object that has them.
    let object: ObjectID
    /// Gives the value of an attribute, if it has one, and the attribute.
    let part: (String) throws -> (value: Any, attribute: StoredAttribute)?

    /// Gives a part.
    ///
    /// - Parameter name: The part's short name.
    /// - Returns: Its value.
    /// - Throws: ``StoreError``.
    public func callAsFunction<Part: PlainValue>(_ name: String) throws -> Part {
        guard let value = try callAsFunction(optional: name) as Part? else {
            throw StoreError.missingPart(name, of: composite, object)
        }
        return value
    }

    /// Gives a part that may have no value.
    ///
    /// - Parameter name: The part's short name.
    /// - Returns: Its value; nil if it has none.
    /// - Throws: ``StoreError``.
    public func callAsFunction<Part: PlainValue>(optional name: String) throws -> Part? {
        try part(composite.attributeName(name)).map { try ManagedObject.convert($0.value, of: $0.attribute) }
    }
}

extension CompositeParts {
    /// The whole; nil if no part has a value.
    func whole<Value>(as type: Value.Type) throws -> Value? {
        let mismatch = StoreError(
            .wrongType,
            "it has the parts \(composite.parts.map(\.name).joined(separator: ", ")), which make no \(type)",
            entity: object.entity,
            attribute: composite.name
        )
        guard let target = type as? any CompositeValue.Type else { throw mismatch }
        guard try composite.attributes.contains(where: { try part($0.name) != nil }) else { return nil }
        do {
            return try target.init(parts: self) as? Value
        } catch let error as StoreError {
            throw error.code == .unknownAttribute ? mismatch : error
        } catch {
            throw StoreError(
                .undecodable,
                "its parts make no value",
                entity: object.entity,
                attribute: composite.name,
                object: object,
                underlying: error
            )
        }
    }
}

extension StoreError {
    static func missingPart(_ part: String, of composite: CompositeDescription, _ object: ObjectID) -> Self {
        Self(
            .missingValue,
            "its part “\(part)” has no value, and others have one; set them all, or take the whole value away",
            entity: object.entity,
            attribute: composite.name,
            object: object
        )
    }
}

@available(*, unavailable)
extension CompositeParts: Sendable {}

extension CompositeValue {
    /// The values of the parts, by their short names.
    var partValues: [String: (any PlainValue & Sendable)?] {
        Dictionary(uniqueKeysWithValues: Self.parts.map { ($0.attribute.name, $0.value(self)) })
    }
}

extension CGPoint: CompositeValue {
    /// The coordinates.
    public static var parts: [CompositePart<Self>] {
        [CompositePart("x") { Double($0.x) }, CompositePart("y") { Double($0.y) }]
    }

    /// Creates a point of its coordinates.
    public init(parts: CompositeParts) throws {
        self.init(x: try parts("x") as Double, y: try parts("y") as Double)
    }
}

extension CGSize: CompositeValue {
    /// Width and height.
    public static var parts: [CompositePart<Self>] {
        [CompositePart("width") { Double($0.width) }, CompositePart("height") { Double($0.height) }]
    }

    /// Creates a size of its width and height.
    public init(parts: CompositeParts) throws {
        self.init(width: try parts("width") as Double, height: try parts("height") as Double)
    }
}

extension CGRect: CompositeValue {
    /// The coordinates of the origin, width and height.
    public static var parts: [CompositePart<Self>] {
        [
            CompositePart("x") { Double($0.origin.x) }, CompositePart("y") { Double($0.origin.y) },
            CompositePart("width") { Double($0.size.width) }, CompositePart("height") { Double($0.size.height) },
        ]
    }

    /// Creates a rect of its origin and size.
    public init(parts: CompositeParts) throws {
        self.init(origin: try CGPoint(parts: parts), size: try CGSize(parts: parts))
    }
}
