internal import GRDB
internal import Synchronization

/// Numbers for new objects that no transaction is open for.
///
/// They are taken from the file in blocks, so that no other context or process takes them too; those of
/// a block that nobody needs are left out.
final class NumberReserve: Sendable {
    // How many numbers a block has.
    private static let block: Int64 = 64

    // What is left, by the places of the entities.
    private let ranges: Mutex<[Range<Int64>]>

    init(count: Int) {
        ranges = Mutex(Array(repeating: 0..<0, count: count))
    }

    /// Takes a number; nil if the block is used up.
    func take(_ entity: StoredEntity) -> Int64? {
        ranges.withLock { ranges in
            guard let number = ranges[entity.index].first else { return nil }
            ranges[entity.index].removeFirst()
            return number
        }
    }

    /// Takes a new block, whose first number is the caller's.
    func refill(_ entity: StoredEntity, on database: Database) throws -> Int64 {
        try Self.take(Self.block, of: entity, on: database)
    }

    /// Takes numbers from the file, and gives the first of them.
    static func take(_ count: Int64, of entity: StoredEntity, on database: Database) throws -> Int64 {
        let last = try last(entity, on: database)
        guard last <= Int64.max - count else { throw exhausted(entity) }
        let end = last + count
        let values: [ColumnValue] = [.integer(end), .text(entity.name)]
        try SQLStatement.run("UPDATE \"sqlite_sequence\" SET \"seq\" = ? WHERE \"name\" = ?", values, on: database)
        if database.changesCount == 0 {
            let insert = "INSERT INTO \"sqlite_sequence\" (\"seq\", \"name\") VALUES (?, ?)"
            try SQLStatement.run(insert, values, on: database)
        }
        return last + 1
    }

    /// Keeps a block that has been committed, less its first number.
    func keep(_ entity: StoredEntity, after first: Int64) {
        ranges.withLock { $0[entity.index] = first + 1..<first + Self.block }
    }

    /// The highest number that an entity's objects have had.
    static func last(_ entity: StoredEntity, on database: Database) throws -> Int64 {
        try SQLStatement.integer(
            "SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?",
            [.text(entity.name)],
            on: database
        )
    }

    static func exhausted(_ entity: StoredEntity) -> StoreError {
        StoreError(.limitExceeded, "the entity has no numbers left", entity: entity.name)
    }
}

extension Store {
    /// Takes a number for a new object that is not written yet.
    func nextNumber(_ entity: StoredEntity) throws -> Int64 {
        if let number = numbers.take(entity) { return number }
        let first = try borrowForWriting { database in
            try database.committing { try numbers.refill(entity, on: database) }
        }
        numbers.keep(entity, after: first)
        return first
    }

    /// Takes numbers that follow each other for new objects that are not written yet, and gives the first of them.
    func nextNumbers(_ count: Int, _ entity: StoredEntity) throws -> Int64 {
        try borrowForWriting { database in
            try database.committing { try NumberReserve.take(Int64(count), of: entity, on: database) }
        }
    }
}
