public import Foundation
public import Transformable

/// Values of an attribute that a migration has dropped and that the file still contains.
public struct KeptAsideValues: Sendable {
    /// The name of the entity that had the attribute.
    public let entity: String
    /// The attribute's name.
    public let attribute: String
    /// The transformer that wrote the values, or `nil` if it is not available in this program.
    public let transformer: ResolvedTransformer?
    /// The number of values for each byte sequence.
    ///
    /// Values that are not bytes in the table are counted under `nil`.
    public let counts: [Data?: Int]
}

extension StoreContext {
    /// Counts the values that migrations have kept aside by some of their bytes, without decoding any.
    ///
    /// - Parameter bytes: The range of bytes. For shorter values, it is clamped.
    /// - Returns: The dropped transformed attributes that still have values.
    /// - Throws: `StoreError` if the file cannot be read.
    public func countKeptAside(by bytes: Range<Int>) throws -> [KeptAsideValues] {
        try connected { try KeptAside.transformed(on: $0) }
            .map { column in
                KeptAsideValues(
                    entity: column.entity,
                    attribute: column.name,
                    transformer: try? store.registry.resolve(column.expression),
                    counts: try counts(of: column.column, in: column.table, by: bytes)
                )
            }
            .filter { !$0.counts.isEmpty }
    }
}
