public import Foundation
internal import GRDB
public import Transformable

/// Values of an attribute that a migration has dropped and the file still has.
public struct KeptAsideValues: Sendable {
    /// The name of the entity that had the attribute.
    public let entity: String
    /// The attribute's name.
    public let attribute: String
    /// What wrote them; nil if it cannot be used in this program.
    public let transformer: ResolvedTransformer?
    /// How many have which bytes; under nil, those that are no bytes in the table.
    public let counts: [Data?: Int]
}

extension StoreContext {
    /// Counts the values that migrations have put aside by some of their bytes, without decoding any.
    ///
    /// - Parameter bytes: Which bytes; shorter values give what they have of them.
    /// - Returns: The transformed attributes that were dropped and still have values.
    /// - Throws: ``StoreError``.
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
