internal import Synchronization
internal import Transformable

/// The keys that the rows of a projection may have been written with, and whether this program has them.
final class KeyRecord: Sendable {
    private struct State {
        /// The keys stated in the file, in the order in which programs began to use them.
        var recorded: [String] = []
        var failure: TransformerError?
    }

    private let transformers: [any KeyIdentifyingTransformer]
    private let state = Mutex(State())

    /// Uses the keyed stages of a projection, and returns `nil` if it has none.
    init?(_ resolved: ResolvedTransformer, recorded: [String]) {
        let keyed = resolved.components.compactMap { $0 as? any KeyIdentifyingTransformer }
        transformers = keyed
        guard !keyed.isEmpty else { return nil }
        update(recorded)
    }

    /// The keys that rows are written with from now on, or an empty list if one is missing.
    var current: [String] {
        let keys = transformers.map { $0.currentKey }
        guard !keys.contains(nil) else { return [] }
        return keys.compactMap(\.self)
            .reduce(into: []) { list, key in
                if !list.contains(key) { list.append(key) }
            }
    }

    /// Whether the current keys are recorded, and no other program may write rows with a newer key, which this program
    /// lacks.
    ///
    /// An older key may be lost.
    var isNewest: Bool {
        let state = state.withLock { $0 }
        guard state.failure != nil else { return true }
        // The stage that uses a missing key is not known, so the key must be older than the current keys of all stages.
        let current = current
        let newest = state.recorded.drop { !current.contains($0) }
        return !newest.isEmpty && failure(ofAny: Array(newest)) == nil
            && current.allSatisfy { newest.contains($0) }
    }

    /// Returns the keys to record when this program begins to write rows.
    ///
    /// A program that does not have the newest recorded key adds none of its own. If a missing key is lost, its own keys
    /// become the newest ones, because the lost key may have been newer.
    func keysToRecord(acceptingLostKey: Bool) -> [String] {
        let state = state.withLock { $0 }
        let current = current
        if acceptingLostKey, state.failure != nil { return state.recorded.filter { !current.contains($0) } + current }
        // With several stages, the key of one of them says nothing about the others.
        let hasNewest = transformers.count == 1 && state.recorded.last.map { failure(of: [$0]) == nil } == true
        guard state.failure == nil || hasNewest else { return state.recorded }
        return state.recorded + current.filter { !state.recorded.contains($0) }
    }

    /// Returns a Boolean value that indicates whether this program, whose own keys were recorded, may write on after the
    /// keys stated in the file have changed.
    ///
    /// Another program may have removed one of its keys, because it considers the key lost. If this program does not have
    /// all keys now, it no longer writes anyway.
    func canAdopt(_ recorded: [String]) -> Bool {
        let before = state.withLock { $0.recorded }
        return failure(ofAny: recorded) != nil
            || current.allSatisfy { !before.contains($0) || recorded.contains($0) }
    }

    /// Updates the record with the keys stated in the file.
    func update(_ recorded: [String]) {
        let found = failure(ofAny: recorded)
        state.withLock { $0 = State(recorded: recorded, failure: found) }
    }

    /// Throws an error if a lookup would miss rows, because this program does not have all keys.
    func check() throws(TransformerError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Throws an error if rows cannot be written, because programs with newer keys would not find them.
    func checkWriting() throws(TransformerError) {
        if !isNewest { try check() }
    }

    /// Returns the reason why rows with one of some keys cannot be found, or `nil` if the stages use all of them.
    private func failure(ofAny keys: [String]) -> TransformerError? {
        guard !keys.isEmpty else { return nil }
        // A single stage checks all keys at once, because it looks through its own for each check.
        return transformers.count == 1 ? failure(of: keys) : keys.lazy.compactMap { self.failure(of: [$0]) }.first
    }

    /// Returns the reason why rows with some keys cannot be found, or `nil` if one of the stages uses all of them.
    private func failure(of keys: [String]) -> TransformerError? {
        var failure: TransformerError?
        for transformer in transformers {
            do {
                try transformer.requireKeys(keys)
                return nil
            } catch {
                let other = TransformerError(.invalidValue, "the keys of an index cannot be checked", underlying: error)
                failure = failure ?? error as? TransformerError ?? other
            }
        }
        return failure
    }
}

extension StoreSchema {
    /// Counts the keys of this program as recorded, although nothing that it writes is kept.
    func rehearseKeys(acceptingLostKey: Bool) {
        for entity in entities {
            let projections = entity.columns.flatMap(\.projections) + entity.compounds.map(\.projection)
            for keys in projections.compactMap(\.keys) where !keys.isNewest {
                keys.update(keys.keysToRecord(acceptingLostKey: acceptingLostKey))
            }
        }
    }
}
