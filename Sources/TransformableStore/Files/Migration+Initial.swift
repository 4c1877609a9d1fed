internal import Foundation
internal import GRDB
internal import Transformable

/// What the objects that are there get for an attribute that they had no value of.
extension Migration {
    /// Where the cells of a column come from.
    func source(of pair: Pair, in entity: EntityDescription, _ id: UInt32) throws -> SQLFragment {
        let description = pair.new.description
        guard let old = pair.old else {
            guard !description.isOptional else { return "NULL" }
            return try initial(pair.new, in: entity, id, "it is new and not optional")
        }
        let column = SQL.quoted(old.name)
        guard old.isOptional, !description.isOptional else { return SQLFragment(column) }
        let missing = "SELECT EXISTS (SELECT 1 FROM \"_old\" WHERE \(column) IS NULL)"
        guard try SQLStatement.integer(missing, on: database) == 1 else { return SQLFragment(column) }
        let reason = "it is no longer optional, and objects have no value of it"
        return try "coalesce(\(raw: column), \(initial(pair.new, in: entity, id, reason)))"
    }

    /// What gives an attribute of every object its first cell: a class's initial value, or the model's default.
    private func initial(
        _ attribute: StoredAttribute,
        in entity: EntityDescription,
        _ id: UInt32,
        _ reason: String
    ) throws -> SQLFragment {
        let isEmpty = try SQLStatement.integer("SELECT EXISTS (SELECT 1 FROM \"_old\")", on: database) == 0
        guard !isEmpty else { return "NULL" }
        guard let value = Self.initialValue(of: attribute, in: entity) else {
            throw StoreError(
                .missingValue,
                "\(reason): make it optional, or give it an initial value or a default that all objects can have",
                entity: attribute.entity,
                attribute: attribute.name
            )
        }
        let isContextual = attribute.transformer?.traits.contains(.contextual) == true
        guard value.differs || isContextual else {
            return try SQLFragment("?", [attribute.encode(value.make(), in: .none)])
        }
        let place = try place(of: attribute, id)
        let function = SQLFunction { cells in
            guard case .integer(let number) = cells.first else { return .null }
            var place = place
            place.object = number
            return try attribute.encode(value.make(), in: place)
        }
        return function.call("\"_id\"")
    }

    /// What makes an attribute's value, and whether each time another one; nil if nothing does.
    static func initialValue(
        of attribute: StoredAttribute,
        in entity: EntityDescription
    ) -> (make: () throws -> Slot, differs: Bool)? {
        let value = attribute.description.defaultValue
        let make = value.map { value in { try attribute.slot(any: value.value(for: attribute)) } }
        guard value != nil, value != .newUUID else {
            return (entity.face?.initials[attribute.name] ?? make).map { ($0, true) }
        }
        return attribute.description.isUnique ? nil : make.map { ($0, false) }
    }

    /// Where the values of an attribute live, but for their objects.
    private func place(of attribute: StoredAttribute, _ entity: UInt32) throws -> TransformContext {
        let sql = """
            SELECT "id" FROM "_transformable_attribute" WHERE "entity" = ? AND "name" = ? AND "state" = 'live'
            """
        let values: [ColumnValue] = [.integer(Int64(entity)), .text(attribute.name)]
        let number = try SQLStatement.integer(sql, values, on: database)
        return TransformContext(store: old.uuid, entity: entity, attribute: UInt32(truncatingIfNeeded: number))
    }
}
