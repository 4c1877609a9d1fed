internal import Transformable

extension StoreContext {
    /// Updates the object that a new one with some values would conflict with, or inserts one that has them.
    ///
    /// ```swift
    /// let (patient, isNew) = try context.upsert("Patient", ["number": 17, "name": "Ada"])
    /// ```
    ///
    /// An object conflicts if it has the same value of a unique attribute, or the same values of a unique group of
    /// attributes; no value conflicts with nothing. The existing object keeps its id, its relationships, and the
    /// attributes that are not named.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - values: Values by attribute, those of a unique attribute or group among them.
    /// - Returns: The object, and whether it is new.
    /// - Throws: ``StoreError``: ``StoreError/Code/misuse`` if the values have no unique attribute or group,
    ///   ``StoreError/Code/notUnique`` if they conflict with several objects, ``StoreError/Code/unknownAttribute``,
    ///   ``StoreError/Code/wrongType`` or ``StoreError/Code/readOnly``.
    @discardableResult
    public func upsert(
        _ entity: String,
        _ values: [String: any Sendable]
    ) throws -> (object: ManagedObject, isNew: Bool) {
        try requireWritable()
        let stored = try schema.entity(entity)
        for name in values.keys.sorted() { _ = try stored.attribute(name) }
        let lookup = UniqueLookup(stored, in: self)
        guard lookup.keys.contains(where: { key in key.allSatisfy { values[$0] != nil } }) else {
            throw lookup.lackOfKey
        }
        let existing = try lookup.object(with: { values[$0] })
        let object = try existing ?? insert(entity)
        for (name, value) in values {
            try object.setValue(any: value, for: name)
        }
        return (object, existing == nil)
    }

    /// Finds the object that a new one of a program's own class would conflict with, and gives it the new values.
    ///
    /// - Parameters:
    ///   - name: The entity's name, whose class has been checked.
    ///   - slots: The new values, at the places of the attributes that the class has.
    /// - Returns: The object; nil if there is no conflict.
    /// - Throws: ``StoreError``: ``StoreError/Code/misuse``, ``StoreError/Code/notUnique`` or
    ///   ``StoreError/Code/readOnly``, and what setting a value throws.
    package func update(_ name: String, conflictingWith slots: [Slot?]) throws -> ManagedObject? {
        try requireWritable()
        let entity = try schema.entity(name)
        let lookup = UniqueLookup(entity, in: self)
        guard !lookup.keys.isEmpty else { throw lookup.lackOfKey }
        let values = zip(entity.attributes, slots).map { (attribute: $0, value: $1.flatMap($0.any)) }
        let known = Dictionary(values.map { ($0.attribute.name, $0.value) }) { first, _ in first }
        guard let object = try lookup.object(with: { known[$0] ?? nil }) else { return nil }
        try group {
            for (attribute, value) in values { try object.setValue(any: value, for: attribute.name) }
        }
        return object
    }
}

/// Finds the object that has values which occur once.
private struct UniqueLookup {
    private let entity: StoredEntity
    private let context: StoreContext
    /// Names of attributes whose values together occur once.
    let keys: [[String]]

    init(_ entity: StoredEntity, in context: StoreContext) {
        self.entity = entity
        self.context = context
        let single = entity.attributes.filter(\.description.isUnique).map { [$0.name] }
        // What leads to objects or is computed is no value of an attribute: the save judges it.
        let groups = entity.description.uniqueness.filter { group in
            group.allSatisfy { name in
                entity.attributeIfAny(name) != nil && !entity.relationships.contains { $0.name == name }
            }
        }
        keys = single + groups
    }

    var lackOfKey: StoreError {
        let list = keys.map { $0.joined(separator: " and ") }.joined(separator: ", or ")
        let hint = keys.isEmpty ? "the entity has no unique attribute" : "the values need \(list)"
        return StoreError(.misuse, "\(hint), by which an existing object is found", entity: entity.name)
    }

    /// The object that has the same values of a key.
    func object(with value: (String) throws -> Any?) throws -> ManagedObject? {
        var found: (object: ManagedObject, key: [String])?
        for key in keys {
            let values = try key.compactMap { name in try value(name).map { (name, $0) } }
            guard values.count == key.count else { continue }
            for object in try objects(values) {
                guard let earlier = found else {
                    found = (object, key)
                    continue
                }
                guard earlier.object !== object else { continue }
                throw ambiguous(earlier, (object, key))
            }
        }
        return found?.object
    }

    private func objects(_ values: [(name: String, value: Any)]) throws -> [ManagedObject] {
        let condition = try values.reduce(Condition.all) { try $0 && equality($1.name, $1.value) }
        return try context.fetch(entity.name, where: condition, limit: 2)
    }

    private func equality(_ name: String, _ value: Any) throws -> Condition {
        let attribute = try entity.attribute(name)
        let cell = try attribute.column(any: value)
        switch (attribute.description.type, cell) {
        // Its bytes decide what occurs once.
        case (.transformed, _): return try Field("_id").isIn(numbers(name, cell))
        case (.string, .text(let text)): return Field(name) == text
        default: return Field(name) == cell
        }
    }

    private func numbers(_ name: String, _ cell: ColumnValue) throws -> [Int64] {
        let sql = "SELECT \"_id\" FROM \(entity.table) WHERE \(SQL.quoted(name)) = ? LIMIT 2"
        return try context.withPending { try context.rows(sql, [cell], count: 1).map { $0.integer(0) } }
    }

    private func ambiguous(
        _ first: (object: ManagedObject, key: [String]),
        _ second: (object: ManagedObject, key: [String])
    ) -> StoreError {
        let name = { (key: [String]) in key.joined(separator: " and ") }
        return StoreError(
            .notUnique,
            """
            \(first.object.id) has the same \(name(first.key)), and \(second.object.id) the same \(name(second.key)); \
            delete one of them, or change its values
            """,
            entity: entity.name,
            attribute: second.key.first
        )
    }
}
