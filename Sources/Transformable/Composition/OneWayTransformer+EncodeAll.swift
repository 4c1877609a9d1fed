internal import Dispatch
internal import Synchronization

extension OneWayTransformer where Value: Sendable, Encoded: Sendable {
    /// Encodes many values, using all processor cores, and waits for the results.
    ///
    /// Use this method if encoding a value takes longer than a few microseconds, which is the cost of passing it to
    /// another thread. Examples are images, and documents that are compressed or sealed.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - context: The context, which is the same for all values.
    /// - Returns: The encoded forms, in the order of the values.
    /// - Throws: The error of the first value that cannot be encoded. The remaining values are not encoded.
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

/// The progress of encoding many values.
private struct EncodingWork<Encoded> {
    private var results: [Result<Encoded, any Error>?]
    private var started = 0
    private var hasFailed = false

    init(count: Int) {
        results = Array(repeating: nil, count: count)
    }

    /// Returns the index of the next value to encode.
    ///
    /// Values are taken in order, so that the first error is always the same.
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
