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
        let parts = composite.parts.map(\.name).joined(separator: ", ")
        let mismatch = StoreError(
            .wrongType,
            "it has the parts \(parts), which make no \(type)",
            entity: entity.name,
            attribute: name
        )
        guard let target = type as? any CompositeValue.Type else { throw mismatch }
        let hasValue = try composite.attributes.contains { try anyValue($0.name) != nil }
        guard hasValue else { return nil }
        do {
            return try target.init(parts: CompositeParts(object: self, composite: composite)) as? Value
        } catch let error as StoreError {
            throw error.code == .unknownAttribute ? mismatch : error
        } catch {
            throw StoreError(
                .undecodable,
                "its parts make no value",
                entity: entity.name,
                attribute: name,
                object: id,
                underlying: error
            )
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
