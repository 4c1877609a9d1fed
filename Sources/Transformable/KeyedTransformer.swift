/// A one-way transformer whose results depend on keys that no argument shows, such as a keyed digest.
///
/// A store keeps the identifiers of the keys that a projection was written under, so that a condition under
/// a ring that lacks one of them is an error, and not an answer that leaves objects out. Identifiers lie in
/// the file for anybody to read: they must tell nothing of a key but which one it is, and hold no spaces.
public protocol KeyedTransformer: OneWayTransformer {
    /// The identifier of the key that makes new results; nil where there is none.
    var currentKey: String? { get }

    /// Demands that results under some keys are among the candidates.
    ///
    /// - Parameter identifiers: What ``currentKey`` was when results were made.
    /// - Throws: ``TransformerError`` that names a key which is missing or no longer in use.
    func requireKeys(_ identifiers: [String]) throws
}
