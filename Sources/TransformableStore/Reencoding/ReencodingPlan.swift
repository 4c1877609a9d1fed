internal import Foundation
internal import Transformable

/// The columns that a re-encoding changes, and how it changes them.
struct ReencodingPlan {
    struct Column {
        let entity: StoredEntity
        let conversion: CellConversion

        var old: StoredAttribute { conversion.old }
        var new: StoredAttribute { conversion.new }
        var name: String { SQL.quoted(old.name) }
        /// Projections that depend on keys and that this attribute shares with others.
        var compounds: [StoredCompound] {
            entity.compounds.filter { $0.projection.failure == nil && $0.projection.keys != nil && $0.hasPart(old) }
        }

        /// The attribute's own projections that are recomputed.
        var projections: [StoredProjection] { conversion.projections.map { new.projections[$0] } }

        /// Returns the context of an object's value.
        func place(_ cell: ReencodingCell, _ store: UUID) -> TransformContext {
            TransformContext(
                store: store,
                entity: entity.id,
                attribute: old.id,
                object: cell.number,
                tenant: cell.tenant
            )
        }

        /// The column in which new cells are kept until the re-encoding is complete.
        var shadow: String { SQL.quoted(ShadowColumn.name(of: old.id)) }
    }

    /// The entity that declares the attribute.
    let owner: String
    let description: AttributeDescription
    let columns: [Column]
    /// Whether the attribute had an index that it can no longer have.
    let dropsIndex: Bool

    /// Whether the old and the new cells can be read in the same way, so that a column can contain both.
    var isInPlace: Bool {
        columns.allSatisfy { column in
            column.old.description.type == column.new.description.type
                && column.old.transformer?.signature == column.new.transformer?.signature
        }
    }

    /// Whether new cells wait in a column that the tags of their rows do not cover.
    ///
    /// Between two runs, someone without the key may have changed them, or the rows that they were computed from.
    var waitsBesideTags: Bool {
        !isInPlace && columns.contains { $0.entity.rowSeal != nil }
    }

    /// Whether the new cells are unreadable without a key.
    var isConfidential: Bool { columns.allSatisfy(\.new.isConfidential) }

    /// Whether values that were unreadable without a key are written in such a way that they can be read.
    var exposesValues: Bool { !isConfidential && columns.contains(where: \.old.isConfidential) }

    /// The target's identity in the file.
    ///
    /// It does not depend on the keys that values were written with. It does depend on the versions of the stages,
    /// because a program with other versions may be unable to read the new values that wait.
    var target: String {
        let resolved = columns.first?.new.transformer
        let components = resolved?.components ?? []
        let keys = components.compactMap { ($0 as? any KeyIdentifyingTransformer)?.currentKey }
        let projections = columns.first.map { $0.new.projections + $0.compounds.map(\.projection) } ?? []
        let indexes = projections.flatMap { $0.keys?.current ?? [] }
        let form = [description.type.rawValue, description.transformer ?? "", resolved?.signature.description ?? ""]
        return (form + keys + indexes).joined(separator: " ")
    }

    init(_ reencoding: Reencoding, _ schema: StoreSchema, _ registry: TransformerRegistry) throws {
        let model = schema.model
        guard let entity = model.entity(reencoding.entity) else {
            _ = try schema.entity(reencoding.entity)
            throw StoreError(.unknownEntity, "there is no such entity", entity: reencoding.entity)
        }
        let lineage = model.lineage(of: entity)
        guard let owner = lineage.last(where: { $0.column(reencoding.attribute) != nil }),
            let old = owner.column(reencoding.attribute)
        else {
            let names = model.attributes(of: entity.name).map(\.name).joined(separator: ", ")
            let message = "there is no such attribute; the attributes are \(names)"
            throw StoreError(.unknownAttribute, message, entity: entity.name, attribute: reencoding.attribute)
        }
        self.owner = owner.name
        let description = try old.reencoded(reencoding.target, in: schema.family(owner.name), registry)
        self.description = description
        if !reencoding.precedesMigration { try old.requireNoRules(in: description, of: owner.name) }
        let changed = try model.replacing(description, of: owner.name)
        let lists = { (model: Model) in try schema.family(owner.name).flatMap { model.indexes(of: $0.name) } }
        dropsIndex = try old.isIndexed && !description.isIndexed || lists(model) != lists(changed)
        columns = try schema.family(owner.name)
            .map { entity in
                var resolver = SchemaResolver(model: changed, registry: registry)
                let column = try Self.column(of: entity, description, &resolver)
                if !reencoding.precedesMigration { try column.requireSecrecy(&resolver) }
                return column
            }
    }

