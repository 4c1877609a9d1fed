/// A one-way transformer, such as a keyed digest, whose results depend on keys that its arguments do not show.
///
/// A store records the identifiers of the keys that were used for a projection. If the current key ring lacks one of
/// them, a condition on the projection fails, instead of silently missing objects. Identifiers are stored unencrypted:
/// they must reveal nothing about a key except which one it is, and must not contain spaces.
public protocol KeyIdentifyingTransformer: OneWayTransformer {
    /// The identifier of the key for new results, or nil if there is none.
    var currentKey: String? { get }

    /// Verifies that results under the given keys are among the candidates.
    ///
    /// - Parameter identifiers: The values that ``currentKey`` had when the results were computed.
    /// - Throws: ``TransformerError``, which names the key, if a key is missing or no longer in use.
    func requireKeys(_ identifiers: [String]) throws
}
