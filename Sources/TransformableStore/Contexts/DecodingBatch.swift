internal import Dispatch
internal import Synchronization
internal import Transformable

/// Rows of a fetch, and values that are decoded from them on another thread.
///
/// The first thread that is available decodes them: either a worker, or the reader if it would otherwise have to wait.
///
/// `@unchecked` because only the thread that has claimed the batch writes `tables`, and the others read it after that
/// thread has signaled. The slots in it are used by the reader alone from then on.
final class DecodingBatch: @unchecked Sendable {
    /// A row that was read.
    struct Row: Sendable {
        let number: Int64
        let version: Int64
        let cells: PackedRow
    }

    // The size of a cell in bytes from which it is decoded when it is read, so that batches take little memory.
    private static let largeCell = 4096

    let rows: [Row]
    private let attributes: [StoredAttribute]
    private let slotCount: Int
    private let place: TransformContext
    private var tables: [SlotTable] = []
    private let isClaimed = Atomic(false)
    private let isDecoded = DispatchSemaphore(value: 0)

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - entity: The entity of their objects.
    ///   - attributes: The attributes to decode.
    ///   - place: The place of the entity, for transformers whose values are bound to it.
    init(_ rows: [Row], of entity: StoredEntity, _ attributes: [StoredAttribute], in place: TransformContext) {
        self.rows = rows
        self.attributes = attributes
        self.place = place
        slotCount = entity.attributes.count
    }

    /// Has another thread decode the rows.
    func start() {
        DispatchQueue.global().async { self.decode() }
    }

    /// Returns the values of each row, once they have been decoded.
    func values() -> [SlotTable] {
        decode()
        isDecoded.wait()
        return tables
    }

    /// Abandons values that are not needed.
    ///
    /// Afterward, no thread decodes them.
    func abandon() {
        if isClaimed.exchange(true, ordering: .acquiringAndReleasing) { isDecoded.wait() }
    }

    /// Decodes the rows, unless another thread has done so or is doing so.
    private func decode() {
        guard !isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        tables = rows.map(values)
        isDecoded.signal()
    }

    /// Returns the values of a row.
    ///
    /// A value that cannot be decoded is missing. It is decoded again when it is read, which reports the error.
    private func values(of row: Row) -> SlotTable {
        let table = SlotTable(count: slotCount)
        var place = place
        place.object = row.number
        for attribute in attributes {
            guard let cell = attribute.cell, row.cells.kind(cell) == .blob, row.cells.length(cell) < Self.largeCell
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