    private static func column(
        of entity: StoredEntity,
        _ description: AttributeDescription,
        _ resolver: inout SchemaResolver
    ) throws -> Column {
        let old = try entity.attribute(description.name)
        if let failure = old.failure { throw failure }
        let all = resolver.attributes(of: entity.description) { entity.attributeIfAny($0)?.id ?? 0 }
        guard let new = all.first(where: { $0.name == description.name }) else { throw StoreError.neverStored(old) }
        if let failure = new.failure { throw failure }
        let isPlain = [old.valueType, new.valueType].allSatisfy { $0 is any PlainValue.Type }
        guard old.valueType == new.valueType || isPlain else {
            let message = "its values are of type \(old.valueType), and “\(description.transformer ?? "")” takes"
            throw StoreError(
                .wrongType,
                "\(message) \(new.valueType)",
                entity: entity.name,
                attribute: old.name
            )
        }
        let conversion = try CellConversion(from: old, to: new, registry: resolver.registry)
        return Column(entity: entity, conversion: conversion)
    }
}

// MARK: - Shadow columns

extension ReencodingPlan {
    /// Adds the shadow columns that hold new cells, where they are needed and do not exist yet.
    ///
    /// A program that does not know about the job continues to write old cells. A trigger then empties the new cell.
    func prepare(on connection: any EngineConnection) throws {
        guard !isInPlace else { return }
        for column in columns {
            let type = description.type.columnType
            let (table, name, shadow) = (column.entity.table, column.name, column.shadow)
            if try !ShadowColumn.exists(for: column.old.id, of: column.entity, on: connection) {
                try connection.tables.define("ALTER TABLE \(table) ADD COLUMN \(shadow) \(type)")
            }
            try connection.tables.define(
                """
                CREATE TRIGGER IF NOT EXISTS \(shadow) AFTER UPDATE OF \(name) ON \(table)
                WHEN old.\(name) IS NOT new.\(name)
                BEGIN UPDATE \(table) SET \(shadow) = NULL WHERE "_id" = new."_id"; END
                """
            )
            let own = ShadowColumn.name(of: column.old.id)
            try connection.tables.clear(own, of: column.entity.name, whenChanging: column.old.name)
            guard column.new.isExternal else { continue }
            // Discards the blobs of new cells that have become outdated.
            let disposal = ShadowColumn.triggers(of: column.old.id).disposal
            try connection.tables.define("DROP TRIGGER IF EXISTS \(disposal)")
            let statement = BlobTriggers.change(of: shadow, column.old.id, column.entity, trigger: disposal)
            try connection.tables.define(statement)
        }
    }

    /// Returns a Boolean value that indicates whether new cells may be outdated, because nothing has emptied them.
    ///
    /// This is the case after a file was copied to a server, which has no triggers of SQLite.
    func hasUnwatchedShadows(on connection: any EngineConnection) throws -> Bool {
        guard !isInPlace else { return false }
        return try columns.contains { column in
            try ShadowColumn.exists(for: column.old.id, of: column.entity, on: connection)
                && !connection.tables.clears(ShadowColumn.name(of: column.old.id), of: column.entity.name)
        }
    }

    /// Drops what `prepare` has added.
    func dropShadows(on connection: any EngineConnection) throws {
        for column in columns where try ShadowColumn.exists(for: column.old.id, of: column.entity, on: connection) {
            try ShadowColumn.drop(for: column.old.id, of: column.entity, column.old.name, on: connection)
        }
    }
}

extension ReencodingPlan.Column {
    /// Throws an error if values would be sealed although a projection without a key still reveals them.
    fileprivate func requireSecrecy(_ resolver: inout SchemaResolver) throws(StoreError) {
        guard new.isConfidential, !old.isConfidential else { return }
        let all = resolver.attributes(of: entity.description) { entity.attributeIfAny($0)?.id ?? 0 }
        let compounds = resolver.compounds(of: entity.description, all) { _ in 0 }
            .filter { compound in compound.description.parts.contains { $0.attribute == old.name } }
        let failures = (new.projections + compounds.map(\.projection)).compactMap(\.failure)
        if let failure = failures.first(where: { $0.code == .revealingProjection }) { throw failure }
    }
}

