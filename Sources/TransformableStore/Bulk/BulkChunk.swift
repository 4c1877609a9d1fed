internal import Dispatch
internal import Synchronization

/// A stretch of a bulk insertion: elements go in, the cells of their rows come out.
///
/// Whoever comes first encodes it: a worker, or the writer that would have to wait for one.
final class BulkChunk<Element: Sendable>: Sendable {
    private enum State {
        case waiting([Element])
        case encoding
        case encoded(Result<[ColumnValue], any Error>)
    }

    /// The number of the first element's object.
    let first: Int64
    /// Where the first element stands in its sequence.
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

    /// Encodes the chunk, unless somebody does or has done so.
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

    /// Gives a chunk up whose cells nobody will ask for; afterwards no thread works at it.
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

    /// The cells of all rows; to be asked for once.
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
