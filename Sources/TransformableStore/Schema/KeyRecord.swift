internal import Synchronization
internal import Transformable

/// Which keys the rows of a projection may have been written under, and whether this program has them.
final class KeyRecord: Sendable {
    private let transformer: any KeyedTransformer
    private let failure: Mutex<TransformerError?>

    /// Takes the keyed stage of a projection; nil if it has none.
    init?(_ resolved: ResolvedTransformer, recorded: [String]) {
        guard let keyed = resolved.stages.lazy.compactMap({ $0.registered as? any KeyedTransformer }).first else {
            return nil
        }
        transformer = keyed
        failure = Mutex(nil)
        update(recorded)
    }

    /// The key that rows are written under from now on; nil if there is none.
    var current: String? { transformer.currentKey }

    /// Takes what the file says.
    func update(_ recorded: [String]) {
        var found: TransformerError?
        do {
            try transformer.requireKeys(recorded)
        } catch {
            found =
                error as? TransformerError
                ?? TransformerError(.invalidValue, "the keys of an index cannot be checked", underlying: error)
        }
        failure.withLock { $0 = found }
    }

    /// Refuses to look up or write what other keys are needed for.
    func check() throws(TransformerError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