extension AttributeDescription {
    /// Returns the attribute after re-encoding.
    fileprivate func reencoded(
        _ target: Reencoding.Target,
        in family: [StoredEntity],
        _ registry: TransformerRegistry
    ) throws -> AttributeDescription {
        guard !isTransient else {
            throw StoreError(.unsupported, "it is kept only in memory", attribute: name)
        }
        var copy = self
        switch target {
        case .same:
            guard type == .transformed || family.contains(where: { $0.mayHaveKeyedProjection(of: name) }) else {
                let message = "it has neither a transformer to re-encode it with nor a projection with a key"
                throw StoreError(.unsupported, message, attribute: name)
            }
        case .transformer(let expression):
            try copy.setTransformer(expression, for: family.first?.attribute(name).valueType, registry)
            guard type != .transformed else { break }
            copy.type = .transformed
            // Transformed bytes have no order that an index could use, and none of these rules applies to them.
            copy.isIndexed = false
            copy.validation = .none
        case .plain:
            let type = try family.first?.attribute(name).valueType
            guard let plain = type as? any PlainValue.Type else {
                throw StoreError(.unsupported, "its values cannot be stored directly in a column", attribute: name)
            }
            copy.type = plain.attributeType
            copy.transformer = nil
            copy.valueType = nil
            // Among plain values, only data can be stored externally.
            if copy.type != .data { copy.externalThreshold = nil }
        }
        return copy
    }

    /// Throws an error if rules of the model would be lost.
    fileprivate func requireNoRules(in new: Self, of entity: String) throws(StoreError) {
        guard new.validation != validation else { return }
        let message = "a transformed attribute cannot have its rules; remove them from the model first"
        throw StoreError(.unsupported, message, entity: entity, attribute: name)
    }

    /// Sets a transformer that takes values of the same type, if there is one.
    ///
    /// If the type implies a stage, such as the conversion of text to bytes, the expression states it, because the type
    /// cannot be determined from the file's own model otherwise.
    private mutating func setTransformer(
        _ expression: String,
        for old: (any Any.Type)?,
        _ registry: TransformerRegistry
    ) throws {
        let stated = try TransformerExpression(expression)
        transformer = stated.description
        let isSame = { (resolved: ResolvedTransformer) in old.map { resolved.valueType == $0 } == true }
        guard let old, let resolved = try? registry.resolve(stated, for: old), isSame(resolved) else {
            if type != .transformed { valueType = nil }
            return
        }
        func described<Value>(_ type: Value.Type) -> AttributeValueType { AttributeValueType(transformed: type) }
        valueType = described(old)
        let tellsType = { (stages: TransformerExpression) in (try? registry.resolve(stages)).map(isSame) == true }
        let whole = TransformerExpression(stages: resolved.stages.prefix(1).map(\.stage) + stated.stages)
        if !tellsType(stated), tellsType(whole) { transformer = whole.description }
    }
}

extension Model {
    /// Returns the model with a replaced attribute or part of a composite.
    ///
    /// If it is transformed now, no index can contain it any longer.
    func replacing(_ attribute: AttributeDescription, of owner: String) throws(StoreError) -> Model {
        var entities = entities
        let family = entities.indices.filter { lineage(of: entities[$0]).contains { $0.name == owner } }
        for index in family where attribute.type == .transformed {
            entities[index].indexes.removeAll { $0.contains { $0.name == attribute.name } }
        }
        for index in entities.indices where entities[index].name == owner {
            entities[index].replaceColumn(attribute)
        }
        return try with(entities: entities)
    }
}

extension ReencodingPlan {
    /// Throws an error if another program has a newer key, and may be writing rows with it.
    func requireNewestKeys() throws(StoreError) {
        for column in columns {
            let shared = column.compounds.map(\.projection)
            for projection in column.conversion.projections.map({ column.old.projections[$0] }) + shared {
                try projection.requireNewestKeys(of: column.entity.name)
            }
        }
    }
}

extension StoredEntity {
    /// Returns a Boolean value that indicates whether a projection of an attribute depends on a key, as far as this program
    /// can resolve it.
    fileprivate func mayHaveKeyedProjection(of name: String) -> Bool {
        guard let attribute = attributeIfAny(name) else { return false }
        let shared = compounds.filter { $0.description.parts.contains { $0.attribute == name } }.map(\.projection)
        return (attribute.projections + shared).contains { $0.keys != nil || $0.failure != nil }
    }
}
