public import Foundation

/// A source of stored values, such as a store, that can say what those values begin with.
///
/// A plugin whose encoded form has a header, such as the identifier of a key, asks a source which headers are still in use.
/// No value is decoded.
public protocol StoredValueSource {
    /// Counts the stored values of each attribute by their first bytes.
    ///
    /// - Parameters:
    ///   - byteCount: How many bytes distinguish two values. A shorter value is counted by all of its bytes.
    ///   - isIncluded: Whether to count the values of a transformer. `nil` stands for one that this program cannot resolve.
    /// - Returns: The counts, one element for each attribute that is included.
    /// - Throws: What reading the source throws.
    func countValues(
        byFirst byteCount: Int,
        where isIncluded: (ResolvedTransformer?) -> Bool
    ) throws -> [StoredValueCounts]

    /// Returns the identifiers of the keys that the rows of keyed projections, such as blind indexes, may have been
    /// written under.
    ///
    /// - Returns: The identifiers, by the projection's name, such as `Patient.ssn_blind_index`.
    /// - Throws: What reading the source throws.
    func indexKeys() throws -> [String: [String]]

    /// Returns the identifier of the key that the source's own description is sealed under.
    ///
    /// - Returns: The identifier; `nil` without a seal, which is the default.
    /// - Throws: What reading the source throws.
    func sealKey() throws -> String?
}

extension StoredValueSource {
    /// None.
    public func sealKey() throws -> String? { nil }
}

/// The stored values of one attribute, counted by their first bytes.
public struct StoredValueCounts: Sendable {
    /// The name of the entity and the attribute, such as `Patient.ssn`.
    public var name: String
    /// The transformer that wrote the values; `nil` if this program cannot resolve it.
    public var transformer: ResolvedTransformer?
    /// Whether a migration has dropped the attribute, so that only the file still has its values.
    public var isKeptAside: Bool
    /// How many values begin with which bytes; under `nil`, those whose stored form is not bytes.
    public var counts: [Data?: Int]

    /// Creates the counts of an attribute.
    public init(name: String, transformer: ResolvedTransformer?, isKeptAside: Bool = false, counts: [Data?: Int]) {
        self.name = name
        self.transformer = transformer
        self.isKeptAside = isKeptAside
        self.counts = counts
    }
}
