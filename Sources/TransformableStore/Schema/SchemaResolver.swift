internal import Foundation
internal import Transformable

/// Resolves a model's transformers in a registry.
///
/// All failures are collected. A strict caller throws all of them at once. A lenient caller keeps each failure with its
/// attribute, whose cells then keep their bytes.
struct SchemaResolver {
    let model: Model
    let registry: TransformerRegistry
    /// The metadata of the file, which states what wrote the columns, or `nil` if there is no file.
    var metadata: Metadata?
    /// Whether projections whose expression differs from that in the file are left unchanged.
    var keepsOutdated = false
    /// Whether projections of confidential attributes must be keyed.
    ///
    /// This is not required if nothing is written.
    var judgesSecrecy = true
    /// Whether a column contains only values of its type.
    var hasTypedColumns = false
    private(set) var failures: [StoreError] = []

    init(model: Model, registry: TransformerRegistry) {
        self.model = model
        self.registry = registry
    }

    /// Creates an entity's attributes, with numbers from a function of their names.
    mutating func attributes(of entity: EntityDescription, number: (String) -> UInt32) -> [StoredAttribute] {
        var cell = 0
        let references = RelationshipPlan(model: model).columns(of: entity.name).map(\.description)
        let transients = model.transientRelationships(of: entity.name).map(\.attribute)
        return (model.attributes(of: entity.name) + references + transients).enumerated()
            .map { index, description in
                let isStored = !description.isTransient
                defer { cell += isStored ? 1 : 0 }
                let id = number(description.name)
                let wasExternal = metadata?.externalAttributes.contains(id) == true
                let blueprint = AttributeBlueprint(
                    description: description,
                    entity: entity.name,
                    id: id,
                    index: index,
                    cell: isStored ? cell : nil,
                    isExternal: description.externalThreshold != nil || wasExternal
                )
                return attribute(blueprint)
            }
    }

    /// Creates an attribute.
    mutating func attribute(_ blueprint: AttributeBlueprint) -> StoredAttribute {
        var blueprint = blueprint
        let description = blueprint.description
        guard description.type == .transformed, !description.isTransient else {
            return plain(blueprint)
        }
        do {
            let expression = description.storedExpression
            let resolved = try registry.resolve(expression, for: description.valueType?.type)
            guard let transformer = resolved.transformer as? any Transformer else {
                let culprit = resolved.stages.first { !$0.isReversible }?.name.rawValue ?? expression
                throw TransformerError(.notReversible, "“\(culprit)” cannot decode, so it cannot store an attribute")
            }
            blueprint.transformer = resolved
            if let failure = lockFailure(blueprint, resolved) {
                return unresolved(blueprint, failure)
            }
            return typed(blueprint, transformer)
        } catch {
            return unresolved(blueprint, error)
        }
    }

    /// Compares the signature with the signature that the column was written with.
    ///
    /// This is called the schema lock.
    private func lockFailure(_ blueprint: AttributeBlueprint, _ resolved: ResolvedTransformer) -> StoreError? {
        guard let metadata, let entity = metadata.entities[blueprint.entity],
            let text = metadata.attributes[entity]?[blueprint.description.name]?.signature
        else { return nil }
        if let written = try? TransformerSignature(text), resolved.signature.canRead(written) { return nil }
        return StoreError(
            .signatureMismatch,
            """
            the column was written by “\(text)”, but the model now says “\(resolved.signature)”; open it with the \
            transformer that wrote it, or re-encode the column
            """,
            entity: blueprint.entity,
            attribute: blueprint.description.name
        )
    }

    /// Records why something is not available in this program.
    mutating func note(_ failure: StoreError) {
        failures.append(failure)
    }

    /// Records why an attribute cannot be read or written in this program.
    private mutating func unresolved(_ blueprint: AttributeBlueprint, _ error: any Error) -> StoredAttribute {
        let failure =
            error as? StoreError
            ?? StoreError(
                .unresolvedTransformer,
                "its transformer cannot be used\(Self.hint(error, blueprint.description))",
                entity: blueprint.entity,
                attribute: blueprint.description.name,
                underlying: error
            )
        failures.append(failure)
        var blueprint = blueprint
        blueprint.failure = failure
        let projections = blueprint.description.projections.map { description in
            (StoredProjection(description, failure: failure), nil as Projector<Never>?)
        }
        return TypedAttribute<Never>(blueprint, coder: nil, projections: projections)
    }

    /// Returns what to do if only the program's own model states the type of values that a transformer takes.
    private static func hint(_ error: any Error, _ description: AttributeDescription) -> String {
        let codes: [TransformerError.Code] = [.unsupportedType, .stagesDoNotFit]
        guard description.type == .transformed, description.valueType == nil,
            let code = (error as? TransformerError)?.code, codes.contains(code)
        else { return "" }
        let remedy = "open it with a model that declares the type (“as:”), and in a migration, ask for that type"
        return " with the default type of its values: correct the expression or, if they have another type, \(remedy)"
    }

