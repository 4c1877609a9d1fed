internal import Foundation
internal import Transformable

/// The objects of a long fetch, whose values other threads decode before the caller reads them.
///
/// A caller usually reads the same attributes of each object. Those that it reads of the first objects are therefore
/// decoded for all others, in batches, while it works on earlier objects.
///
/// Rows are read a few batches before their objects are returned, which makes no difference in a block that reads: all of
/// its rows belong to one snapshot.
struct DecodeAhead {
    /// The number of objects that show which attributes are read.
    private static let trialCount = 64
    /// The number of those objects of which an attribute must have been read.
    private static let fewestReads = 48
    // The number of rows in a batch, and of their bytes.
    private static let mostRows = 256
    private static let mostBytes = 256 << 10

    private let context: StoreContext
    private let entity: StoredEntity
    private let body: (ManagedObject) throws -> Void
    private var trial: Trial?
    private var attributes: [StoredAttribute] = []
    private var rows: [DecodingBatch.Row] = []
    private var byteCount = 0
    private var batches: [DecodingBatch] = []
    // How many batches are decoded while one is read, at most. With fewer, threads would often wait for each other.
    private let mostBatches: Int

    /// Which attributes the caller has read of the first objects.
    private struct Trial {
        let candidates: [StoredAttribute]
        var reads: [Int]
        var count = 0

        init(_ candidates: [StoredAttribute]) {
            self.candidates = candidates
            reads = candidates.map { _ in 0 }
        }

        mutating func note(_ object: ManagedObject) {
            count += 1
            for (index, attribute) in candidates.enumerated() where object.values[attribute.index] != nil {
                reads[index] += 1
            }
        }
    }

    /// Creates the objects of a fetch.
    ///
    /// - Parameters:
    ///   - entity: The entity of all rows.
    ///   - context: The context of the block, which must be reading.
    ///   - body: A closure that is called with each object.
    init(_ entity: StoredEntity, in context: StoreContext, _ body: @escaping (ManagedObject) throws -> Void) {
        self.context = context
        self.entity = entity
        self.body = body
        let cores = ProcessInfo.processInfo.activeProcessorCount
        mostBatches = cores > 1 ? min(2 * cores, 16) : 0
        // Which tenant owns an object would have to be read from the store.
        let isKnown = !entity.belongsToTenant || context.scope != .everything
        let candidates = mostBatches > 0 && isKnown ? entity.columns.filter(\.isDecodedAhead) : []
        if !candidates.isEmpty { trial = Trial(candidates) }
    }

    /// Adds the current row of a statement, and calls the closure with its object or with that of an earlier row.
    mutating func add(_ statement: any EngineStatement) throws {
        guard attributes.isEmpty else { return try addRow(of: statement) }
        let object = try context.object(at: statement, entity)
        try body(object)
        guard trial != nil else { return }
        trial?.note(object)
        if let trial, trial.count == Self.trialCount {
            attributes = zip(trial.candidates, trial.reads).filter { $1 >= Self.fewestReads }.map(\.0)
            self.trial = nil
        }
    }

    private mutating func addRow(of statement: any EngineStatement) throws {
        let cells = statement.packedRow(from: 2, count: entity.columns.count)
        rows.append(DecodingBatch.Row(number: statement.integer(0), version: statement.integer(1), cells: cells))
        byteCount += cells.size
        guard rows.count == Self.mostRows || byteCount >= Self.mostBytes else { return }
        start()
        if batches.count > mostBatches { try finishFirst() }
    }

    /// Calls the closure with all remaining objects.
    mutating func finish() throws {
        if !rows.isEmpty { start() }
        while !batches.isEmpty { try finishFirst() }
    }

    /// Drops the remaining rows.
    ///
    /// Afterward, no thread works on them.
    mutating func abandon() {
        rows = []
        for batch in batches { batch.abandon() }
        batches = []
    }

    private mutating func start() {
        let batch = DecodingBatch(rows, of: entity, attributes, in: context.place(in: entity))
        batches.append(batch)
        rows.removeAll(keepingCapacity: true)
        byteCount = 0
    }

    private mutating func finishFirst() throws {
        let batch = batches.removeFirst()
        batch.decode()
        // Instead of waiting for another thread that has begun, decodes what comes next.
        for next in batches where !batch.isDecoded { next.decode() }
        do {
            for (row, values) in zip(batch.rows, batch.values()) {
                try body(context.object(of: entity, row, values))
            }
        } catch {
            abandon()
            throw error
        }
    }
}

/// Rows of a fetch, and values that are decoded from them on another thread.
struct DecodingBatch {
    /// A row that was read.
    struct Row: Sendable {
        let number: Int64
        let version: Int64
        let cells: PackedRow
    }

    // The size of a cell in bytes from which it is decoded when it is read, so that batches take little memory.
    private static let largeCell = 4096

    let rows: [Row]
    private let work: SharedWork<[SlotTable]>

    /// Has another thread decode rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - entity: The entity of their objects.
    ///   - attributes: The attributes to decode.
    ///   - place: The place of the entity, for transformers whose values are bound to it.
    init(_ rows: [Row], of entity: StoredEntity, _ attributes: [StoredAttribute], in place: TransformContext) {
        self.rows = rows
        let slotCount = entity.attributes.count
        work = SharedWork { rows.map { Self.values(of: $0, attributes, slotCount, in: place) } }
    }

    /// Whether the values have been decoded.
    var isDecoded: Bool { work.isFinished }

    /// Decodes the values on this thread, unless another thread has begun to.
    func decode() { work.perform() }

    /// Returns the values of each row, once they have been decoded.
    func values() -> [SlotTable] { work.result() ?? [] }

    /// Abandons values that are not needed.
    ///
    /// Afterward, no thread decodes them.
    func abandon() { work.abandon() }

    /// Returns the values of a row.
    ///
    /// A value that cannot be decoded is missing. It is decoded again when it is read, which reports the error.
    private static func values(
        of row: Row,
        _ attributes: [StoredAttribute],
        _ slotCount: Int,
        in place: TransformContext
    ) -> SlotTable {
        let table = SlotTable(count: slotCount)
        var place = place
        place.object = row.number
        for attribute in attributes {
            guard let cell = attribute.cell, row.cells.kind(cell) == .blob, row.cells.length(cell) < largeCell
            else {
                continue
            }
            place.attribute = attribute.id
            let slot = attribute.load(row.cells, cell, in: place)
            if slot.failure == nil { table[attribute.index] = slot }
        }
        return table
    }
}
