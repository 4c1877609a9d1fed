internal import Synchronization

/// Reserves numbers for new objects outside of a transaction.
///
/// Numbers are reserved in the database in blocks, so that no other context or process uses them. The unused numbers of a
/// block are skipped. On a server, each block is twice as large as the one before, so many new objects cost few round
/// trips, and no more numbers are skipped than were used.
final class NumberReserve: Sendable {
    // The sizes of the first block and of the largest one.
    private static let (block, largestBlock): (Int64, Int64) = (64, 8192)

    // The remaining numbers, by the positions of the entities.
    private let ranges: Mutex<[Range<Int64>]>
    // The sizes of the next blocks.
    private let sizes: Mutex<[Int64]>

    init(count: Int) {
        ranges = Mutex(Array(repeating: 0..<0, count: count))
        sizes = Mutex(Array(repeating: Self.block, count: count))
    }

    /// Gives up the remaining numbers.
    func clear() {
        ranges.withLock { ranges in ranges = ranges.map { _ in 0..<0 } }
    }

    /// Returns the next number, or `nil` if the block is used up.
    func take(_ entity: StoredEntity) -> Int64? {
        ranges.withLock { ranges in
            guard let number = ranges[entity.index].first else { return nil }
            ranges[entity.index].removeFirst()
            return number
        }
    }

    /// Reserves a new block, and returns its numbers.
    func refill(_ entity: StoredEntity, on connection: any EngineConnection) throws -> Range<Int64> {
        let size = sizes.withLock { $0[entity.index] }
        let first = try Self.take(size, of: entity, on: connection)
        if connection.dialect.has(.server) {
            sizes.withLock { $0[entity.index] = min(size * 2, Self.largestBlock) }
        }
        return first..<first + size
    }

    /// Reserves numbers in the database, and returns the first of them.
    static func take(_ count: Int64, of entity: StoredEntity, on connection: any EngineConnection) throws -> Int64 {
        guard let first = try connection.reserveNumbers(count, of: entity.name) else { throw exhausted(entity) }
        return first
    }

    /// Keeps the rest of a block that has been committed, unless there is one with higher numbers.
    ///
    /// - Parameters:
    ///   - block: The numbers.
    ///   - index: The position of their entity.
    func keep(_ block: Range<Int64>, at index: Int) {
        ranges.withLock { ranges in
            if ranges[index].upperBound < block.upperBound { ranges[index] = block }
        }
    }

    static func exhausted(_ entity: StoredEntity) -> StoreError {
        StoreError(.limitExceeded, "the entity has no numbers left for new objects", entity: entity.name)
    }
}

/// The blocks of numbers that a transaction has reserved.
///
/// If it commits, others can use what remains. If a server crashes before the commit, it may give out the same
/// numbers again.
final class TransactionNumbers: TransactionEndObserver {
    private let reserve: NumberReserve
    // By the positions of the entities, or nil after the end of the transaction.
    private let ranges = Mutex<[Int: Range<Int64>]?>([:])

    /// - Parameters:
    ///   - reserve: Where committed numbers go.
    ///   - connection: The connection of the transaction.
    init(_ reserve: NumberReserve, on connection: any EngineConnection) {
        self.reserve = reserve
        connection.notify(self)
    }

    var hasEnded: Bool { ranges.withLock { $0 == nil } }

    /// Returns a Boolean value that indicates whether the transaction has reserved numbers for an entity.
    func hasNumbers(of entity: StoredEntity) -> Bool { ranges.withLock { $0?[entity.index] != nil } }

    /// Returns the next number, for which a block is reserved if necessary.
    func next(_ entity: StoredEntity, on connection: any EngineConnection) throws -> Int64 {
        let rest = ranges.withLock { $0?[entity.index] } ?? 0..<0
        let block = rest.isEmpty ? try reserve.refill(entity, on: connection) : rest
        ranges.withLock { $0?[entity.index] = block.dropFirst() }
        return block.lowerBound
    }

    func willCommit() {}

    func didCommit(on connection: any EngineConnection) {
        guard let rest = ranges.withLock({ $0.take() }) else { return }
        for (index, numbers) in rest { reserve.keep(numbers, at: index) }
    }

    func didRollBack() {
        ranges.withLock { $0 = nil }
    }
}

extension Store {
    /// Reserves a number for a new object that has not been written yet, in a transaction of its own.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - whileReading: Whether the caller is using a separate connection for reading.
    /// - Returns: The number.
    /// - Throws: `StoreError` with the code `busy` if another process has locked the file.
    func nextNumber(_ entity: StoredEntity, whileReading: Bool) throws -> Int64 {
        if let number = numbers.take(entity) { return number }
        let block = try reserving(on: nil, whileReading) { try numbers.refill(entity, on: $0) }
        numbers.keep(block.dropFirst(), at: entity.index)
        return block.lowerBound
    }

    /// Reserves consecutive numbers for new objects that have not been written yet, and returns the first of them.
    func nextNumbers(
        _ count: Int,
        _ entity: StoredEntity,
        on connection: (any EngineConnection)?,
        whileReading: Bool
    ) throws -> Int64 {
        try reserving(on: connection, whileReading) { try NumberReserve.take(Int64(count), of: entity, on: $0) }
    }

    private func reserving<Result>(
        on connection: (any EngineConnection)?,
        _ whileReading: Bool,
        _ body: (any EngineConnection) throws -> Result
    ) throws -> Result {
        if let connection { return try body(connection) }
        return try borrowForWriting(whileReading: whileReading) { connection in
            try connection.committing { try body(connection) }
        }
    }
}
