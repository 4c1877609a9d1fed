/// The SQL that sorts objects by an attribute.
enum SortTerm {
    /// Returns the SQL that a key sorts by.
    ///
    /// - Parameters:
    ///   - key: An attribute, a projection, or a path to one through to-one relationships.
    ///   - entity: The entity of the objects.
    ///   - schema: The schema that relationships are resolved in.
    ///   - context: The context that runs the SQL, or `nil` if the key is only checked.
    /// - Returns: The column or computed expression. For a path, it is a subquery.
    /// - Throws: `StoreError` if the name is unknown, or if objects cannot be sorted by it.
    static func sql(
        of key: SortKey,
        in entity: StoredEntity,
        _ schema: StoreSchema,
        _ context: StoreContext?
    ) throws -> SQLFragment {
        let names = key.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return try sql(of: names[...], in: Scope(entity), schema, context)
    }

    private static func sql(
        of names: ArraySlice<String>,
        in scope: Scope,
        _ schema: StoreSchema,
        _ context: StoreContext?
    ) throws -> SQLFragment {
        guard let names = schema.narrowed(names, in: scope.entity) else { return "NULL" }
        let name = names.joined(separator: ".")
        guard names.count > 1, scope.entity.partName(ofPath: name) == nil, let first = names.first else {
            return try column(name, in: scope, schema, context)
        }
        let relationship = try scope.entity.relationship(first)
        guard !relationship.description.isToMany else {
            throw refusal("“\(first)” leads to many objects", name, scope.entity.name)
        }
        var found: [SQLFragment] = []
        for part in relationship.parts {
            let join = try RelationshipJoin(part, of: scope, depth: scope.depth + 1, in: schema)
            found.append(join.select(try sql(of: names.dropFirst(), in: join.scope, schema, context)))
        }
        return found.count == 1 ? found[0] : found.isEmpty ? "NULL" : "coalesce(\(.list(found)))"
    }

    private static func column(
        _ name: String,
        in scope: Scope,
        _ schema: StoreSchema,
        _ context: StoreContext?
    ) throws -> SQLFragment {
        let entity = scope.entity
        if name == "_id" { return scope.column(name) }
        if let part = entity.partName(ofPath: name) {
            return try column(entity.attribute(part).name, in: scope, schema, context)
        }
        if let (attribute, index) = entity.projection(name) {
            let projection = attribute.projections[index]
            if let failure = projection.failure { throw failure }
            return try projection.columnType == "TEXT" ? text(name, in: scope, context) : scope.column(name)
        }
        let attribute = try entity.attribute(name)
        if case .count(let relationship)? = attribute.derivation {
            return try count(entity.relationship(relationship), in: scope, schema)
        }
        switch attribute.description.type {
        case .transformed:
            guard let projection = attribute.projections.first(where: \.isOrdered) else {
                throw refusal("none of its projections keeps the order of its values", name, entity.name)
            }
            return try column(projection.name, in: scope, schema, context)
        case .decimal: return DecimalOrder.key(scope.column(name))
        case .undefined: throw refusal("it is kept only in memory", name, entity.name)
        case .data where attribute.isExternal:
            throw refusal("its values may be stored in external files", name, entity.name)
        case .string: return try text(name, in: scope, context)
        default: return scope.column(name)
        }
    }

    private static func count(
        _ relationship: StoredRelationship,
        in scope: Scope,
        _ schema: StoreSchema
    ) throws -> SQLFragment {
        let counts = try relationship.parts.map { part in
            try RelationshipJoin(part, of: scope, depth: scope.depth + 1, in: schema).select("count(*)")
        }
        return counts.isEmpty ? "0" : "(\(.list(counts, by: " + ")))"
    }

    private static func text(_ name: String, in scope: Scope, _ context: StoreContext?) throws -> SQLFragment {
        try context.map { try TextColumn.key(name, of: scope, in: $0) } ?? scope.column(name)
    }

    private static func refusal(_ reason: String, _ name: String, _ entity: String) -> StoreError {
        StoreError(.unsupported, "objects cannot be sorted by it: \(reason)", entity: entity, attribute: name)
    }
}
