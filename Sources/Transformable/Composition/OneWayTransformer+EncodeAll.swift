internal import Dispatch
internal import Synchronization

extension OneWayTransformer where Value: Sendable, Encoded: Sendable {
    /// Encodes many values on all cores, and waits until they are done.
    ///
    /// Worth it where encoding one takes longer than handing it over, some microseconds: pictures, compressed
    /// or sealed documents.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - context: Where they live; the same for all of them.
    /// - Returns: The encoded forms, in the order of the values.
    /// - Throws: What encoding the first value that fails throws; the rest is left undone.
    public func encodeAll(_ values: [Value], in context: TransformContext = .none) throws -> [Encoded] {
        let work = Mutex(EncodingWork<Encoded>(count: values.count))
        DispatchQueue.concurrentPerform(iterations: values.count) { _ in
            guard let index = work.withLock({ $0.next() }) else { return }
            let result = Result { try encode(values[index], in: context) }
            work.withLock { $0.finish(index, result) }
        }
        return try work.withLock { try $0.encoded() }
    }
}

/// Which of many values are encoded already.
private struct EncodingWork<Encoded> {
    private var results: [Result<Encoded, any Error>?]
    private var started = 0
    private var hasFailed = false

    init(count: Int) {
        results = Array(repeating: nil, count: count)
    }

    /// The next value to encode, in their order, so that the first failure is the same each time.
    mutating func next() -> Int? {
        guard !hasFailed, started < results.count else { return nil }
        defer { started += 1 }
        return started
    }

    mutating func finish(_ index: Int, _ result: Result<Encoded, any Error>) {
        results[index] = result
        if case .failure = result { hasFailed = true }
    }

    func encoded() throws -> [Encoded] {
        try results.compactMap { try $0?.get() }
    }
}
