internal import Synchronization
internal import Transformable

extension LawCheck {
    /// Whether many threads at once get what one gets.
    func checkThreads() {
        phase("threads") {
            let references = laws.values.compactMap { value in reference(for: value) }
            guard !references.isEmpty else { return }
            step(.threads, "\(laws.options.threads) threads", weight: 100) {
                let failure = SharedFailure()
                // Values are only read, by a transformer that says it may be used from any thread.
                nonisolated(unsafe) let check = self
                nonisolated(unsafe) let references = references
                runThreads(laws.options.threads) { thread in
                    // Each begins with another value, so that threads that meet are seldom at the same one.
                    let order = (0..<references.count).map { references[($0 + thread) % references.count] }
                    // By the clock: as many rounds as one thread alone does in that time take several, which
                    // wait for each other's memory, thirty times as long.
                    let end = ContinuousClock.now + .milliseconds(100)
                    var rounds = 0
                    while failure.isEmpty, rounds < 2 || .now < end {
                        for reference in order { check.mismatch(reference).map(failure.set) }
                        rounds += 1
                    }
                }
                failure.take().map { expect(false, .threads, $0) }
            }
        }
    }

    private struct Reference {
        let value: Value
        let encoded: Encoded
        let decoded: Value?
    }

    private func reference(for value: Value) -> Reference? {
        guard let encoded = try? laws.transformer.encode(value, in: context) else { return nil }
        return Reference(value: value, encoded: encoded, decoded: try? laws.reversible?.decode(encoded, in: context))
    }

    /// What one thread sees that differs from what the first one saw.
    private func mismatch(_ reference: Reference) -> String? {
        do {
            let encoded = try laws.transformer.encode(reference.value, in: context)
            if traits.contains(.deterministic), areIdentical(encoded, reference.encoded) == false {
                return "a thread encodes a value to \(excerpt(of: encoded)), and not as it is encoded alone"
            }
            guard let transformer = laws.reversible, let expected = reference.decoded else { return nil }
            let decoded = try transformer.decode(reference.encoded, in: context)
            let isSame = laws.areEqual(decoded, expected) || !laws.areEqual(expected, expected)
            return isSame ? nil : "a thread decodes \(shown(decoded)), and not what is decoded alone"
        } catch {
            return "a thread \(describe(error)), and one alone does not"
        }
    }
}

/// The first failure that any thread reports.
private final class SharedFailure: Sendable {
    private let message = Mutex<String?>(nil)

    var isEmpty: Bool { message.withLock { $0 == nil } }

    func set(_ text: String) {
        message.withLock { $0 = $0 ?? text }
    }

    func take() -> String? {
        message.withLock { $0 }
    }
}
