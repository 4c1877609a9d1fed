internal import Foundation
internal import GRDB
internal import Transformable

/// Sums of decimal numbers, which are text in SQL.
///
/// A sum is exact, or an error.
enum DecimalSum {
    /// The messages with which the functions end a statement.
    static let overflow = "decimal overflow"
    static let noNumber = "no decimal number"

    private static let sum = "_transformable_sum"
    private static let average = "_transformable_average"

    static func sum(_ sql: SQLFragment) -> SQLFragment { "coalesce(\(raw: sum)(CAST(\(sql) AS BLOB)), '0')" }

    static func average(_ sql: SQLFragment) -> SQLFragment { "\(raw: average)(CAST(\(sql) AS BLOB))" }

    /// Registers the functions with a connection.
    static func install(on database: Database) {
        database.add(function: DatabaseFunction(sum, argumentCount: 1, pure: true, aggregate: Sum.self))
        database.add(function: DatabaseFunction(average, argumentCount: 1, pure: true, aggregate: Average.self))
    }

    /// The sum so far.
    fileprivate struct Partial {
        var sum = Decimal()
        var count = 0

        mutating func add(_ values: [DatabaseValue]) throws(DatabaseError) {
            guard let value = values.first, !value.isNull else { return }
            // As bytes, because text would end at a NUL here.
            let text = Data.fromDatabaseValue(value).flatMap { String(validating: $0, as: UTF8.self) }
            guard let number = text.flatMap({ try? DecimalText.decimal($0) }) else {
                throw DatabaseError(message: noNumber)
            }
            let result = sum + number
            // Foundation rounds numbers that do not fit, and does not always report it.
            guard result.isFinite, result - number == sum, result - sum == number else {
                throw DatabaseError(message: overflow)
            }
            sum = result
            count += 1
        }
    }

    private struct Sum: PartialAggregate {
        var partial = Partial()

        func finalize() -> (any DatabaseValueConvertible)? {
            partial.count > 0 ? DecimalText.text(of: partial.sum) : nil
        }
    }

    private struct Average: PartialAggregate {
        var partial = Partial()

        func finalize() -> (any DatabaseValueConvertible)? {
            partial.count > 0 ? DecimalText.text(of: partial.sum / Decimal(partial.count)) : nil
        }
    }

    fileprivate protocol PartialAggregate: DatabaseAggregate {
        var partial: Partial { get set }
    }
}

extension DecimalSum.PartialAggregate {
    mutating func step(_ values: [DatabaseValue]) throws {
        try partial.add(values)
    }
}
