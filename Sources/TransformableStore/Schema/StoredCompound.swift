internal import Foundation
internal import Transformable

/// A compound projection of an open store.
struct StoredCompound: Sendable {
    let description: CompoundProjection
    /// The projection's number, from the same sequence as those of attributes.
    ///
    /// Keyed digests are bound to it.
    let id: UInt32
    let projection: StoredProjection
    let parts: [CompoundPart]
    let transformer: ResolvedTransformer?
    /// Replaces the result if a value cannot be decoded, so that conditions examine the object itself.
    ///
    /// A typed column that cannot contain a mark is empty instead, as for an object without one of the values.
    let undecided: ColumnValue
    private let projector: Projector<Data>?

    var name: String { description.name }
    private var entity: String? { parts.first?.attribute.entity }

    init(_ description: CompoundProjection, id: UInt32, failure: StoreError) {
        self.description = description
        self.id = id
        projection = StoredProjection(description.column, failure: failure)
        parts = []
        undecided = .null
        transformer = nil
        projector = nil
    }

    init(
        _ description: CompoundProjection,
        id: UInt32,
        of attributes: [StoredAttribute],
        _ registry: TransformerRegistry,
        known: Metadata.Projection?,
        isTyped: Bool
    ) throws {
        self.description = description
        self.id = id
        parts = try description.parts.map { part in
            guard let attribute = attributes.first(where: { $0.name == part.attribute }) else {
                throw StoreError(.unknownAttribute, "there is no attribute “\(part.attribute)”")
            }
            return try CompoundPart(part, attribute, registry)
        }
        let resolved = try registry.resolve(description.transformer, for: Data.self, ending: .column)
        try resolved.requireSameResults()
        let origin = parts.map(\.signature).joined(separator: ", ")
        projection = StoredProjection(description.column, resolved, known: known, of: origin)
        undecided = isTyped && projection.columnType != "TEXT" ? .null : .text("?")
        transformer = resolved
        projector = Projector(resolved.transformer)
    }

    func hasPart(_ attribute: StoredAttribute) -> Bool {
        parts.contains { $0.attribute.index == attribute.index }
    }

    /// Whether a condition that requires equality for all parts finds every matching object.
    var findsEqualValues: Bool {
        projection.failure == nil && parts.allSatisfy(\.findsEqualValues)
    }

    /// Whether the column of an intact row is one of the results for its values.
    var isVerifiable: Bool {
        projection.failure == nil && parts.allSatisfy(\.isVerifiable)
    }

    /// Returns the column's cell for the values of an object.
    func project(in place: TransformContext, _ slot: (StoredAttribute) throws -> Slot) throws -> ColumnValue {
        if let failure = projection.failure { throw failure }
        var values: [Any] = []
        for part in parts {
            let slot = try slot(part.attribute)
            guard slot.failure == nil else { return undecided }
            guard let value = part.attribute.any(slot) else { return .null }
            values.append(value)
        }
        try projection.requireNewestKeys(of: entity)
        return try withholding { try projector?.encode(joined(values, in: place), context(place)) ?? .null }
    }

    /// Returns what the column may contain for some values.
    func candidates(for values: [Any], in place: TransformContext) throws -> [ColumnValue] {
        do throws(TransformerError) {
            try projection.keys?.check()
        } catch {
            throw failure(error)
        }
        return try withholding {
            try (projector?.candidates([joined(values, in: place)], context(place)) ?? []) + [undecided]
        }
    }

    private func joined(_ values: [Any], in place: TransformContext) throws -> Data {
        var bytes = Data()
        for (part, value) in zip(parts, values) {
            try part.append(value, to: &bytes, in: place.withoutObject)
        }
        return bytes
    }

    private func context(_ place: TransformContext) -> TransformContext {
        TransformContext(store: place.store, entity: place.entity, attribute: id, tenant: place.tenant)
    }

    /// Replaces an error that may quote confidential values.
    ///
    /// Its code and name are kept.
    private func withholding<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let known = error as? TransformerError
            let message = "failed on the values of several attributes; its message is withheld"
            throw failure(TransformerError(known?.code ?? .invalidValue, message, transformer: known?.transformer))
        }
    }

    private func failure(_ cause: TransformerError) -> StoreError {
        StoreError(.invalidValue, "it cannot be computed", entity: entity, attribute: name, underlying: cause)
    }
}

extension CompoundProjection {
    /// The projection's own column.
    fileprivate var column: ProjectionDescription {
        ProjectionDescription(name, transformer, indexed: isIndexed, reveals: reveals)
    }
}

extension SchemaResolver {
    /// Creates an entity's compound projections, with numbers from a function of their names.
    mutating func compounds(
        of entity: EntityDescription,
        _ attributes: [StoredAttribute],
        number: (String) -> UInt32
    ) -> [StoredCompound] {
        model.projections(of: entity.name)
            .map { description in
                let id = number(description.name)
                let known = metadata?.projections[id]?[description.name]
                do {
                    let made = try StoredCompound(
                        description,
                        id: id,
                        of: attributes,
                        registry,
                        known: known,
                        isTyped: hasTypedColumns
                    )
                    try requireSecrecy(of: made, in: entity.name)
                    guard keepsOutdated, known?.fingerprint != made.projection.fingerprint else { return made }
                    throw StoreError.outdated(description.name, entity.name, description.name)
                } catch {
                    let known = error as? StoreError
                    let wrapped = StoreError(
                        known?.code ?? .unresolvedTransformer,
                        "the projection cannot be computed",
                        entity: entity.name,
                        attribute: description.name,
                        underlying: error
                    )
                    let failure = known?.code == .revealingProjection ? known ?? wrapped : wrapped
                    if !keepsOutdated { note(failure) }
                    return StoredCompound(description, id: id, failure: failure)
                }
            }
    }
}
