/// Fills the table of a many-to-many relationship.
package final class PairLoader {
    /// Whether the related objects of the relationship's own objects are ordered.
    package let isOrdered: Bool
    /// Whether the objects on the other side are ordered, too.
    package let isOrderedBack: Bool
    private let statement: any EngineStatement

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: The columns of the relationship's own objects and of the related objects.
    ///   - positions: The columns of positions among the related objects, and among the objects on the other side.
    ///   - connection: The connection.
    /// - Throws: `StoreError` if there is no such table.
    init(table: TableName, columns: [ColumnName], positions: [ColumnName?], on connection: any EngineConnection) throws
    {
        isOrdered = positions[0] != nil
        isOrderedBack = positions[1] != nil
        let names = (columns + positions.compactMap(\.self)).map(\.description)
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        statement = try connection.statement(
            "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks)) ON CONFLICT DO NOTHING",
            cached: false
        )
    }

    /// Inserts a pair, unless it is there.
    ///
    /// - Parameters:
    ///   - number: The number of the object with the relationship.
    ///   - other: The number of the related object.
    ///   - position: The related object's position, which is used only if the relationship is ordered.
    ///   - backPosition: The object's position on the other side, which is used only if that side is ordered.
    /// - Throws: `StoreError` if the pair cannot be stored.
    package func insert(_ number: Int64, _ other: Int64, position: Int64?, backPosition: Int64?) throws {
        try statement.bind(number, at: 1)
        try statement.bind(other, at: 2)
        var index = 3
        for (isUsed, position) in [(isOrdered, position), (isOrderedBack, backPosition)] where isUsed {
            try statement.bind(position.map(ColumnValue.integer) ?? .null, at: index)
            index += 1
        }
        try statement.run()
    }
}
