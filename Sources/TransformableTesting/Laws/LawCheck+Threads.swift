internal import Glibc
internal import Synchronization
internal import Transformable

extension LawCheck {
    /// Whether many threads at once get what one gets.
    func checkThreads() {
        phase("threads") {
            let references = laws.values.compactMap { value in reference(for: value) }
            guard !references.isEmpty else { return }
            let rounds = rounds(references)
            step(.threads, "\(laws.options.threads) threads", weight: 100) {
                let failure = SharedFailure()
                // Values are only read, by a transformer that says it may be used from any thread.
                nonisolated(unsafe) let check = self
                nonisolated(unsafe) let references = references
                runThreads(laws.options.threads) { thread in
                    // Each begins with another value, so that threads that meet are seldom at the same one.
                    for round in 0..<(rounds * references.count) where failure.isEmpty {
                        let reference = references[(round + thread) % references.count]
                        check.mismatch(reference).map(failure.set)
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

    /// As many rounds as take a twentieth of a second of a processor, so that threads meet often and slow ones end.
    private func rounds(_ references: [Reference]) -> Int {
        let start = clock()
        for reference in references {
            _ = mismatch(reference)
        }
        let time = max(1, clock() - start)
        return max(2, min(5000, Int(CLOCKS_PER_SEC) / 20 / time))
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
