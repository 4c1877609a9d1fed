/// Access to attributes by their positions in the model, which is faster than access by name.
///
/// An attribute's position is its index in ``Store/attributes(of:)``: inherited attributes come first, followed by the
/// entity's own in declaration order.
extension ManagedObject {
    /// Returns the value of the attribute at a position, or `nil` if it has none.
    ///
    /// - Parameters:
    ///   - index: The attribute's position in its entity.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, which is decoded now if it has not been decoded yet.
    /// - Throws: `StoreError` with the code `undecodable`, `wrong-type`, or
    ///   `unknown-attribute`.
    @inlinable
    public func _value<Value>(at index: Int, as type: Value?.Type) throws -> Value? {
        let slot = try decoded(at: index)
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return slot.hasValue ? try converted(slot, at: index) : nil
    }

    @usableFromInline
    package func decoded(at index: Int) throws -> Slot {
        try decoded(attribute(at: index))
    }

    @usableFromInline
    package func converted<Value>(_ slot: Slot, at index: Int) throws -> Value? {
        try converted(slot, attribute(at: index))
    }

    /// Sets the value of the attribute at a position, or removes it.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - index: The attribute's position in its entity.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`. If the value cannot be stored, the error is thrown when the context is saved.
    @inlinable
    public func _setValue<Value>(_ value: Value?, at index: Int) throws {
        try requireSettable(checked(index))
        try put(holds(Value.self, index) ? .holding(value) : slot(any: value, index), index)
    }

    /// Returns the name of the attribute at a position.
    ///
    /// - Parameter index: The attribute's position in its entity.
    /// - Returns: The name.
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such attribute.
    public func _attributeName(at index: Int) throws(StoreError) -> String {
        try attribute(at: index).name
    }

    @usableFromInline
    func checked(_ index: Int) throws -> Int {
        try attribute(at: index).index
    }

    private func attribute(at index: Int) throws(StoreError) -> StoredAttribute {
        guard entity.attributes.indices.contains(index) else {
            throw StoreError(.unknownAttribute, "there is no attribute at place \(index)", entity: entity.name)
        }
        return entity.attributes[index]
    }
}
