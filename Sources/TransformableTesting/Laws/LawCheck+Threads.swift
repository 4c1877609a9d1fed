internal import Foundation
internal import Synchronization
internal import Transformable

extension LawCheck {
    /// Checks that many concurrent threads get the same results as a single one.
    func checkThreads() {
        phase("threads") {
            let references = laws.values.compactMap { value in reference(for: value) }
            guard !references.isEmpty else { return }
            step(.threads, "\(laws.options.threads) threads", weight: 100) {
                let failure = SharedFailure()
                // Values are only read, and the transformer must be safe to use from any thread.
                nonisolated(unsafe) let check = self
                nonisolated(unsafe) let references = references
                runThreads(laws.options.threads) { thread in
                    // Each thread starts with a different value, so that threads rarely work on the same value at the
                    // same time.
                    let order = (0..<references.count).map { references[($0 + thread) % references.count] }
                    // Limited by time: the same number of rounds that a single thread completes can take several
                    // threads thirty times as long, because they contend for memory.
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

    /// Returns the first result of a thread that differs from that of the first thread.
    private func mismatch(_ reference: Reference) -> String? {
        do {
            let encoded = try laws.transformer.encode(reference.value, in: context)
            if traits.contains(.deterministic), areIdentical(encoded, reference.encoded) == false {
                return
                    "a value encodes to \(excerpt(of: encoded)) on one of several threads, which differs from a single thread"
            }
            guard let transformer = laws.reversible, let expected = reference.decoded else { return nil }
            // What is encoded differs each time unless the transformer is deterministic, and can only be judged by decoding.
            let isRandom = !traits.contains(.deterministic) && !traits.contains(.lossy)
            for form in isRandom ? [reference.encoded, encoded] : [reference.encoded] {
                let decoded = try transformer.decode(form, in: context)
                guard laws.areEqual(expected, expected), !laws.areEqual(decoded, expected) else { continue }
                return
                    "a value decodes to \(shown(decoded)) on one of several threads, which differs from a single thread"
            }
            return nil
        } catch {
            return "one of several threads \(describe(error)), but a single thread does not"
        }
    }
}

/// The first failure reported by any thread.
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

/// Runs a function on several threads at the same time, and waits for all of them.
///
/// The threads are created for this purpose, because dispatch queues do not work in a forked child process. The
/// function receives the number of its thread, starting at 0.
private func runThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let team = ThreadTeam(count: count, body: body)
    for number in 0..<count {
        Thread.detachNewThread { team.run(number) }
    }
    team.wait()
}

/// A group of threads that start together once all of them are ready.
private final class ThreadTeam: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> Void
    private let state = NSCondition()
    // Access only while `state` is locked.
    private nonisolated(unsafe) var arrived = 0
    // Access only while `state` is locked.
    private nonisolated(unsafe) var finished = 0

    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
        self.count = count
        self.body = body
    }

    func run(_ number: Int) {
        state.withLock {
            arrived += 1
            state.broadcast()
            while arrived < count { state.wait() }
        }
        body(number)
        state.withLock {
            finished += 1
            state.broadcast()
        }
    }

    func wait() {
        state.withLock {
            while finished < count { state.wait() }
        }
    }
}
