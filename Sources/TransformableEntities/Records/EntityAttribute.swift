public import Foundation
public import TransformableStore

/// The throwing face of an attribute, after its `$`: why it cannot be read, and the bytes that are there.
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

    /// Names an attribute of an object; `@Entity` does.
    ///
    /// - Parameters:
    ///   - owner: The object.
    ///   - index: The attribute's place.
    public init(_of owner: some Entity, _ index: Int) {
        self.owner = owner
        self.index = index
    }

    private func name(of object: ManagedObject) throws -> String { try object._attributeName(at: index) }

    /// Why the stored bytes give no value; nil if the attribute can be read.
    public var failure: StoreError? {
        owner.managedObject.flatMap { object in try? object.failure(of: name(of: object)) }
    }

    /// Gives the bytes that are stored, whether they can be decoded or not.
    ///
    /// - Returns: The bytes of a blob or of a text; nil for a number, where there is nothing, and before the object
    ///   is written.
    /// - Throws: `StoreError` if the object is gone.
    public func encodedBytes() throws -> Data? {
        try owner.managedObject.flatMap { try $0.encodedBytes(name(of: $0)) }
    }
}

extension EntityAttribute {
    /// Gives the value.
    ///
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: `StoreError`: `undecodable`, or `missing-value` before it is set.
    @_disfavoredOverload
    public func value() throws -> Value {
        guard let value: Value = try stored() else {
            throw StoreError(.missingValue, "the attribute has no value", entity: type(of: owner).entityName)
        }
        return value
    }

    /// Gives the value, or nil if there is none.
    ///
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: `StoreError` with the code `undecodable`.
    public func value<Wrapped>() throws -> Wrapped? where Value == Wrapped? {
        try stored()
    }

    /// Sets the value, and throws what the accessor leaves to the end of the block.
    ///
    /// - Parameter value: The value.
    /// - Throws: `StoreError`: `read-only`, or `invalid-value` for an attribute that is encoded when it is set.
    @_disfavoredOverload
    public func setValue(_ value: Value) throws {
        try store(value)
    }

    /// Sets the value or takes it away, and throws what the accessor leaves to the end of the block.
    ///
    /// - Parameter value: The value; nil takes it away.
    /// - Throws: `StoreError`: `read-only`, or `invalid-value` for an attribute that is encoded when it is set.
    public func setValue<Wrapped>(_ value: Wrapped?) throws where Value == Wrapped? {
        try store(value)
    }

    /// Sets the value even if the stored bytes cannot be decoded, which are lost then.
    ///
    /// The accessor and ``setValue(_:)-(Value)`` refuse that: what a getter gave in place of a value would replace them.
    ///
    /// - Parameter value: The value.
    /// - Throws: `StoreError`: `read-only`, or `invalid-value` for an attribute that is encoded when it is set.
    @_disfavoredOverload
    public func replaceValue(_ value: Value) throws {
        try replace(value)
    }

    /// Sets the value or takes it away even if the stored bytes cannot be decoded, which are lost then.
    ///
    /// - Parameter value: The value; nil takes it away.
    /// - Throws: `StoreError`: `read-only`, or `invalid-value` for an attribute that is encoded when it is set.
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

// Functions of the class, since an existential cannot lend its record.
extension Entity {
    fileprivate func draftValue<Value>(_ index: Int) -> Value? { _record.value(index) }

    fileprivate func setDraft<Value>(_ value: Value?, _ index: Int) { _record.setValue(value, index) }
}
