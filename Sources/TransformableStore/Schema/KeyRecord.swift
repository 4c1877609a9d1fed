internal import Synchronization
internal import Transformable

/// The keys that the rows of a projection may have been written with, and whether this program has them.
final class KeyRecord: Sendable {
    private let transformer: any KeyIdentifyingTransformer
    private let failure: Mutex<TransformerError?>

    /// Uses the keyed stage of a projection, and returns `nil` if it has none.
    init?(_ resolved: ResolvedTransformer, recorded: [String]) {
        guard let keyed = resolved.stages.lazy.compactMap({ $0.registered as? any KeyIdentifyingTransformer }).first
        else {
            return nil
        }
        transformer = keyed
        failure = Mutex(nil)
        update(recorded)
    }

    /// The key that rows are written with from now on, or `nil` if there is none.
    var current: String? { transformer.currentKey }

    /// Updates the record with the keys stated in the file.
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

    /// Throws an error if a lookup or write would require other keys.
    func check() throws(TransformerError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
