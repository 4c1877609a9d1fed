internal import Transformable

/// Enforces the rule that an unencrypted column must not reveal a confidential attribute.
extension SchemaResolver {
    /// Throws an error for a projection of a confidential attribute that does not depend on a key, unless the model
    /// allows it to be revealing.
    func requireSecrecy(
        of projection: ProjectionDescription,
        _ resolved: ResolvedTransformer,
        _ attribute: AttributeBlueprint
    ) throws(StoreError) {
        guard attribute.transformer?.traits.contains(.confidential) == true else { return }
        try requireSecrecy(of: projection, resolved, "“\(attribute.description.name)” is", in: attribute.entity)
    }

    /// Does the same for a projection of several attributes if at least one of them is confidential.
    func requireSecrecy(of compound: StoredCompound, in entity: String) throws(StoreError) {
        let secret = compound.parts.map(\.attribute).filter(\.isConfidential)
        guard !secret.isEmpty else { return }
        let names = secret.map { "“\($0.name)”" }.joined(separator: ", ")
        let verb = secret.count == 1 ? "is" : "are"
        let projection = compound.projection.description
        try requireSecrecy(of: projection, compound.transformer, "\(names) \(verb)", in: entity)
    }

    private func requireSecrecy(
        of projection: ProjectionDescription,
        _ resolved: ResolvedTransformer?,
        _ subject: String,
        in entity: String
    ) throws(StoreError) {
        guard judgesSecrecy, !projection.reveals, resolved?.isKeyed != true else { return }
        throw StoreError(
            .revealingProjection,
            """
            \(subject) confidential, and this projection, “\(projection.transformer)”, has no key: anyone who has the \
            file could read it; use a keyed one such as “blind-index”, or let the model say “"reveals": true”, in code \
            “.revealing”
            """,
            entity: entity,
            attribute: projection.name
        )
    }

    /// Throws the errors for projections that no option allows in a model that a program provides.
    func throwRevealing() throws(StoreError) {
        let revealing = failures.filter { $0.code == .revealingProjection }
        guard let first = revealing.first else { return }
        guard revealing.count > 1 else { throw first }
        throw StoreError(
            .revealingProjection,
            "\(revealing.count) projections would reveal confidential values",
            faults: revealing.map(\.description)
        )
    }
}

extension ResolvedTransformer {
    /// Whether its results depend on a key.
    var isKeyed: Bool { components.contains { $0 is any KeyIdentifyingTransformer } }
}
