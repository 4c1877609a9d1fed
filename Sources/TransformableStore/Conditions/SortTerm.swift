/// What the objects of an entity are sorted by.
struct SortTerm {
    /// The column or computed expression.
    ///
    /// For a path, it is a subquery.
    private let value: Expression
    /// The kind of the value, or `nothing` if no object of the entity has one.
    private let kind: ValueKind
    /// Whether objects may have no value, which is not known of attributes: pending objects can lack required values.
    private let hasNulls: Bool
    /// The related objects that a path leads through.
    private var matches: [RelatedMatch] = []

    private init(_ value: Expression, _ kind: ValueKind, hasNulls: Bool = true) {
        self.value = value
        self.kind = kind
        self.hasNulls = hasNulls
    }

    /// What names are resolved with.
    private struct Place {
        let schema: StoreSchema
        let connection: (any EngineConnection)?
        /// A test that all objects to sort pass.
        var filter: SQLFragment?
        let limits = ConditionLimits()
    }

    /// Creates what a key sorts by.
    ///
    /// - Parameters:
    ///   - key: An attribute, a projection, or a path to one through to-one relationships.
    ///   - entity: The entity of the objects.
    ///   - schema: The schema that relationships are resolved in.
    ///   - connection: The connection that sorts, or `nil` if the key is only checked.
    ///   - filter: A test that all objects to sort pass.
    /// - Throws: `StoreError` if the name is unknown, or if objects cannot be sorted by it.
    init(
        _ key: SortKey,
        in entity: StoredEntity,
        _ schema: StoreSchema,
        _ connection: (any EngineConnection)?,
        where filter: SQLFragment? = nil
    ) throws {
        let names = key.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try ConditionLimits.check(path: names)
        let place = Place(schema: schema, connection: connection, filter: filter)
        self = try Self.path(names[...], in: Scope(entity), place)
        matches = place.limits.matches
    }

    /// Returns the expressions that the objects of several entities are sorted by together, whether they may be null, and
    /// the related objects that these depend on.
    ///
    /// All objects to sort of each entity pass one of the tests.
    static func values(
        of key: SortKey,
        in family: [StoredEntity],
        where filters: [SQLFragment],
        _ schema: StoreSchema,
        _ connection: any EngineConnection
    ) throws -> [(value: Expression, hasNulls: Bool, matches: [RelatedMatch])] {
        let terms = try zip(family, filters).map { try Self(key, in: $0, schema, connection, where: $1) }
        return zip(typed(terms, connection), terms).map { ($0, $1.hasNulls, $1.matches) }
    }

    /// Returns the values of terms of which a statement uses one for each row.
    private static func typed(_ terms: [Self], _ connection: (any EngineConnection)?) -> [Expression] {
        guard let connection, !connection.dialect.has(.dynamicTypes) else { return terms.map(\.value) }
        let types = Set(terms.compactMap(\.kind.typeName))
        // A column of a statement over several tables has one type, so values of different types are sorted in Swift.
        guard types.count <= 1 else { return terms.map { term in .swift([term.value]) { try $0[0] } } }
        return terms.map { term in
            term.kind == .nothing ? .sql("CAST(NULL AS \(raw: types.first ?? "text"))") : term.value
        }
    }

    private static func path(_ names: ArraySlice<String>, in scope: Scope, _ place: Place) throws -> Self {
        guard let names = place.schema.narrowed(names, in: scope.entity) else { return Self(.null, .nothing) }
        let name = names.joined(separator: ".")
        guard names.count > 1, scope.entity.partName(ofPath: name) == nil, let first = names.first else {
            return try column(name, in: scope, place)
        }
        let relationship = try scope.entity.relationship(first)
        guard !relationship.description.isToMany else {
            throw refusal("“\(first)” can have many objects", name, scope.entity.name)
        }
        try place.limits.add(joins: relationship.parts.count)
        let found = try relationship.parts.map { part in
            let join = try RelationshipJoin(relationship, to: part, of: scope, in: scope, place.schema)
            place.limits.matches.append(RelatedMatch(join: join))
            let inner = try path(names.dropFirst(), in: join.scope, place)
            return Self(join.value(of: inner.value), inner.kind)
        }
        guard let kind = found.lazy.map(\.kind).first(where: { $0 != .nothing }) else { return Self(.null, .nothing) }
        return Self(.coalescing(typed(found, place.connection)), kind)
    }

    private static func column(_ name: String, in scope: Scope, _ place: Place) throws -> Self {
        let entity = scope.entity
        let column = Expression.sql(scope.column(name))
        if name == "_id" { return Self(column, .object(entity.name), hasNulls: false) }
        if let part = entity.partName(ofPath: name) {
            return try Self.column(entity.attribute(part).name, in: scope, place)
        }
        if let (attribute, index) = entity.projection(name) {
            let projection = attribute.projections[index]
            if let failure = projection.failure { throw failure }
            let kind = ValueKind(columnType: projection.columnType)
            return Self(try kind == .text ? text(name, in: scope, place) : column, kind)
        }
        guard !entity.keepsInMemory(name) else { throw entity.unknownRelationship(name) }
        let attribute = try entity.attribute(name)
        if case .count(let relationship)? = attribute.derivation {
            return Self(try count(entity.relationship(relationship), in: scope, place), .integer)
        }
        switch attribute.description.type {
        case .transformed:
            guard let projection = attribute.projections.first(where: \.isOrdered) else {
                throw refusal("none of its projections keeps the order of its values", name, entity.name)
            }
            return try Self.column(projection.name, in: scope, place)
        case .decimal: return Self(DecimalOrder.key(column), .decimal)
        case .undefined: throw refusal("it is kept only in memory", name, entity.name)
        case .data where attribute.isExternal:
            throw refusal("its values may be stored in external files", name, entity.name)
        case .string: return Self(try text(name, in: scope, place), .text)
        default: return Self(column, ValueKind(attribute.description.type) ?? .nothing)
        }
    }

    private static func count(_ relationship: StoredRelationship, in scope: Scope, _ place: Place) throws -> Expression
    {
        let counts = try relationship.parts.map { part in
            let join = try RelationshipJoin(relationship, to: part, of: scope, in: scope, place.schema)
            return Expression.sql(join.select("count(*)"))
        }
        return .adding(counts)
    }

    private static func text(_ name: String, in scope: Scope, _ place: Place) throws -> Expression {
        let filter = scope.depth == 0 ? place.filter : nil
        return try place.connection.map { try TextColumn.key(name, of: scope, on: $0, where: filter) }
            ?? .sql(scope.column(name))
    }

    private static func refusal(_ reason: String, _ name: String, _ entity: String) -> StoreError {
        StoreError(.unsupported, "objects cannot be sorted by it: \(reason)", entity: entity, attribute: name)
    }
}
