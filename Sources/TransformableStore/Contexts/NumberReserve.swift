internal import Synchronization

/// Reserves numbers for new objects outside of a transaction.
///
/// Numbers are reserved in the file in blocks, so that no other context or process uses them. The unused numbers of a
/// block are skipped.
final class NumberReserve: Sendable {
    // The size of a block.
    private static let block: Int64 = 64

    // The remaining numbers, by the positions of the entities.
    private let ranges: Mutex<[Range<Int64>]>

    init(count: Int) {
        ranges = Mutex(Array(repeating: 0..<0, count: count))
    }

    /// Returns the next number, or `nil` if the block is used up.
    func take(_ entity: StoredEntity) -> Int64? {
        ranges.withLock { ranges in
            guard let number = ranges[entity.index].first else { return nil }
            ranges[entity.index].removeFirst()
            return number
        }
    }

    /// Reserves a new block, and returns its first number.
    func refill(_ entity: StoredEntity, on database: any EngineConnection) throws -> Int64 {
        try Self.take(Self.block, of: entity, on: database)
    }

    /// Reserves numbers in the file, and returns the first of them.
    static func take(_ count: Int64, of entity: StoredEntity, on database: any EngineConnection) throws -> Int64 {
        let last = try last(entity, on: database)
        guard last < Int64.max - count else { throw exhausted(entity) }
        try record(last + count, of: entity, on: database)
        return last + 1
    }

    /// Records the highest number that is in use or reserved.
    static func record(_ last: Int64, of entity: StoredEntity, on database: any EngineConnection) throws {
        let values: [ColumnValue] = [.integer(last), .text(entity.name)]
        try database.run("UPDATE \"sqlite_sequence\" SET \"seq\" = ? WHERE \"name\" = ?", values)
        if database.changedCount == 0 {
            let insert = "INSERT INTO \"sqlite_sequence\" (\"seq\", \"name\") VALUES (?, ?)"
            try database.run(insert, values)
        }
    }

    /// Keeps a block that has been committed, without its first number.
    func keep(_ entity: StoredEntity, after first: Int64) {
        ranges.withLock { $0[entity.index] = first + 1..<first + Self.block }
    }

    /// Returns the highest number that an object of an entity has ever had, or 0 if it has had none.
    ///
    /// SQLite's record of it may be missing or too low in a file that was repaired or edited.
    static func last(_ entity: StoredEntity, on database: any EngineConnection) throws -> Int64 {
        let recorded = "SELECT max(CAST(\"seq\" AS INTEGER)) FROM \"sqlite_sequence\" WHERE \"name\" = ?"
        let present = "SELECT max(\"_id\") FROM \(SQL.main(entity.table))"
        return try database.integer(
            "SELECT max(0, coalesce((\(recorded)), 0), coalesce((\(present)), 0))",
            [.text(entity.name)],
            cached: true
        )
    }

    static func exhausted(_ entity: StoredEntity) -> StoreError {
        StoreError(.limitExceeded, "the entity has no numbers left for new objects", entity: entity.name)
    }
}

extension Store {
    /// Reserves a number for a new object that has not been written yet.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - whileReading: Whether the caller is using a separate connection for reading.
    /// - Returns: The number.
    /// - Throws: `StoreError` with the code `busy` if another process has locked the file.
    func nextNumber(_ entity: StoredEntity, whileReading: Bool = false) throws -> Int64 {
        if let number = numbers.take(entity) { return number }
        let first = try borrowForWriting(whileReading: whileReading) { database in
            try database.committing { try numbers.refill(entity, on: database) }
        }
        numbers.keep(entity, after: first)
        return first
    }

    /// Reserves consecutive numbers for new objects that have not been written yet, and returns the first of them.
    func nextNumbers(_ count: Int, _ entity: StoredEntity, whileReading: Bool = false) throws -> Int64 {
        try borrowForWriting(whileReading: whileReading) { database in
            try database.committing { try NumberReserve.take(Int64(count), of: entity, on: database) }
        }
    }
}
