internal import Transformable

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
