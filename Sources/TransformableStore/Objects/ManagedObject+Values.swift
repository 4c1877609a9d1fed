public import Foundation

extension ManagedObject {
    /// Gives the value of an attribute that has one.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values.
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/missingValue`` if there is none,
    ///   ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType`` or ``StoreError/Code/unknownAttribute``.
    @inlinable
    public func value<Value>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else { throw missingValue(name, Value.self) }
        return value
    }

    @usableFromInline
    func missingValue(_ name: String, _ type: any Any.Type) -> StoreError {
        StoreError(
            .missingValue,
            "it has no value; ask for “\(type)?” to have nil instead",
            entity: entity.name,
            attribute: name,
            object: id
        )
    }

    /// Gives the value of an attribute, or nil if it has none.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/unknownAttribute``.
    @inlinable
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        if isComposite(name) { return try compositeValue(name, as: Value.self) }
        let slot = try decoded(name)
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return slot.hasValue ? try converted(slot, name) : nil
    }

    /// The slot of an attribute whose cell can be decoded.
    @usableFromInline
    func decoded(_ name: String) throws -> Slot {
        try decoded(entity.attribute(name))
    }

    func decoded(_ attribute: StoredAttribute) throws -> Slot {
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        return slot
    }

    /// The value of a slot of another type than the one asked for.
    @usableFromInline
    func converted<Value>(_ slot: Slot, _ name: String) throws -> Value? {
        try converted(slot, entity.attribute(name))
    }

    func converted<Value>(_ slot: Slot, _ attribute: StoredAttribute) throws -> Value? {
        try attribute.any(slot).map { try Self.convert($0, of: attribute) }
    }

    /// A value of one plain type as another that lies in a column alike, or as one that has it as its raw value.
    static func convert<Value>(_ value: Any, of attribute: StoredAttribute) throws -> Value {
        if let value = value as? Value { return value }
        guard let plain = value as? any PlainValue else { throw StoreError.wrongType(attribute, found: Value.self) }
        if let target = Value.self as? any PlainValue.Type {
            if let converted = try? target.init(column: plain.column()) as? Value { return converted }
        } else if let target = Value.self as? any RawRepresentable.Type,
            let converted = try Self.represented(plain, as: target, of: attribute) as? Value
        {
            return converted
        }
        throw StoreError.wrongType(attribute, found: Value.self)
    }

    /// The value that a plain one is the raw value of; nil if it is of another type than raw values are.
    private static func represented<Target: RawRepresentable>(
        _ plain: some PlainValue,
        as type: Target.Type,
        of attribute: StoredAttribute
    ) throws -> Target? {
        guard let raw = Target.RawValue.self as? any PlainValue.Type,
            let value = try? raw.init(column: plain.column()) as? Target.RawValue
        else { return nil }
        guard let value = Target(rawValue: value) else {
            let reason = PlainValueError(description: "the cell holds a raw value that \(type) lacks")
            throw attribute.located(reason, .undecodable, number: nil)
        }
        return value
    }

    /// Gives the value of an attribute whose type is not known to the caller.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The value; nil if there is none.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable`` or ``StoreError/Code/unknownAttribute``.
    public func anyValue(_ name: String) throws -> Any? {
        let attribute = try entity.attribute(name)
        return try attribute.any(decoded(attribute))
    }

    /// Sets an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    @inlinable
    public func setValue<Value>(_ value: Value, for name: String) throws {
        try setValue(value as Value?, for: name)
    }

    /// Sets an attribute, or takes its value away.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
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

    /// Whether an attribute's values are of a type.
    @usableFromInline
    func holds(_ type: any Any.Type, _ index: Int) -> Bool {
        entity.attributes[index].valueType == type
    }

    /// The slot of a value that may have to be converted to the attribute's type.
    @usableFromInline
    func slot(any value: Any?, _ index: Int) throws -> Slot {
        try entity.attributes[index].slot(any: value)
    }

    /// Sets an attribute to a value whose type is not known to the caller.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    public func setValue(any value: Any?, for name: String) throws {
        if isComposite(name) { return try setComposite(name, to: value) }
        let index = try index(name)
        try requireSettable(index)
        try put(slot(any: value, index), index)
    }

    /// Sets an attribute even if its stored bytes cannot be decoded, which are lost then.
    ///
    /// Any other way to set it refuses that, or has the save refuse it, so that nothing which a getter made up takes the
    /// place of damaged bytes. Ask ``failure(of:)`` whether they are, and ``encodedBytes(_:)`` for what they are.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name; not that of a composite.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    public func replaceValue<Value>(_ value: Value?, for name: String) throws {
        try replaceValue(any: value, for: name)
    }

    /// Sets an attribute to a value whose type is not known to the caller, even if its stored bytes cannot be decoded, which
    /// are lost then.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name; not that of a composite.
    /// - Throws: ``StoreError``, as ``replaceValue(_:for:)`` does.
    public func replaceValue(any value: Any?, for name: String) throws {
        try replaceValue(any: value, at: index(name))
    }

    /// The same for the attribute at a place.
    package func replaceValue(any value: Any?, at index: Int) throws {
        try requireSettable(index)
        let slot = try slot(any: value, index)
        slot.mayReplace = true
        try put(slot, index)
    }

    /// Sets an attribute to what a person has written.
    ///
    /// - Parameters:
    ///   - text: The value in its human form: text, a number, an ISO 8601 date, what a transformer's form reads.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/invalidValue`` if it is none,
    ///   ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/readOnly``.
    public func setValue(text: String, for name: String) throws {
        let attribute = try entity.attribute(name)
        try setValue(any: attribute.value(fromText: text), for: name)
    }

    /// Takes an attribute's value away.
    ///
    /// - Parameter name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/readOnly``.
    public func removeValue(for name: String) throws {
        try setValue(any: nil, for: name)
    }

    /// Gives what the attribute's cell in the file holds, whether it can be decoded or not.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: What is stored; ``ColumnValue/null`` for an object that is not written yet.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/noSuchObject``.
    public func storedValue(_ name: String) throws -> ColumnValue {
        let attribute = try entity.attribute(name)
        guard state != .inserted else { return .null }
        let (row, cell) = try stored(attribute)
        return row.value(cell)
    }

    /// Gives the bytes that the attribute's cell in the file holds or names, whether they can be decoded or not.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The bytes of a blob or of a text; nil for a number or where there is nothing.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/noSuchObject``.
    public func encodedBytes(_ name: String) throws -> Data? {
        let attribute = try entity.attribute(name)
        if attribute.isExternal, state != .inserted {
            let (row, cell) = try stored(attribute)
            if let blob = try blob(attribute, in: row, cell) { return try bytes(of: blob) }
        }
        return switch try storedValue(name) {
        case .blob(let bytes), .brokenText(let bytes): bytes
        case .text(let text): Data(text.utf8)
        case .null, .integer, .real: nil
        }
    }

    /// Says why an attribute's stored bytes give no value.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The failure; nil if the attribute can be read.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/noSuchObject``.
    public func failure(of name: String) throws -> StoreError? {
        try slot(entity.attribute(name)).failure
    }
}
