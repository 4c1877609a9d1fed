/// What objects are sorted by.
enum SortTerm {
    /// Returns the expression that a key sorts by.
    ///
    /// - Parameters:
    ///   - key: An attribute, a projection, or a path to one through to-one relationships.
    ///   - entity: The entity of the objects.
    ///   - schema: The schema that relationships are resolved in.
    ///   - connection: The connection that sorts, or `nil` if the key is only checked.
    /// - Returns: The column or computed expression. For a path, it is a subquery.
    /// - Throws: `StoreError` if the name is unknown, or if objects cannot be sorted by it.
    static func expression(
        of key: SortKey,
        in entity: StoredEntity,
        _ schema: StoreSchema,
        _ connection: (any EngineConnection)?
    ) throws -> Expression {
        let names = key.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return try expression(of: names[...], in: Scope(entity), schema, connection)
    }

    private static func expression(
        of names: ArraySlice<String>,
        in scope: Scope,
        _ schema: StoreSchema,
        _ connection: (any EngineConnection)?
    ) throws -> Expression {
        guard let names = schema.narrowed(names, in: scope.entity) else { return .null }
        let name = names.joined(separator: ".")
        guard names.count > 1, scope.entity.partName(ofPath: name) == nil, let first = names.first else {
            return try column(name, in: scope, schema, connection)
        }
        let relationship = try scope.entity.relationship(first)
        guard !relationship.description.isToMany else {
            throw refusal("“\(first)” leads to many objects", name, scope.entity.name)
        }
        let found = try relationship.parts.map { part in
            let join = try RelationshipJoin(part, of: scope, in: scope, schema)
            return join.value(of: try expression(of: names.dropFirst(), in: join.scope, schema, connection))
        }
        return found.isEmpty ? .null : .coalescing(found)
    }

    private static func column(
        _ name: String,
        in scope: Scope,
        _ schema: StoreSchema,
        _ connection: (any EngineConnection)?
    ) throws -> Expression {
        let entity = scope.entity
        if name == "_id" { return .sql(scope.column(name)) }
        if let part = entity.partName(ofPath: name) {
            return try column(entity.attribute(part).name, in: scope, schema, connection)
        }
        if let (attribute, index) = entity.projection(name) {
            let projection = attribute.projections[index]
            if let failure = projection.failure { throw failure }
            return try projection.columnType == "TEXT" ? text(name, in: scope, connection) : .sql(scope.column(name))
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
            return try column(projection.name, in: scope, schema, connection)
        case .decimal: return DecimalOrder.key(.sql(scope.column(name)))
        case .undefined: throw refusal("it is kept only in memory", name, entity.name)
        case .data where attribute.isExternal:
            throw refusal("its values may be stored in external files", name, entity.name)
        case .string: return try text(name, in: scope, connection)
        default: return .sql(scope.column(name))
        }
    }

    private static func count(
        _ relationship: StoredRelationship,
        in scope: Scope,
        _ schema: StoreSchema
    ) throws -> Expression {
        let counts = try relationship.parts.map { part in
            Expression.sql(try RelationshipJoin(part, of: scope, in: scope, schema).select("count(*)"))
        }
        return .adding(counts)
    }

    private static func text(_ name: String, in scope: Scope, _ connection: (any EngineConnection)?) throws
        -> Expression
    {
        try connection.map { try TextColumn.key(name, of: scope, on: $0) } ?? .sql(scope.column(name))
    }

    private static func refusal(_ reason: String, _ name: String, _ entity: String) -> StoreError {
        StoreError(.unsupported, "objects cannot be sorted by it: \(reason)", entity: entity, attribute: name)
    }
}
