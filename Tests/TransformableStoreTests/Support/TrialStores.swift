import Synchronization
import TransformableStore

/// The stores that a test opens, which are closed when it ends.
///
/// Unsaved changes in an editing context keep its store open.
final class TrialStores: Sendable {
    private struct Reference: Sendable {
        weak let store: Store?
    }

    @TaskLocal static var current: TrialStores?

    private let references = Mutex<[Reference]>([])

    func add(_ store: Store) {
        references.withLock { $0.append(Reference(store: store)) }
    }

    func close() {
        for reference in references.withLock(\.self) { try? reference.store?.close() }
    }
}
