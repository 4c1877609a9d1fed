public import Foundation

/// A Swift type whose values are stored in several columns.
///
/// See ``CompositeDescription``.
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

    /// Creates a value from its parts.
    ///
    /// - Parameter parts: Provides the value of each part.
    /// - Throws: Any error if the parts do not form a valid value, and errors thrown by `parts`.
    init(parts: CompositeParts) throws
}

/// A part of a composite value.
public struct CompositePart<Whole>: Sendable {
    let attribute: AttributeDescription
    let value: @Sendable (Whole) -> (any Sendable)?

    /// Creates a description of a part.
    ///
    /// - Parameters:
    ///   - name: The part's short name.
    ///   - options: The options of the part's column.
    ///   - value: Returns the part of a whole value.
    public init<Part: PlainValue & Sendable>(
        _ name: String,
        _ options: AttributeOption...,
        value: @escaping @Sendable (Whole) -> Part
    ) {
        let type = AttributeValueType(plain: Part.self)
        attribute = AttributeDescription(name, Part.attributeType, valueType: type, options)
        self.value = value
    }

    /// Creates a description of an optional part.
    ///
    /// - Parameters:
    ///   - name: The part's short name.
    ///   - options: The options of the part's column.
    ///   - value: Returns the part of a whole value, or `nil`.
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

extension CompositePart {
    /// Creates a description of a part that a transformer stores.
    ///
    /// ```swift
    /// CompositePart(transformed: "tags", "json") { $0.tags }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The part's short name.
    ///   - transformer: The expression of the transformer.
    ///   - options: The options of the part's column.
    ///   - value: Returns the part of a whole value.
    public init<Part: Sendable>(
        transformed name: String,
        _ transformer: String,
        _ options: AttributeOption...,
        value: @escaping @Sendable (Whole) -> Part
    ) {
        let type = AttributeValueType(transformed: Part.self)
        attribute = AttributeDescription(name, .transformed, transformer: transformer, valueType: type, options)
        self.value = value
    }

    /// Creates a description of an optional part that a transformer stores.
    ///
    /// - Parameters:
    ///   - name: The part's short name.
    ///   - transformer: The expression of the transformer.
    ///   - options: The options of the part's column.
    ///   - value: Returns the part of a whole value, or `nil`.
    public init<Part: Sendable>(
        optionalTransformed name: String,
        _ transformer: String,
        _ options: AttributeOption...,
        value: @escaping @Sendable (Whole) -> Part?
    ) {
        let type = AttributeValueType(transformed: Part.self)
        let options = options + [.optional]
        attribute = AttributeDescription(name, .transformed, transformer: transformer, valueType: type, options)
        self.value = value
    }
}

/// The parts of an object's composite value.
public struct CompositeParts {
    /// The value of a part, and the error if it is read as a different type.
    package typealias Part = (value: Any, mismatch: (any Any.Type) -> StoreError)

    private let composite: CompositeDescription
    /// The object that the value belongs to.
    private let object: ObjectID
    private let part: (_ attribute: String) throws -> Part?

    /// Creates the parts of an object's composite value.
    ///
    /// The function returns the part that an attribute stores, or `nil` if the attribute has no value.
    package init(
        composite: CompositeDescription,
        object: ObjectID,
        part: @escaping (_ attribute: String) throws -> Part?
    ) {
        self.composite = composite
        self.object = object
        self.part = part
    }

    /// Returns the value of a part.
    ///
    /// - Parameter name: The part's short name.
    /// - Returns: The value.
    /// - Throws: ``StoreError`` if there is no such part, or if it has no value of this type.
    public func callAsFunction<Part: PlainValue>(_ name: String) throws -> Part {
        guard let value = try callAsFunction(optional: name) as Part? else {
            throw StoreError.missingPart(name, of: composite, object)
        }
        return value
    }

