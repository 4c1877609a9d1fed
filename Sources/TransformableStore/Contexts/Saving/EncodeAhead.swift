internal import Foundation

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
