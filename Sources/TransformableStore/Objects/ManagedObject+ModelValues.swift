internal import Foundation

// MARK: - Default values

extension ManagedObject {
    func setDefaults() throws {
        for attribute in entity.defaults {
            guard let value = attribute.description.defaultValue else { continue }
            let slot = try attribute.slot(any: value.value(for: attribute))
            slot.markUnsaved()
            keep(slot, attribute)
        }
    }
}

extension DefaultValue {
    func value(for attribute: StoredAttribute) throws -> Any {
        switch self {
        case .integer(let number): try Self.fitted(number, "\(number)", attribute)
        case .number(let number): try Self.fitted(number, "\(number)", attribute)
        case .string(let text): try attribute.value(fromText: text)
        case .boolean(let flag): try Self.fitted(flag, "\(flag)", attribute)
        case .now: Date()
        case .newUUID: UUID()
        }
    }

    /// Converts a value for the attribute: as it is, or as its text if only the text is exact.
    private static func fitted(_ value: Any, _ text: String, _ attribute: StoredAttribute) throws -> Any {
        do {
            return try attribute.any(attribute.slot(any: value)) ?? value
        } catch {
            guard attribute.valueType != String.self, let read = try? attribute.value(fromText: text) else {
                throw error
            }
            return read
        }
    }
}

// MARK: - Derived attributes

/// Derived attributes.
///
/// Those with a column have no slot that could change: their cells are computed whenever the row is written.
extension ManagedObject {
    /// Returns the derived attributes whose cells change along with the given attributes.
    func derived(with changed: [StoredAttribute]) -> [StoredAttribute] {
        guard !entity.derived.isEmpty, !changed.isEmpty || state == .inserted else { return [] }
        return entity.derived.filter { attribute in
            guard let source = attribute.derivation?.sourceAttribute else { return true }
            return changed.contains { $0.name == source }
        }
    }

    /// Returns the cell of a derived attribute.
    func cell(_ attribute: StoredAttribute, by derivation: Derivation) throws -> ColumnValue {
        let place = context.place(of: number, attribute, entity)
        guard let source = derivation.sourceAttribute else {
            return try attribute.encode(attribute.slot(any: Date()), in: place)
        }
        let origin = try entity.attribute(source)
        guard case .text(let text) = try origin.draft(decoded(origin), in: place) else { return .null }
        return try attribute.encode(attribute.slot(any: derivation.text(from: text)), in: place)
    }

    /// Returns a slot with the number of objects in a relationship, including pending changes.
    func countSlot(_ attribute: StoredAttribute, of relationship: String) throws -> Slot {
        try attribute.slot(any: Int64(list(entity.relationship(relationship)).objects.count))
    }

    func derivedRefusal(_ attribute: StoredAttribute) -> StoreError {
        StoreError(
            .invalidValue,
            "it is derived (\(attribute.derivation?.description ?? "")), so it cannot be set",
            entity: entity.name,
            attribute: attribute.name,
            object: id
        )
    }
}

// MARK: - Composites

extension ManagedObject {
    /// Returns a Boolean value that indicates whether a name is the name of a composite.
    @usableFromInline
    func isComposite(_ name: String) -> Bool {
        entity.hasComposites && entity.composite(name) != nil
    }

    /// Returns the value of a composite, or `nil` if none of its parts has a value.
    @usableFromInline
    func compositeValue<Value>(_ name: String, as type: Value.Type) throws -> Value? {
        guard let composite = entity.composite(name) else { return nil }
        let parts = CompositeParts(composite: composite, object: id) { name in
            let attribute = try self.entity.attribute(name)
            return try attribute.any(self.decoded(attribute)).map { ($0, { .wrongType(attribute, found: $0) }) }
        }
        return try parts.whole(as: type)
    }

    /// Checks that no composite has a partial value.
    ///
    /// It must have all required parts or none at all.
    ///
    /// - Parameter isWritten: Returns whether an attribute is about to be written.
    /// - Throws: `StoreError` with the code `missing-value` if a part is missing.
    func requireWholeComposites(where isWritten: (String) -> Bool) throws {
        for composite in entity.composites where composite.attributes.contains(where: { isWritten($0.name) }) {
            let present = try composite.parts.filter { part in
                let slot = try slot(entity.attribute(composite.attributeName(part.name)))
                return slot.hasValue || slot.failure != nil
            }
            // Default values alone do not count as a value that was set.
            let isSet = state != .inserted || present.contains { $0.defaultValue == nil }
            guard isSet, !present.isEmpty else { continue }
            let missing = composite.parts.first { part in
                !part.isOptional && !present.contains { $0.name == part.name }
            }
            if let missing { throw StoreError.missingPart(missing.name, of: composite, id) }
        }
    }

    /// Sets the parts of a composite.
    @usableFromInline
    func setComposite(_ name: String, to value: Any?) throws {
        let parts = try parts(of: value, name)
        try context.grouped {
            for part in parts { try setValue(any: part.value, for: part.name) }
        }
    }

    /// Returns the values of a composite's parts, with the names of their attributes.
    func parts(of value: Any?, _ name: String) throws -> [(name: String, value: Any?)] {
        guard let composite = entity.composite(name) else { return [] }
        guard let value else { return composite.attributes.map { ($0.name, nil) } }
        let names = composite.parts.map(\.name)
        guard let parts = (value as? any CompositeValue)?.partValues, Set(parts.keys) == Set(names) else {
            throw StoreError(
                .wrongType,
                "its parts are \(names.joined(separator: ", ")), unlike the parts of \(type(of: value))",
                entity: entity.name,
                attribute: name
            )
        }
        // In the order of the columns, so that the error does not depend on the order of a dictionary.
        return composite.parts.map { (composite.attributeName($0.name), parts[$0.name] ?? nil) }
    }
}
