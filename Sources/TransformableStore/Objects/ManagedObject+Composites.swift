extension ManagedObject {
    /// Whether a name is that of a composite.
    @usableFromInline
    func isComposite(_ name: String) -> Bool {
        entity.hasComposites && entity.composite(name) != nil
    }

    /// The value of a composite; nil if no part has one.
    @usableFromInline
    func compositeValue<Value>(_ name: String, as type: Value.Type) throws -> Value? {
        guard let composite = entity.composite(name) else { return nil }
        let parts = CompositeParts(composite: composite, object: id) { name in
            let attribute = try self.entity.attribute(name)
            return try attribute.any(self.decoded(attribute)).map { ($0, attribute) }
        }
        return try parts.whole(as: type)
    }

    /// Checks that no composite has a value in part: all of the parts that it needs, or none of any.
    ///
    /// - Parameter isWritten: Whether an attribute is about to be written.
    /// - Throws: ``StoreError`` with ``StoreError/Code/missingValue``.
    func requireWholeComposites(where isWritten: (String) -> Bool) throws {
        for composite in entity.composites where composite.attributes.contains(where: { isWritten($0.name) }) {
            let present = try composite.parts.filter { part in
                let slot = try slot(entity.attribute(composite.attributeName(part.name)))
                return slot.hasValue || slot.failure != nil
            }
            // What only defaults have given is no value that anyone has set.
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
        guard let composite = entity.composite(name) else { return }
        guard let value else {
            return try context.grouped {
                for attribute in composite.attributes { try setValue(any: nil, for: attribute.name) }
            }
        }
        guard let parts = (value as? any CompositeValue)?.partValues,
            Set(parts.keys) == Set(composite.parts.map(\.name))
        else {
            throw StoreError(
                .wrongType,
                "it has the parts \(composite.parts.map(\.name).joined(separator: ", ")), unlike a \(type(of: value))",
                entity: entity.name,
                attribute: name
            )
        }
        try context.grouped {
            for (part, value) in parts { try setValue(any: value, for: composite.attributeName(part)) }
        }
    }
}
