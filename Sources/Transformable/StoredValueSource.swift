public import Foundation

/// A source of stored values, such as a store, that can count values by their first bytes.
///
/// If a plugin's encoded form has a header, such as the identifier of a key, the plugin can use a source to find out
/// which headers are still in use. Values are not decoded.
public protocol StoredValueSource {
    /// Counts the stored values of each attribute by their first bytes.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes to compare. Shorter values are compared as a whole.
    ///   - isIncluded: A closure that returns whether to count the values of a transformer. Its argument is `nil` for a
    ///     transformer that cannot be resolved.
    /// - Returns: The counts, with one element for each included attribute.
    /// - Throws: Any error thrown while the source is read.
    func countValues(
        byFirst byteCount: Int,
        where isIncluded: (ResolvedTransformer?) -> Bool
    ) throws -> [StoredValueCounts]

    /// Returns the identifiers of the keys that were used for keyed projections, such as blind indexes.
    ///
    /// - Returns: The identifiers, keyed by the name of the projection, such as `Patient.ssn_blind_index`.
    /// - Throws: Any error thrown while the source is read.
    func indexKeys() throws -> [String: [String]]

    /// Returns the identifier of the key that seals the source's description of itself.
    ///
    /// - Returns: The identifier, or `nil` if there is no seal. The default implementation returns `nil`.
    /// - Throws: Any error thrown while the source is read.
    func sealKey() throws -> String?

    /// Counts the authenticated rows of each entity by the identifiers of their keys.
    ///
    /// - Returns: The counts, keyed by the entity's name. The default implementation returns an empty dictionary.
    /// - Throws: Any error thrown while the source is read.
    func rowKeys() throws -> [String: [String: Int]]
}

extension StoredValueSource {
    /// Returns `nil`.
    public func sealKey() throws -> String? { nil }

    /// Returns an empty dictionary.
    public func rowKeys() throws -> [String: [String: Int]] { [:] }
}

/// The stored values of an attribute, counted by their first bytes.
public struct StoredValueCounts: Sendable {
    /// The names of the entity and the attribute, such as `Patient.ssn`.
    public var name: String
    /// The transformer that wrote the values, or `nil` if it cannot be resolved.
    public var transformer: ResolvedTransformer?
    /// Whether a migration dropped the attribute, so that its values remain only in the file.
    public var isSetAside: Bool
    /// The number of values for each prefix.
    ///
    /// The key `nil` stands for values that are not stored as bytes.
    public var counts: [Data?: Int]

    /// Creates the counts of an attribute.
    public init(name: String, transformer: ResolvedTransformer?, isSetAside: Bool = false, counts: [Data?: Int]) {
        self.name = name
        self.transformer = transformer
        self.isSetAside = isSetAside
        self.counts = counts
    }
}
