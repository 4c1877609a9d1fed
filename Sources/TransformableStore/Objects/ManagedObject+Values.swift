public import Foundation

extension ManagedObject {
    /// Returns the value of an attribute, which must have one.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values.
    /// - Returns: The value, which is decoded now if it has not been decoded yet.
    /// - Throws: `StoreError` with the code `missing-value` if there is no value, or with
    ///   the code `undecodable`, `wrong-type`, or `unknown-attribute`.
    @inlinable
    public func value<Value>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else { throw missingValue(name, Value.self) }
        return value
    }

    @usableFromInline
    func missingValue(_ name: String, _ type: any Any.Type) -> StoreError {
        StoreError(
            .missingValue,
            "it has no value; read it as “\(type)?” to get nil instead",
            entity: entity.name,
            attribute: name,
            object: id
        )
    }

    /// Returns the value of an attribute, or `nil` if it has none.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, which is decoded now if it has not been decoded yet.
    /// - Throws: `StoreError` with the code `undecodable`, `wrong-type`, or
    ///   `unknown-attribute`.
    @inlinable
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        if isComposite(name) { return try compositeValue(name, as: Value.self) }
        let slot = try decoded(name)
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return slot.hasValue ? try converted(slot, name) : nil
    }

    /// Returns the slot of an attribute whose cell can be decoded.
    @usableFromInline
    func decoded(_ name: String) throws -> Slot {
        try decoded(entity.attribute(name))
    }

    func decoded(_ attribute: StoredAttribute) throws -> Slot {
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        return slot
    }

    /// Returns the value of a slot as a different type from its own.
    @usableFromInline
    func converted<Value>(_ slot: Slot, _ name: String) throws -> Value? {
        try converted(slot, entity.attribute(name))
    }

    func converted<Value>(_ slot: Slot, _ attribute: StoredAttribute) throws -> Value? {
        try attribute.any(slot).map { try Self.convert($0, of: attribute) }
    }

    /// Converts a value to another plain type that is stored in the same way, or to a type that has it as its raw
    /// value.
    static func convert<Value>(_ value: Any, of attribute: StoredAttribute) throws -> Value {
        if let value = value as? Value { return value }
        guard let plain = value as? any PlainValue else { throw StoreError.wrongType(attribute, found: Value.self) }
        if let target = Value.self as? any PlainValue.Type {
            if let converted = try? target.converted(plain) as? Value { return converted }
        } else if let target = Value.self as? any RawRepresentable.Type,
            let converted = try Self.represented(plain, as: target, of: attribute) as? Value
        {
            return converted
        }
        throw StoreError.wrongType(attribute, found: Value.self)
    }

    /// Returns the value that has the given raw value, or `nil` if the value is not of a raw type.
    private static func represented<Target: RawRepresentable>(
        _ plain: some PlainValue,
        as type: Target.Type,
        of attribute: StoredAttribute
    ) throws -> Target? {
        guard let raw = Target.RawValue.self as? any PlainValue.Type,
            let value = try? raw.converted(plain) as? Target.RawValue
        else { return nil }
        guard let value = Target(rawValue: value) else {
            let reason = PlainValueError(description: "the cell contains a raw value that \(type) does not have")
            throw attribute.located(reason, .undecodable, number: nil)
        }
        return value
    }

    /// Returns the value of an attribute whose type the caller does not know.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The value, or `nil` if there is none.
    /// - Throws: `StoreError` with the code `undecodable` or `unknown-attribute`.
    public func anyValue(_ name: String) throws -> Any? {
        let attribute = try entity.attribute(name)
        return try attribute.any(decoded(attribute))
    }

    /// Sets the value of an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The attribute's name.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`. If the value cannot be stored, the error is thrown when the context is saved.
    @inlinable
    public func setValue<Value>(_ value: Value, for name: String) throws {
        try setValue(value as Value?, for: name)
    }

    /// Sets the value of an attribute, or removes it.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - name: The attribute's name.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`. If the value cannot be stored, the error is thrown when the context is saved.
    @inlinable
    public func setValue<Value>(_ value: Value?, for name: String) throws {
        if isComposite(name) { return try setComposite(name, to: value) }
        let index = try index(name)
        try requireSettable(index)
        try put(holds(Value.self, index) ? .holding(value) : slot(any: value, index), index)
    }

    @usableFromInline
    func index(_ name: String) throws -> Int {
        try entity.attribute(name).index
    }

    /// Returns a Boolean value that indicates whether an attribute's values are of a type.
    @usableFromInline
    func holds(_ type: any Any.Type, _ index: Int) -> Bool {
        entity.attributes[index].valueType == type
    }

    /// Returns the slot of a value, which may have to be converted to the attribute's type.
    @usableFromInline
    func slot(any value: Any?, _ index: Int) throws -> Slot {
        try entity.attributes[index].slot(any: value)
    }

    /// Sets the value of an attribute whose type the caller does not know.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - name: The attribute's name.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`. If the value cannot be stored, the error is thrown when the context is saved.
    public func setValue(any value: Any?, for name: String) throws {
        if isComposite(name) { return try setComposite(name, to: value) }
        let index = try index(name)
        try requireSettable(index)
        try put(slot(any: value, index), index)
    }

    /// Sets the values of several attributes and composites, or none of them if the type of one is wrong.
    func setValues(_ values: [String: any Sendable]) throws {
        // In a fixed order, so that the error does not depend on that of the dictionary.
        let slots = try values.sorted { $0.key < $1.key }
            .flatMap { name, value -> [(slot: Slot, index: Int)] in
                guard isComposite(name) else { return [try newSlot(value, index(name))] }
                return try parts(of: value, name).map { try newSlot($0.value, index($0.name)) }
            }
        // A reference also changes other objects, so nothing that can fail comes after it.
        let isLink = { (index: Int) in self.entity.isLink[index] }
        for (slot, index) in slots where !isLink(index) { try put(slot, index) }
        for (slot, index) in slots where isLink(index) { try put(slot, index) }
    }

    /// Returns the slot of a value that an attribute is about to be set to.
    private func newSlot(_ value: Any?, _ index: Int) throws -> (slot: Slot, index: Int) {
        try requireSettable(index)
        let slot = try slot(any: value, index)
        try admit(slot, entity.attributes[index])
        return (slot, index)
    }

    /// Sets the value of an attribute even if its stored bytes cannot be decoded.
    ///
    /// Those bytes are lost. The attribute's projections are computed and written again, even if the value is the stored
    /// one.
    ///
    /// Any other way to set the attribute fails, immediately or when the context is saved, so that a getter's stand-in
    /// value never replaces damaged bytes. ``failure(of:)`` tells you whether the bytes are damaged, and
    /// ``encodedBytes(_:)`` returns them.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - name: The attribute's name, which must not be the name of a composite.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`. If the value cannot be stored, the error is thrown when the context is saved.
    public func replaceValue<Value>(_ value: Value?, for name: String) throws {
        try replaceValue(any: value, for: name)
    }

    /// Sets the value of an attribute whose type the caller does not know, even if its stored bytes cannot be decoded.
    ///
    /// Those bytes are lost. The attribute's projections are written again in any case.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - name: The attribute's name, which must not be the name of a composite.
    /// - Throws: `StoreError`, as ``replaceValue(_:for:)`` does.
    public func replaceValue(any value: Any?, for name: String) throws {
        try replaceValue(any: value, at: index(name))
    }

    /// The same for the attribute at a position.
    package func replaceValue(any value: Any?, at index: Int) throws {
        try requireSettable(index)
        let slot = try slot(any: value, index)
        slot.markReplacement()
        try put(slot, index)
    }

    /// Sets the value of an attribute from its human form, even if its stored bytes cannot be decoded.
    package func replaceValue(text: String, for name: String) throws {
        let attribute = try entity.attribute(name)
        try replaceValue(any: attribute.value(fromText: text), for: name)
    }

    /// Sets the value of an attribute from its human form.
    ///
    /// - Parameters:
    ///   - text: The value in its human form, such as text, a number, an ISO 8601 date, or the human form of a
    ///     transformer.
    ///   - name: The attribute's name.
    /// - Throws: `StoreError` with the code `invalid-value` if the text is not a value of the attribute, or
    ///   with the code `unknown-attribute` or `read-only`.
    public func setValue(text: String, for name: String) throws {
        let attribute = try entity.attribute(name)
        try setValue(any: attribute.value(fromText: text), for: name)
    }

    /// Removes the value of an attribute.
    ///
    /// - Parameter name: The attribute's name.
    /// - Throws: `StoreError` with the code `unknown-attribute` or `read-only`.
    public func removeValue(for name: String) throws {
        try setValue(any: nil, for: name)
    }

    /// Returns the content of the attribute's cell in the file, even if it cannot be decoded.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The stored content, or `ColumnValue.null` for an object that has not been written yet.
    /// - Throws: `StoreError` with the code `unknown-attribute` or `no-such-object`.
    public func storedValue(_ name: String) throws -> ColumnValue {
        let attribute = try entity.attribute(name)
        guard state != .inserted else { return .null }
        let (row, cell) = try stored(attribute)
        return row.value(cell)
    }

    /// Returns the bytes in the attribute's cell or in its external file, even if they cannot be decoded.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The bytes of a blob or text, or `nil` for a number or if there is no value.
    /// - Throws: `StoreError` with the code `unknown-attribute` or `no-such-object`, or, if the bytes are in an external
    ///   file, with the code `missing-blob`, `damaged-blob`, or `limit-exceeded`.
    public func encodedBytes(_ name: String) throws -> Data? {
        let attribute = try entity.attribute(name)
        if attribute.isExternal, let blob = try openBlob(attribute) {
            do {
                return try bytes(of: blob)
            } catch let error as StoreError {
                throw attribute.located(error, .undecodable, number: number)
            }
        }
        return switch try storedValue(name) {
        case .blob(let bytes), .brokenText(let bytes): bytes
        case .text(let text): Data(text.utf8)
        case .null, .integer, .real: nil
        }
    }

    /// Returns the reason why an attribute's stored bytes cannot be decoded.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The failure, or `nil` if the attribute can be read.
    /// - Throws: `StoreError` with the code `unknown-attribute` or `no-such-object`.
    public func failure(of name: String) throws -> StoreError? {
        try slot(entity.attribute(name)).failure
    }
}

// MARK: - Values in memory

extension ManagedObject {
    /// Returns the value that an attribute has in memory, without reading its row or decoding its bytes.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, or `nil` if there is none, or if it is not in memory yet.
    /// - Throws: `StoreError` with the code `wrong-type` or `unknown-attribute`.
    public func primitiveValue<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        let attribute = try entity.attribute(name)
        guard let slot = values[attribute.index] else { return nil }
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return try converted(slot, attribute)
    }

    /// Sets an attribute without recording the change: it cannot be undone, and ``StoreContext/hasChanges``
    /// ignores it.
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
        slot.markUnsaved()
        keep(slot, attribute)
        if entity.isLink[attribute.index] { context.didLink(self, attribute, slot) }
    }
}
