internal import GRDB

// MARK: - Numbers of new objects

extension StoreContext {
    /// Returns a number for a new object.
    func nextNumber(_ entity: StoredEntity) throws -> Int64 {
        guard takesNumbersInMemory else { return try store.nextNumber(entity, whileReading: isReading) }
        return try takeNumbers(of: entity)
    }

    /// Returns the first of several consecutive numbers for new objects.
    func nextNumbers(_ count: Int, of entity: StoredEntity) throws -> Int64 {
        guard takesNumbersInMemory else { return try store.nextNumbers(count, entity, whileReading: isReading) }
        return try takeNumbers(count, of: entity)
    }

    /// Whether the context's connection keeps everyone else from reserving numbers.
    private var takesNumbersInMemory: Bool { !isEditing || (isConnected && !isReading) }

    /// Reserves numbers for new objects, and returns the first.
    ///
    /// They are reserved in memory. The transaction keeps other writers out, and SQLite records the highest number when
    /// the rows are written.
    func takeNumbers(_ count: Int = 1, of entity: StoredEntity) throws -> Int64 {
        let last = try lastNumber(of: entity)
        guard last < Int64.max - Int64(count) else { throw NumberReserve.exhausted(entity) }
        lastNumbers[entity.index] = last + Int64(count)
        return last + 1
    }

    /// Returns the highest number that an object of the entity has ever had.
    func lastNumber(of entity: StoredEntity) throws -> Int64 {
        let database = try database()
        return try lastNumbers[entity.index] ?? NumberReserve.last(entity, on: database)
    }

    /// Runs a closure, and records the numbers that it took, because objects that are still pending have them.
    ///
    /// A transaction that is committed has recorded them itself.
    func keepingNumbers<Result>(
        _ database: Database,
        inTransaction: Bool,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            let result = try body()
            if !inTransaction { try recordNumbers(on: database) }
            return result
        } catch {
            try? recordNumbers(on: database)
            throw error
        }
    }

    private func recordNumbers(on database: Database) throws {
        guard lastNumbers.contains(where: { $0 != nil }) else { return }
        try Interruption.ignored {
            try database.committing {
                for (entity, taken) in zip(schema.entities, lastNumbers) {
                    let recorded = try NumberReserve.last(entity, on: database)
                    guard let taken, taken > recorded else { continue }
                    _ = try NumberReserve.take(taken - recorded, of: entity, on: database)
                }
            }
        }
    }
}
