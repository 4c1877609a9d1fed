/// Attributes by their places in the model, which cost an index where names cost a dictionary.
///
/// The place of an attribute is the one that ``Store/attributes(of:)`` gives it: inherited ones first, then the
/// entity's own as they were declared.
extension ManagedObject {
    /// Gives the value of the attribute at a place, or nil if it has none.
    ///
    /// - Parameters:
    ///   - index: The attribute's place in its entity.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/unknownAttribute``.
    @inlinable
    public func value<Value>(at index: Int, as type: Value?.Type) throws -> Value? {
        if slots.indices.contains(index), let slot = slots[index] as? ValueSlot<Value>, slot.failure == nil {
            return slot.value
        }
        return try loadedValue(at: index)
    }

    @usableFromInline
    func loadedValue<Value>(at index: Int) throws -> Value? {
        let attribute = try attribute(at: index)
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return try converted(slot, attribute.name)
    }

    /// Sets the attribute at a place, or takes its value away.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - index: The attribute's place in its entity.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    @inlinable
    public func setValue<Value>(_ value: Value?, at index: Int) throws {
        let slot = try slotToSet(checked(index))
        if let slot = slot as? ValueSlot<Value> {
            slot.value = value
        } else {
            try set(slot, index, any: value)
        }
        try didSet(slot, index)
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
