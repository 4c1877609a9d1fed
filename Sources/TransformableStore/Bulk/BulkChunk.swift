internal import Dispatch
internal import Synchronization

/// A chunk of a bulk insertion, which turns elements into the cells of their rows.
///
/// The first thread that is available encodes it: either a worker, or the writer if it would otherwise have to wait.
final class BulkChunk<Element: Sendable>: Sendable {
    private enum State {
        case waiting([Element])
        case encoding
        case encoded(Result<[ColumnValue], any Error>)
    }

    /// The number of the first element's object.
    let first: Int64
    /// The position of the first element in its sequence.
    let place: Int
    let count: Int
    private let state: Mutex<State>
    private let isEncoded = DispatchSemaphore(value: 0)

    init(_ elements: [Element], numberedFrom first: Int64, at place: Int) {
        self.first = first
        self.place = place
        count = elements.count
        state = Mutex(.waiting(elements))
    }

    /// Encodes the chunk, unless another thread has done so or is doing so.
    func encode(_ encoder: BulkEncoder<Element>) {
        let elements: [Element]? = state.withLock { state in
            guard case .waiting(let elements) = state else { return nil }
            state = .encoding
            return elements
        }
        guard let elements else { return }
        let result = Result { try encoder.cells(of: elements, numberedFrom: first, at: place) }
        state.withLock { $0 = .encoded(result) }
        isEncoded.signal()
    }

    /// Abandons a chunk whose cells are not needed.
    ///
    /// Afterward, no thread works on it.
    func abandon() {
        let isUnderWay = state.withLock { state in
            switch state {
            case .encoding: return true
            case .encoded: return false
            case .waiting:
                state = .encoded(.success([]))
                return false
            }
        }
        if isUnderWay { isEncoded.wait() }
    }

    /// Returns the cells of all rows.
    ///
    /// Call this only once.
    func cells(_ encoder: BulkEncoder<Element>) throws -> [ColumnValue] {
        encode(encoder)
        isEncoded.wait()
        let result: Result<[ColumnValue], any Error>? = state.withLock { state in
            guard case .encoded(let result) = state else { return nil }
            return result
        }
        return try result?.get() ?? []
    }
}