    private mutating func typed<Base: Transformer>(
        _ blueprint: AttributeBlueprint,
        _ base: Base
    ) -> StoredAttribute {
        guard let transformer = base as? any Transformer<Base.Value, Data> else {
            let error = TransformerError(.stagesDoNotFit, "the expression does not end in bytes")
            return unresolved(blueprint, error)
        }
        return TypedAttribute(
            blueprint,
            coder: TransformedCoder(transformer, blueprint.transformer?.streamed),
            projections: projections(of: blueprint, for: Base.Value.self)
        )
    }

    private mutating func projections<Value>(
        of blueprint: AttributeBlueprint,
        for type: Value.Type
    ) -> [(StoredProjection, Projector<Value>?)] {
        blueprint.description.projections.map { description in
            do {
                let resolved = try registry.resolve(description.transformer, for: type, ending: .column)
                try resolved.requireSameResults()
                try requireSecrecy(of: description, resolved, blueprint)
                let known = metadata?.projections[blueprint.id]?[description.name]
                let projection = StoredProjection(description, resolved, known: known)
                if keepsOutdated, known?.fingerprint != projection.fingerprint {
                    return (
                        StoredProjection(
                            description,
                            failure: .outdated(description.name, blueprint.entity, blueprint.description.name)
                        ), nil
                    )
                }
                return (projection, Projector(resolved.transformer))
            } catch {
                let failure =
                    error as? StoreError
                    ?? StoreError(
                        .unresolvedTransformer,
                        "the transformer of the projection “\(description.name)” cannot be used"
                            + Self.hint(error, blueprint.description),
                        entity: blueprint.entity,
                        attribute: blueprint.description.name,
                        underlying: error
                    )
                failures.append(failure)
                return (StoredProjection(description, failure: failure), nil)
            }
        }
    }

    private mutating func plain(_ blueprint: AttributeBlueprint) -> StoredAttribute {
        let description = blueprint.description
        if let type = description.valueType {
            var maker = AttributeMaker(resolver: self, blueprint: blueprint)
            defer { self = maker.resolver }
            if let attribute = type.accept(&maker) { return attribute }
        }
        guard !description.isTransient else { return TypedAttribute<Any>(blueprint, coder: nil) }
        return natural(blueprint, description.type.valueType)
    }

    private mutating func natural<Value: PlainValue>(
        _ blueprint: AttributeBlueprint,
        _ type: Value.Type
    ) -> StoredAttribute {
        plain(blueprint, PlainCoder<Value>())
    }

    /// Creates an attribute whose values are stored directly in a column.
    fileprivate mutating func plain<Coder: ValueCoder>(_ blueprint: AttributeBlueprint, _ coder: Coder)
        -> StoredAttribute
    {
        let projections = projections(of: blueprint, for: Coder.Value.self)
        return TypedAttribute<Coder.Value>(blueprint, coder: coder, projections: projections)
    }
}

/// Creates plain and transient attributes of the types that code declares.
private struct AttributeMaker: AttributeTypeVisitor {
    var resolver: SchemaResolver
    let blueprint: AttributeBlueprint

    func visit<Value>(transient type: Value.Type) -> StoredAttribute {
        TypedAttribute<Value>(blueprint, coder: nil)
    }

    mutating func visit<Value: PlainValue>(plain type: Value.Type) -> StoredAttribute {
        resolver.plain(blueprint, PlainCoder<Value>())
    }

    mutating func visit<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) -> StoredAttribute
    where Value.RawValue: PlainValue {
        resolver.plain(blueprint, RawCoder<Value>())
    }
}

extension StoreError {
    /// Returns the error for a projection that the file does not have, or has with a different expression.
    static func outdated(_ projection: String, _ entity: String, _ attribute: String) -> Self {
        Self(
            .signatureMismatch,
            """
            the projection “\(projection)” was computed by a different expression; open the store for writing with the \
            keys of all values (without “--dry-run”), and set or remove the values that “store verify” reports as damaged
            """,
            entity: entity,
            attribute: attribute
        )
    }
}

extension AttributeType {
    /// The Swift type of a plain attribute's values if the code does not declare a different type.
    var valueType: any PlainValue.Type {
        switch self {
        case .int8: Int8.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        case .uint8: UInt8.self
        case .uint16: UInt16.self
        case .uint32: UInt32.self
        case .uint64: UInt64.self
        case .float: Float.self
        case .double: Double.self
        case .decimal: Decimal.self
        case .boolean: Bool.self
        case .string: String.self
        case .date: Date.self
        case .data, .transformed, .undefined: Data.self
        case .uuid: UUID.self
        case .url: URL.self
        }
    }
}
