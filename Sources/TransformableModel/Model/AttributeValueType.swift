/// The Swift type of an attribute's values, as declared in code.
public struct AttributeValueType: Sendable {
    /// The type.
    public let type: any Any.Type
    private let storage: any AttributeStorage

    /// Creates the type of an attribute that is stored by a transformer.
    package init<Value>(transformed type: Value.Type) {
        self.type = type
        storage = TransformedStorage()
    }

    /// Creates the type of an attribute that is kept only in memory.
    package init<Value>(transient type: Value.Type) {
        self.type = type
        storage = TransientStorage<Value>()
    }

    /// Creates the type of an attribute whose values are stored directly in its column.
    package init<Value: PlainValue>(plain type: Value.Type) {
        self.type = type
        storage = PlainStorage<Value>()
    }

    /// Creates the type of an attribute whose raw values are stored in its column.
    package init<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) where Value.RawValue: PlainValue {
        self.type = type
        storage = RawStorage<Value>()
    }

    /// Calls the visitor's method for the way in which values of the type are stored.
    ///
    /// - Parameter visitor: The visitor.
    /// - Returns: The visitor's result, or `nil` for a type that is stored by a transformer.
    package func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        storage.accept(&visitor)
    }
}

extension AttributeValueType: Hashable {
    /// Returns a Boolean value that indicates whether two values refer to the same Swift type.
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    /// Hashes the type.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}

/// Creates a result for an attribute from the type of its values, which is known at compile time.
package protocol AttributeTypeVisitor {
    associatedtype Result

    /// Visits the type of an attribute that is kept only in memory.
    mutating func visit<Value>(transient type: Value.Type) -> Result
    /// Visits the type of an attribute whose values are stored directly in its column.
    mutating func visit<Value: PlainValue>(plain type: Value.Type) -> Result
    /// Visits the type of an attribute whose raw values are stored in its column.
    mutating func visit<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) -> Result
    where Value.RawValue: PlainValue
}

/// How an attribute's values are stored, along with their type.
private protocol AttributeStorage: Sendable {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result?
}

private struct TransformedStorage: AttributeStorage {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? { nil }
}

private struct TransientStorage<Value>: AttributeStorage {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        visitor.visit(transient: Value.self)
    }
}

private struct PlainStorage<Value: PlainValue>: AttributeStorage {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        visitor.visit(plain: Value.self)
    }
}

private struct RawStorage<Value: RawRepresentable & SendableMetatype>: AttributeStorage
where Value.RawValue: PlainValue {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        visitor.visit(raw: Value.self)
    }
}
