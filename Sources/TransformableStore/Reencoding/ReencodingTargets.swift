internal import Transformable

/// Determines how the columns of a file must be re-encoded so that a newer model can read them.
struct ReencodingTargets {
    let succession: Succession
    let registry: TransformerRegistry

    /// Returns the target of a column's re-encoding, or `nil` if the newer model can read the column as it is or after a
    /// plain conversion.
    ///
    /// A column of plain values has no signature.
    func target(
        from old: AttributeDescription,
        writtenBy signature: TransformerSignature?,
        to new: AttributeDescription
    ) throws -> Reencoding.Target? {
        guard new.type == .transformed else { return old.type == .transformed ? .plain : nil }
        let expression = try TransformerExpression(new.storedExpression)
        guard let signature else { return .transformer(expression.description) }
        let resolved = try registry.resolve(expression, for: new.valueType?.type)
        return resolved.signature.canRead(signature) ? nil : .transformer(expression.description)
    }

    /// Returns the reason why an attribute of the file cannot be re-encoded as a whole, or `nil` if it can.
    ///
    /// In the file, all entities with the attribute store it in the same way. In the newer model, they may not.
    func conflict(
        over old: AttributeDescription,
        of owner: String,
        writtenBy signature: TransformerSignature?
    ) -> String? {
        struct Form: Hashable {
            let target: Reencoding.Target?
            let type: AttributeValueType?
        }
        let heirs = succession.heirs(of: old.name, of: owner)
        let forms = heirs.map { heir in
            let target = try? target(from: old, writtenBy: signature, to: heir.attribute)
            return Form(target: target, type: target == nil ? nil : heir.attribute.valueType)
        }
        guard Set(forms).count > 1 else { return nil }
        let list = heirs.map { "“\($0.entity)”" }.joined(separator: " and ")
        return """
            \(list) have it in place of “\(owner)” and store it in different ways, and it can be re-encoded in one way only; \
            give the model a version in between, in which they store it as the file does
            """
    }
}

extension Succession {
    /// Returns the attributes that correspond to an attribute of the file, for each entity whose objects have it.
    ///
    /// An attribute can move to a parent, or from a parent to its children.
    func heirs(of attribute: String, of owner: String) -> [(entity: String, attribute: AttributeDescription)] {
        old.entities.filter { entity in old.lineage(of: entity).contains { $0.name == owner } }
            .compactMap { heir(ofEntity: $0.name) }
            .compactMap { entity in
                Self.columns(of: entity, in: model).first { oldName(of: $0.name, in: entity) == attribute }
                    .map { (entity: entity, attribute: $0) }
            }
    }
}
