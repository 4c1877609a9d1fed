internal import Foundation
internal import Transformable

/// The values that existing objects get for a new attribute, or for one that they had no value of.
extension TableRebuild {
    /// Returns the expression that provides the cells of a column.
    func source(of pair: Migration.Pair) throws -> Expression {
        let description = pair.new.description
        if let derivation = description.derivation {
            let origin = pairs.first { $0.new.name == derivation.sourceAttribute }
            let source = origin.map { ($0.new.description, $0.old) }
            guard Succession.keepsDerived(description, from: pair.old, source: source) else {
                return try derived(pair, by: derivation, from: origin)
            }
        }
        if let reference = pair.reference { return .sql(SQLFragment(reference)) }
        guard let old = pair.old else {
            guard !description.isOptional else { return .null }
            return try initial(pair.new, "it is new and not optional")
        }
        let column = SQL.quoted(old.name)
        guard old.isOptional, !description.isOptional else { return .sql(SQLFragment(column)) }
        let missing = "SELECT EXISTS (SELECT 1 FROM \(SQL.quoted(changed.table)) WHERE \(column) IS NULL)"
        guard try connection.integer(missing) == 1 else { return .sql(SQLFragment(column)) }
        let reason = "it is no longer optional, and objects have no value of it"
        return .coalescing([.sql(SQLFragment(column)), try initial(pair.new, reason)])
    }

    /// Returns the expression that computes the cells of an attribute that was not derived in this way before, or from
    /// other text.
    private func derived(
        _ pair: Migration.Pair,
        by derivation: Derivation,
        from origin: Migration.Pair?
    ) throws -> Expression {
        guard derivation.sourceAttribute != nil else {
            let now = Expression.constant(try pair.new.encode(pair.new.slot(any: Date()), in: .none))
            return pair.old.map { .coalescing([.sql(SQLFragment(SQL.quoted($0.name))), now]) } ?? now
        }
        guard let origin else { return .null }
        let text = try source(of: origin)
        // A step sets the text, and what is derived from it with it.
        if record.isLeftToSteps(origin.new.name, of: changed.entity.name) {
            record.leaveToSteps(pair.new.name, of: changed.entity.name)
        }
        return .swift([text]) { arguments in
            guard case .text(let text) = try arguments[0] else { return .null }
            return derivation.text(from: text).map(ColumnValue.text) ?? .null
        }
    }

    /// Returns the expression that provides an attribute's first value for every object: the initial value of a class, or the
    /// model's default.
    private func initial(_ attribute: StoredAttribute, _ reason: String) throws -> Expression {
        let any = "SELECT EXISTS (SELECT 1 FROM \(SQL.quoted(changed.table)))"
        let isEmpty = try connection.integer(any) == 0
        guard !isEmpty else { return .null }
        guard let value = Self.initialValue(of: attribute, in: changed.entity) else {
            guard record.steps.isEmpty else {
                record.leaveToSteps(attribute.name, of: changed.entity.name)
                return .null
            }
            let general = """
                make it optional, give it an initial value or a default that all objects can have, or set it in a migration \
                step
                """
            throw StoreError(
                .missingValue,
                "\(reason): \(Self.sharedDefault(attribute.description) ?? general)",
                entity: attribute.entity,
                attribute: attribute.name
            )
        }
        let isContextual = attribute.transformer?.traits.contains(.contextual) == true
        guard value.differs || isContextual else {
            return .constant(try attribute.encode(value.make(), in: .none))
        }
        let place = try place(of: attribute)
        let isOwned = model.belongsToTenants(changed.entity.name)
        let owner: [Expression] = isOwned ? [.sql(SQLFragment(TenantColumn.name.description))] : []
        return .swift([.sql("\"_id\"")] + owner) { arguments in
            guard case .integer(let number) = try arguments[0] else { return .null }
            var place = place
            place.object = number
            if isOwned, case .integer(let tenant) = try arguments[1] { place.tenant = tenant }
            return try attribute.encode(value.make(), in: place)
        }
    }

    /// Returns the function that makes an attribute's value and whether it returns a different value each time, or
    /// `nil` if there is none.
    static func initialValue(
        of attribute: StoredAttribute,
        in entity: EntityDescription
    ) -> (make: () throws -> Slot, differs: Bool)? {
        let value = attribute.description.defaultValue
        let make = value.map { value in { try attribute.slot(any: value.value(for: attribute)) } }
        guard value != nil, value != .newUUID else {
            let initial = entity.entityClass?.initials[attribute.name].map { make in { Self.slot(make()) } }
            return (initial ?? make).map { ($0, true) }
        }
        return attribute.description.isUnique ? nil : make.map { ($0, false) }
    }

    /// Returns the slot that an entity's class has made, which the model knows only as an object.
    private static func slot(_ made: AnyObject) -> Slot {
        guard let slot = made as? Slot else { preconditionFailure("an initial value is not in a slot") }
        return slot
    }

    /// Returns what to do if all objects would get the same default for a unique attribute, or `nil` for any other
    /// attribute.
    static func sharedDefault(_ attribute: AttributeDescription) -> String? {
        guard attribute.isUnique, attribute.defaultValue != nil else { return nil }
        return """
            all objects would get the same default, but values must be unique; make it optional, or give it a \
            default that differs for each object: a new UUID, or the initial value of a class
            """
    }

    /// Returns the context of an attribute's values, without their object.
    private func place(of attribute: StoredAttribute) throws -> TransformContext {
        let sql = """
            SELECT "id" FROM "_transformable_attribute" WHERE "entity" = ? AND "name" = ? AND "state" = 'live'
            """
        let values: [ColumnValue] = [.integer(Int64(changed.id)), .text(attribute.name)]
        let number = try connection.integer(sql, values)
        return TransformContext(
            store: record.old.uuid,
            entity: changed.id,
            attribute: UInt32(truncatingIfNeeded: number)
        )
    }
}
