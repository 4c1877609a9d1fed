internal import Foundation
internal import Transformable

/// The new objects of a large save, whose values other threads encode before their rows are written.
struct EncodeAhead {
    /// From this number of objects on, other threads help.
    private static let fewestObjects = 256
    private static let mostObjects = 128

    private let context: StoreContext
    private var rest: ArraySlice<ManagedObject>
    private var batches: [EncodingBatch] = []
    // Several for each core but the one that writes rows.
    private let mostBatches: Int

    /// - Parameters:
    ///   - objects: New objects, in the order in which their rows are written.
    ///   - context: Their context, which is being saved.
    init(_ objects: [ManagedObject], in context: StoreContext) {
        self.context = context
        rest = objects[...]
        let isLong = objects.count >= Self.fewestObjects
        let isUseful = isLong && objects.contains { !$0.entity.encodedAhead.isEmpty }
        mostBatches = isUseful ? 4 * (ProcessInfo.processInfo.activeProcessorCount - 1) : 0
    }

    /// Calls a closure with each object, and with its cells that have been encoded.
    ///
    /// Afterward, no thread works on the objects, even if the closure throws an error.
    mutating func visit(_ body: (ManagedObject, EncodedCells) throws -> Void) throws {
        guard mostBatches > 0 else {
            for object in rest { try body(object, .none) }
            return
        }
        defer { for batch in batches { batch.abandon() } }
        startBatches()
        while !batches.isEmpty {
            let batch = batches.removeFirst()
            startBatches()
            for (object, cells) in zip(batch.objects, batch.cells()) { try body(object, cells) }
        }
    }

    private mutating func startBatches() {
        while batches.count < mostBatches, !rest.isEmpty {
            batches.append(EncodingBatch(Array(rest.prefix(Self.mostObjects)), in: context))
            rest = rest.dropFirst(Self.mostObjects)
        }
    }
}

/// Cells of an object that were encoded before its row is written.
struct EncodedCells {
    /// No cells, so that all of them are encoded when the row is written.
    static let none = Self(cells: [])

    /// The cells of the entity's `encodedAhead`, in this order.
    fileprivate let cells: [ColumnValue?]

    /// Returns the cell of an attribute, or `nil` if it was not encoded.
    func cell(of attribute: StoredAttribute, _ entity: StoredEntity) -> ColumnValue? {
        guard !cells.isEmpty else { return nil }
        return entity.encodedAhead.firstIndex { $0 === attribute }.flatMap { cells[$0] }
    }
}

/// New objects of a save, and cells that are encoded from their values on another thread.
private struct EncodingBatch {
    // The size of text or bytes from which they are encoded when the row is written, so that batches take little memory.
    private static let largeValue = 4096

    let objects: [ManagedObject]
    private let work: SharedWork<[EncodedCells]>

    /// Has another thread encode the values of objects.
    ///
    /// That thread only reads the values, which are constants of types without references that can be changed. It leaves
    /// the rest of an object and of its slots to the thread that saves.
    init(_ objects: [ManagedObject], in context: StoreContext) {
        self.objects = objects
        let rows = objects.map { Row($0, in: context) }
        let active = Nesting.active
        // A transformer that reads the store would wait for the save, which waits for its bytes.
        work = SharedWork { Nesting.$active.withValue(active) { rows.map { $0.encoded() } } }
    }

    /// Returns the cells of each object, once they have been encoded.
    func cells() -> [EncodedCells] { work.result() ?? [] }

    /// Abandons cells that are not needed.
    ///
    /// Afterward, no thread encodes them.
    func abandon() { work.abandon() }
}

extension EncodingBatch {
    private static func isLarge(_ slot: Slot) -> Bool {
        switch slot {
        case let slot as ValueSlot<String>: slot.value.utf8.count >= largeValue
        case let slot as ValueSlot<Data>: slot.value.count >= largeValue
        default: false
        }
    }

    /// The values of an object.
    private struct Row {
        private let attributes: [StoredAttribute]
        private let slots: [Slot?]
        private let place: TransformContext

        init(_ object: ManagedObject, in context: StoreContext) {
            attributes = object.entity.encodedAhead
            slots = attributes.map { attribute in
                guard let slot = object.values[attribute.index], slot.hasValue, slot.encoded == nil,
                    !EncodingBatch.isLarge(slot)
                else { return nil }
                return slot
            }
            var place = context.place(in: object.entity)
            place.object = object.number
            self.place = place
        }

        /// Returns the cells.
        ///
        /// A value that cannot be encoded is missing. It is encoded again when the row is written, which throws the error.
        func encoded() -> EncodedCells {
            var place = place
            return EncodedCells(
                cells: zip(attributes, slots)
                    .map { attribute, slot in
                        guard let slot else { return nil }
                        place.attribute = attribute.id
                        return try? attribute.encode(slot, in: place)
                    }
            )
        }
    }
}
