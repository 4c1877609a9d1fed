internal import Transformable

extension ManagedObject {
    /// Returns the value that an attribute has in memory, without reading its row or decoding its bytes.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, or `nil` if there is none, or none in memory yet.
    /// - Throws: `StoreError` with the code `wrong-type` or `unknown-attribute`.
    public func primitiveValue<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        let attribute = try entity.attribute(name)
        guard let slot = slots[attribute.index] else { return nil }
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return try converted(slot, attribute)
    }

    /// Sets an attribute without notice: the change cannot be undone, and ``StoreContext/hasChanges`` ignores it.
    ///
    /// The value is written when another change to the object is written.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - name: The attribute's name.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`.
    public func setPrimitiveValue<Value>(_ value: Value?, for name: String) throws {
        let attribute = try entity.attribute(name)
        try requireSettable(attribute.index)
        let slot = try attribute.slot(any: value)
        try admit(slot, attribute)
        slot.isDirty = true
        keep(slot, attribute)
        if entity.isLink[attribute.index] { context.didLink(self, attribute, slot) }
    }
}
