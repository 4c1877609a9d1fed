/// Fills an empty store with rows that another program has written.
///
/// Rows keep their numbers, and cells are stored as they are given, even if no value of their attribute is stored that
/// way. Such a cell reads as an error, and its content is kept. Defaults are not filled in, validation rules are not
/// checked, and hooks do not run. What SQLite enforces still applies: required values, unique values, and references.
///
/// A loader is valid only inside the closure that it was passed to.
package final class StoreLoader {
    /// The highest number that objects can have had according to another program.
    ///
    /// Above it, a wrong number could leave none for new objects.
    package static let highestNumber: Int64 = 1 << 62

    private let context: StoreContext
    private var entities: [String: EntityLoader] = [:]

    fileprivate init(_ context: StoreContext) {
        self.context = context
    }

    /// Returns the loader of an entity's rows.
    ///
    /// - Parameter name: The entity's name. It must not be abstract.
    /// - Returns: The loader, which is the same each time.
    /// - Throws: `StoreError` if there is no such entity.
    package func entity(_ name: String) throws -> EntityLoader {
        if let loader = entities[name] { return loader }
        let loader = try EntityLoader(context.schema.entity(name), context)
        entities[name] = loader
        return loader
    }

    /// Returns the loader of the pairs of a many-to-many relationship between the objects of two entities.
    ///
    /// - Parameters:
    ///   - relationship: The relationship's name.
    ///   - entity: The name of the entity whose objects have the relationship.
    ///   - destination: The name of the entity of the related objects.
    /// - Returns: The loader, or `nil` if the references are stored in a column.
    /// - Throws: `StoreError` if there is no such relationship.
    package func pairs(of relationship: String, _ entity: String, to destination: String) throws -> PairLoader? {
        let relationship = try context.schema.entity(entity).relationship(relationship)
        guard case .pairs(let table, let own)? = relationship.part(destination)?.storage else { return nil }
        let isBackOrdered = relationship.inverse?.isOrdered == true && !relationship.isOwnInverse
        return try PairLoader(
            table: table,
            columns: [own.column, own.opposite.column],
            positions: [
                relationship.description.isOrdered ? own.positionColumn : nil,
                isBackOrdered ? own.opposite.positionColumn : nil,
            ],
            on: context.database()
        )
    }

    /// Ensures that no new object gets a number up to the given one.
    ///
    /// - Parameters:
    ///   - number: The highest number that an object has ever had, which must not exceed ``highestNumber``.
    ///   - name: The entity's name.
    /// - Throws: `StoreError` if there is no such entity.
    package func keepNumbers(upTo number: Int64, of name: String) throws {
        let entity = try context.schema.entity(name)
        let connection = try context.database()
        let last = try connection.lastNumber(of: entity.name)
        if number > last { try connection.recordNumber(number, of: entity.name) }
    }
}

extension Store {
    /// Fills the store in one transaction, which is rolled back if the closure throws an error.
    ///
    /// - Parameter body: A closure that receives the loader.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` if the rows cannot be stored or refer to objects that do not exist, and errors thrown by
    ///   the closure.
    package func load<Result>(_ body: (StoreLoader) throws -> Result) throws -> Result {
        try Nesting.check(self)
        try requireWritable()
        return try engine.write { connection in
            guard let embedded = connection.embedded else { throw engine.dialect.unsupported("importing files") }
            return try embedded.loading {
                let block = ContextBlock(self, on: connection)
                let outcome = try block.write { context in
                    let result = try body(StoreLoader(context))
                    try self.requireReferences(on: connection)
                    context.saving.record.omitSome()
                    return result
                }
                return try outcome.get()
            }
        }
    }
}

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
