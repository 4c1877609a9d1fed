public import Foundation
public import TransformableStore

extension StoreContext {
    /// Reads chosen properties of objects, without making objects of them.
    ///
    /// ```swift
    /// for (id, name) in try context.values(Patient.self, of: \.persistentID, \.name) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - keyPaths: Stored properties, transformed ones included, and `\.persistentID`.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The values of each object; a value alone if there is one key path.
    /// - Throws: `StoreError`: the condition or sort order is invalid, a property is not stored, or `undecodable`.
    public func values<Object: Entity, each Value>(
        _ type: Object.Type,
        of keyPaths: repeat KeyPath<Object, each Value>,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [(repeat each Value)] {
        try requireFace(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        let columns = (repeat try ValueColumn(each keyPaths))
        var names: [String] = []
        repeat names.append((each columns).name)
        let name = type.entityName
        var values: [(repeat each Value)] = []
        for row in try self.values(
            name,
            of: names,
            where: condition,
            sortedBy: keys,
            limit: limit,
            offset: offset
        ) {
            values.append((repeat try (each columns).value(in: row)))
        }
        return values
    }

    /// Reads chosen properties of the objects that satisfy a predicate, without making objects of them.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - keyPaths: Stored properties, transformed ones included, and `\.persistentID`.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The values of each object; a value alone if there is one key path.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, the sort order is invalid, a property is
    ///   not stored, or `undecodable`.
    public func values<Object: Entity, each Value>(
        _ type: Object.Type,
        of keyPaths: repeat KeyPath<Object, each Value>,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [(repeat each Value)] {
        try values(
            type,
            of: repeat each keyPaths,
            where: Condition(predicate),
            sortBy: order,
            limit: limit,
            offset: offset
        )
    }
}
