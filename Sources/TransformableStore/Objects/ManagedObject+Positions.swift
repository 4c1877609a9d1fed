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

    /// Sets the attribute at a place, or takes its value away.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - index: The attribute's place in its entity.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    @inlinable
    public func _setValue<Value>(_ value: Value?, at index: Int) throws {
        try requireSettable(checked(index))
        try put(holds(Value.self, index) ? .holding(value) : slot(any: value, index), index)
    }

    /// Gives the name of the attribute at a place.
    ///
    /// - Parameter index: The attribute's place in its entity.
    /// - Returns: The name.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``.
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