    /// Returns the value of an optional part.
    ///
    /// - Parameter name: The part's short name.
    /// - Returns: The value, or `nil` if the part has none.
    /// - Throws: ``StoreError`` if there is no such part, or if its value is of a different type.
    public func callAsFunction<Part: PlainValue>(optional name: String) throws -> Part? {
        guard let found = try part(composite.attributeName(name)) else { return nil }
        if let value = found.value as? Part { return value }
        if let plain = found.value as? any PlainValue, let value = try? Part(column: plain.column()) { return value }
        throw found.mismatch(Part.self)
    }
}

extension CompositeParts {
    /// Returns the value of a part that a transformer stores.
    ///
    /// - Parameter name: The part's short name.
    /// - Returns: The value.
    /// - Throws: ``StoreError`` if there is no such part, or if it has no value of this type.
    public func callAsFunction<Part>(transformed name: String) throws -> Part {
        guard let value = try callAsFunction(optionalTransformed: name) as Part? else {
            throw StoreError.missingPart(name, of: composite, object)
        }
        return value
    }

    /// Returns the value of an optional part that a transformer stores.
    ///
    /// - Parameter name: The part's short name.
    /// - Returns: The value, or `nil` if the part has none.
    /// - Throws: ``StoreError`` if there is no such part, or if its value is of a different type.
    public func callAsFunction<Part>(optionalTransformed name: String) throws -> Part? {
        guard let found = try part(composite.attributeName(name)) else { return nil }
        guard let value = found.value as? Part else { throw found.mismatch(Part.self) }
        return value
    }

    /// Returns the whole value, or `nil` if no part has a value but one of them or the whole could have none.
    package func whole<Value>(as type: Value.Type) throws -> Value? {
        let parts = composite.parts.map(\.name).joined(separator: ", ")
        let mismatch = StoreError(
            .wrongType,
            "it has the parts \(parts), which do not form a value of type \(type)",
            entity: object.entity,
            attribute: composite.name
        )
        guard let target = type as? any CompositeValue.Type else { throw mismatch }
        let isPresent = try composite.isAlwaysPresent || composite.attributes.contains { try part($0.name) != nil }
        guard isPresent else { return nil }
        do {
            return try target.init(parts: self) as? Value
        } catch let error as StoreError {
            throw error.code == .unknownAttribute ? mismatch : error
        } catch {
            throw StoreError(
                .undecodable,
                "its parts do not form a valid value",
                entity: object.entity,
                attribute: composite.name,
                object: object,
                underlying: error
            )
        }
    }
}

extension StoreError {
    package static func missingPart(_ part: String, of composite: CompositeDescription, _ object: ObjectID) -> Self {
        Self(
            .missingValue,
            "its part “\(part)” has no value, but other parts do; set all parts, or clear the whole value",
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
    package var partValues: [String: (any Sendable)?] {
        Dictionary(uniqueKeysWithValues: Self.parts.map { ($0.attribute.name, $0.value(self)) })
    }
}

extension CGPoint: CompositeValue {
    /// The parts: the coordinates.
    public static var parts: [CompositePart<Self>] {
        [CompositePart("x") { Double($0.x) }, CompositePart("y") { Double($0.y) }]
    }

    /// Creates a point from its coordinates.
    public init(parts: CompositeParts) throws {
        self.init(x: try parts("x") as Double, y: try parts("y") as Double)
    }
}

extension CGSize: CompositeValue {
    /// The parts: the width and the height.
    public static var parts: [CompositePart<Self>] {
        [CompositePart("width") { Double($0.width) }, CompositePart("height") { Double($0.height) }]
    }

    /// Creates a size from its width and height.
    public init(parts: CompositeParts) throws {
        self.init(width: try parts("width") as Double, height: try parts("height") as Double)
    }
}

extension CGRect: CompositeValue {
    /// The parts: the coordinates of the origin, the width, and the height.
    public static var parts: [CompositePart<Self>] {
        [
            CompositePart("x") { Double($0.origin.x) }, CompositePart("y") { Double($0.origin.y) },
            CompositePart("width") { Double($0.size.width) }, CompositePart("height") { Double($0.size.height) },
        ]
    }

    /// Creates a rect from its origin and size.
    public init(parts: CompositeParts) throws {
        self.init(origin: try CGPoint(parts: parts), size: try CGSize(parts: parts))
    }
}
