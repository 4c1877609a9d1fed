extension StoreContext {
    /// Updates the object that has the given unique values, or inserts a new object.
    ///
    /// ```swift
    /// let (patient, isNew) = try context.upsert("Patient", ["number": 17, "name": "Ada"])
    /// ```
    ///
    /// An object conflicts if it has the same value for a unique attribute, or the same values for a unique group of
    /// attributes. An attribute without a value never conflicts, and neither does an object of a child of the entity. The
    /// existing object keeps its id, its relationships, and the attributes that are not given.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - values: The values by attribute. They must include those of a unique attribute or group.
    /// - Returns: The object, and whether it is new.
    /// - Throws: `StoreError` with the code `misuse` if the values include no unique attribute or group,
    ///   with the code `not-unique` if they conflict with several objects, or with
    ///   the code `unknown-attribute`, `wrong-type`, or `read-only`.
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
        guard let existing else {
            saving.noteMissedObject()
            return (try insert(entity, with: values), true)
        }
        let attributes = try values.keys.map(stored.attribute)
        try restoring(attributes, of: existing) { try existing.setValues(values) }
        return (existing, false)
    }

    /// Fetches objects of an entity, but none of its children, whose values are unique separately.
    func fetch(only entity: StoredEntity, where condition: Condition) throws -> [ManagedObject] {
        try fetch(entity.name, where: condition).filter { $0.entity === entity }
    }

    /// Inserts a new object with values, or nothing if one of them is rejected.
    func insert(_ entity: String, with values: [String: any Sendable]) throws -> ManagedObject {
        try group {
            let object = try insert(entity)
            do {
                try object.setValues(values)
            } catch {
                try? takeBack(object)
                throw error
            }
            return object
        }
    }

    /// Updates the object that a new object of a program's own class would conflict with.
    ///
    /// - Parameters:
    ///   - name: The entity's name. Its class must have been checked.
    ///   - slots: The new values, at the positions of the class's attributes.
    ///   - merge: Gives the object everything else that the new object has.
    /// - Returns: The object, or `nil` if there is no conflict.
    /// - Throws: `StoreError` with the code `misuse`, `not-unique`, or
    ///   `read-only`, errors thrown when a value is set, and errors thrown by `merge`. The object then has the values
    ///   that it had before.
    package func update(
        _ name: String,
        conflictingWith slots: [Slot?],
        _ merge: (ManagedObject) throws -> Void
    ) throws -> ManagedObject? {
        try requireWritable()
        let entity = try schema.entity(name)
        let lookup = UniqueLookup(entity, in: self)
        guard !lookup.keys.isEmpty else { throw lookup.lackOfKey }
        // What is derived is in a draft only as a placeholder.
        let values = zip(entity.attributes, slots).filter { $0.0.derivation == nil }
            .map { (attribute: $0, value: $1.flatMap($0.any)) }
        let known = Dictionary(values.map { ($0.attribute.name, $0.value) }) { first, _ in first }
        guard let object = try lookup.object(with: { known[$0] ?? nil }) else {
            saving.noteMissedObject()
            return nil
        }
        try restoring(values.map(\.attribute), of: object) {
            for (attribute, value) in values { try object.setValue(any: value, for: attribute.name) }
            try merge(object)
        }
        return object
    }

    /// Runs a closure that sets attributes of an object, and puts their former values back if it throws an error.
    private func restoring(
        _ attributes: [StoredAttribute],
        of object: ManagedObject,
        _ body: () throws -> Void
    ) throws {
        guard !isEditing else { return try group(body) }
        let former = try FormerValues(attributes, of: object)
        do {
            try body()
        } catch {
            // The first error says more than one about a value that cannot be read again.
            try? former.restore()
            throw error
        }
    }
}

/// The values of an object before a change that a block may have to take back, because it has no undo.
private struct FormerValues {
    private let object: ManagedObject
    private let state: ObjectLifecycle.State
    private let row: PackedRow
    private let version: Int64
    // A value that was not in memory is decoded from the row if it is needed.
    private let slots: [(attribute: StoredAttribute, slot: Slot?)]

    init(_ attributes: [StoredAttribute], of object: ManagedObject) throws {
        try object.requireRow()
        self.object = object
        (state, row, version) = (object.state, object.row, object.version)
        slots = try attributes.map { inherited in
            let attribute = try object.entity.attribute(inherited.name)
            // The row contains only the length of a large value. A new object has no row.
            let isLarge =
                object.state != .inserted && attribute.isDeferrable
                && attribute.cell.map { object.row.kind($0) == .integer } == true
            return try (attribute, isLarge ? object.slot(attribute) : object.values[attribute.index])
        }
    }

    func restore() throws {
        guard !object.isDeleted else { return }
        // A fetch of a hook may have written the changes, so that the former values must be written again.
        let isWritten = object.state != state || object.isFault || object.version != version
        for (attribute, slot) in slots {
            var former = slot
            if isWritten, attribute.cell != nil {
                let written = try slot ?? (state == .inserted ? Slot() : object.load(attribute, from: row))
                written.markUnsaved()
                former = written
            }
            _ = object.replaceSlot(attribute.index, former)
            if let former, object.entity.isLink[attribute.index] { object.context.didLink(object, attribute, former) }
        }
        object.note()
    }
}

/// Finds the object that has given unique values.
private struct UniqueLookup {
    private let entity: StoredEntity
    private let context: StoreContext
    /// The names of attributes whose combined values are unique.
    let keys: [[String]]

    init(_ entity: StoredEntity, in context: StoreContext) {
        self.entity = entity
        self.context = context
        // Groups with references or computed columns are not made of attribute values. The save checks them.
        keys = entity.uniqueLists.filter { list in
            list.allSatisfy { name in
                entity.attributeIfAny(name) != nil && !entity.relationships.contains { $0.name == name }
            }
        }
    }

    var lackOfKey: StoreError {
        let list = keys.map { $0.joined(separator: " and ") }.joined(separator: ", or ")
        let hint = keys.isEmpty ? "the entity has no unique attribute" : "the values must include \(list)"
        return StoreError(.misuse, "\(hint), so no existing object can be found", entity: entity.name)
    }

    /// Returns the object that has the same values for a key.
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
        return try context.fetch(only: entity, where: condition)
    }

    private func equality(_ name: String, _ value: Any) throws -> Condition {
        let attribute = try entity.attribute(name)
        let cell = try attribute.column(any: value)
        guard attribute.description.type == .string, case .text(let text) = cell else { return Field(name) == cell }
        return Field(name) == text
    }

    private func ambiguous(
        _ first: (object: ManagedObject, key: [String]),
        _ second: (object: ManagedObject, key: [String])
    ) -> StoreError {
        let name = { (key: [String]) in key.joined(separator: " and ") }
        return StoreError(
            .notUnique,
            """
            \(first.object.id) has the same \(name(first.key)), and \
            \(second.object.id) has the same \(name(second.key)); \
            delete one of them, or change its values
            """,
            entity: entity.name,
            attribute: second.key.first
        )
    }
}
