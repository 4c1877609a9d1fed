public import Foundation
public import TransformableStore

/// Throwing access to an attribute, available as the property's `$` counterpart.
///
/// Use it to find out why a value cannot be read, and to access its stored bytes.
///
/// ```swift
/// do {
///     show(try patient.$portrait.value())
/// } catch {
///     keep(try patient.$portrait.encodedBytes())
/// }
/// ```
public struct EntityAttribute<Value> {
    private let owner: any Entity
    private let index: Int

    /// Creates access to an attribute.
    ///
    /// The code that `@Entity` generates calls this initializer.
    ///
    /// - Parameters:
    ///   - owner: The object.
    ///   - index: The index of the attribute.
    public init(_of owner: some Entity, _ index: Int) {
        self.owner = owner
        self.index = index
    }

    private func name(of object: ManagedObject) throws -> String { try object._attributeName(at: index) }

    /// The reason why the stored bytes cannot be decoded, or nil if the attribute can be read.
    public var failure: StoreError? {
        owner.managedObject.flatMap { object in try? object.failure(of: name(of: object)) }
    }

    /// Returns the stored bytes, even if they cannot be decoded.
    ///
    /// - Returns: The bytes of a blob or text. The result is nil for a number, if there is no
    ///   value, or before the object is written.
    /// - Throws: `StoreError` if the object no longer exists.
    public func encodedBytes() throws -> Data? {
        try owner.managedObject.flatMap { try $0.encodedBytes(name(of: $0)) }
    }
}

extension EntityAttribute {
    /// Returns the value, decoding it if necessary.
    ///
    /// - Returns: The value.
    /// - Throws: `StoreError` with the code `undecodable` if the value cannot be decoded, or `missing-value` if it is
    ///   not set yet.
    @_disfavoredOverload
    public func value() throws -> Value {
        guard let value: Value = try stored() else {
            throw StoreError(.missingValue, "the attribute has no value", entity: type(of: owner).entityName)
        }
        return value
    }

    /// Returns the optional value, decoding it if necessary.
    ///
    /// - Returns: The value, or nil if there is none.
    /// - Throws: `StoreError` with the code `undecodable` if the value cannot be decoded.
    public func value<Wrapped>() throws -> Wrapped? where Value == Wrapped? {
        try stored()
    }

    /// Sets the value, and throws the error that the property's setter would defer to the end of the block.
    ///
    /// - Parameter value: The value.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot write, or `invalid-value` if the
    ///   attribute is encoded immediately and the value cannot be encoded.
    @_disfavoredOverload
    public func setValue(_ value: Value) throws {
        try store(value)
    }

    /// Sets or removes the value, and throws the error that the property's setter would defer to the end of the block.
    ///
    /// - Parameter value: The value, or nil to remove it.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot write, or `invalid-value` if the
    ///   attribute is encoded immediately and the value cannot be encoded.
    public func setValue<Wrapped>(_ value: Wrapped?) throws where Value == Wrapped? {
        try store(value)
    }

    /// Sets the value even if the stored bytes cannot be decoded, which discards them.
    ///
    /// The attribute's projections are written again, even if the value is the stored one.
    ///
    /// The property's setter and ``setValue(_:)-(Value)`` refuse to do this, because the new value may be derived from
    /// the placeholder that the getter returned.
    ///
    /// - Parameter value: The value.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot write, or `invalid-value` if the
    ///   attribute is encoded immediately and the value cannot be encoded.
    @_disfavoredOverload
    public func replaceValue(_ value: Value) throws {
        try replace(value)
    }

    /// Sets or removes the value even if the stored bytes cannot be decoded, which discards them.
    ///
    /// The attribute's projections are written again, even if the value is the stored one.
    ///
    /// - Parameter value: The value, or nil to remove it.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot write, or `invalid-value` if the
    ///   attribute is encoded immediately and the value cannot be encoded.
    public func replaceValue<Wrapped>(_ value: Wrapped?) throws where Value == Wrapped? {
        try replace(value)
    }

    private func replace<Stored>(_ value: Stored?) throws {
        guard let object = owner.managedObject else { return owner.setDraft(value, index) }
        try object.replaceValue(any: value, at: index)
    }

    private func stored<Stored>() throws -> Stored? {
        guard let object = owner.managedObject else { return owner.draftValue(index) }
        return try object._value(at: index, as: Stored?.self)
    }

    private func store<Stored>(_ value: Stored?) throws {
        guard let object = owner.managedObject else { return owner.setDraft(value, index) }
        try object._setValue(value, at: index)
    }
}

@available(*, unavailable)
extension EntityAttribute: Sendable {}

// These are methods of the class, because an existential cannot provide access to its noncopyable record.
extension Entity {
    fileprivate func draftValue<Value>(_ index: Int) -> Value? {
        completeDraft(index)
        return _record.value(index)
    }

    fileprivate func setDraft<Value>(_ value: Value?, _ index: Int) { _record.setValue(value, index) }
}
