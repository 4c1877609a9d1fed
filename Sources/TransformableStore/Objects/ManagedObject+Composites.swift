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
                "its parts are \(composite.parts.map(\.name).joined(separator: ", ")), unlike those of \(type(of: value))",
                entity: entity.name,
                attribute: name
            )
        }
        try context.grouped {
            // In the order of the columns, so that the error does not depend on the order of a dictionary.
            for part in composite.parts {
                try setValue(any: parts[part.name] ?? nil, for: composite.attributeName(part.name))
            }
        }
    }
}
