internal import Transformable

extension ManagedObject {
    /// Gives what an attribute holds in memory, without reading its row or decoding its bytes.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value; nil if there is none, or none in memory yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType`` or ``StoreError/Code/unknownAttribute``.
    public func primitiveValue<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        let attribute = try entity.attribute(name)
        guard let slot = slots[attribute.index] else { return nil }
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return try converted(slot, attribute)
    }

    /// Sets an attribute and tells nobody: neither undo nor ``StoreContext/hasChanges`` know of it.
    ///
    /// It is written when something else of the object is.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``.
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
