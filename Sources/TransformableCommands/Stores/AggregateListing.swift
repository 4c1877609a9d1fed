internal import Foundation
internal import TransformableStore

/// The rows of aggregates over objects.
struct AggregateListing {
    let header: [String]
    let rows: [[Cell]]

    /// Computes the rows.
    ///
    /// - Parameters:
    ///   - options: The aggregates to compute.
    ///   - entity: The entity's name.
    ///   - condition: A condition that selects the objects.
    ///   - context: A context of the store.
    /// - Throws: `StoreError` if the aggregates cannot be computed.
    init(_ options: AggregateOptions, of entity: String, where condition: Condition, in context: StoreContext) throws {
        let (groups, aggregates) = (options.groups, options.aggregates)
        header = groups + aggregates.map(\.label)
        rows = try context.aggregate(entity, aggregates.map(\.aggregate), where: condition, groupedBy: groups)
            .map { row in
                let values = try groups.map { try row.anyValue($0) } + aggregates.map { try row.anyValue($0.aggregate) }
                return values.map { $0.map(Cell.init(plain:)) ?? .null }
            }
    }
}
