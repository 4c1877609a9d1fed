internal import Foundation
internal import Transformable

extension Aggregate.Function {
    /// Returns the aggregate in SQL, or `nil` if only Swift can compute it.
    ///
    /// A sum or an average that is not a number is null, as SQLite has it.
    func sql(of value: SQLFragment, _ kind: ValueKind, _ dialect: Dialect) -> SQLFragment? {
        guard self != .count else { return "count(\(value))" }
        // PostgreSQL has no minimum of UUIDs.
        guard kind != .decimal, kind != .uuid else { return nil }
        // The casts keep PostgreSQL from computing with decimal numbers or in single precision.
        return switch self {
        case .sum where kind == .integer: "coalesce(CAST(sum(\(value)) AS bigint), 0)"
        case .sum where dialect.has(.dynamicTypes): "total(\(value))"
        case .sum: "nullif(coalesce(sum(CAST(\(value) AS double precision)), 0.0), 'NaN')"
        case .average: "nullif(avg(CAST(\(value) AS double precision)), 'NaN')"
        default: "\(raw: rawValue)(\(value))"
        }
    }

    /// Returns the kind of the aggregate's result.
    ///
    /// - Throws: `StoreError` if the aggregate cannot be computed for such values.
    func kind(of subject: Subject) throws(StoreError) -> ValueKind {
        let kind = subject.kind
        switch self {
        case .count: return .integer
        case .min, .max:
            if kind != .boolean, kind != .data { return kind }
        case .sum, .average:
            if kind == .decimal { return kind }
            if kind.isNumber { return self == .average ? .double : kind }
        }
        throw subject.failure(.unsupported, "“\(rawValue)” cannot be computed for it, because it is \(kind.words)")
    }
}

/// An aggregate that is computed in Swift, with the results that SQL has.
struct Summary {
    private let function: Aggregate.Function
    private let kind: ValueKind
    private var count = 0
    private var best = ColumnValue.null
    private var whole: Int64 = 0
    // The sum of numbers, with what was lost by rounding.
    private var real = 0.0
    private var lost = 0.0
    private var decimal = Decimal()

    init(_ function: Aggregate.Function, _ kind: ValueKind) {
        self.function = function
        self.kind = kind
    }

    /// Adds a value.
    ///
    /// Null is not counted.
    mutating func add(_ value: ColumnValue) throws {
        guard value != .null else { return }
        count += 1
        switch function {
        case .count: break
        case .min, .max: try compare(value)
        case .sum, .average: try sum(value)
        }
    }

    private mutating func compare(_ value: ColumnValue) throws {
        guard best != .null else {
            best = value
            return
        }
        let order = kind == .decimal ? try Self.order(value, best) : value.order(to: best)
        if function == .min ? order < 0 : order > 0 { best = value }
    }

    /// Compares decimal numbers.
    ///
    /// Other content of a cell comes after all numbers.
    private static func order(_ left: ColumnValue, _ right: ColumnValue) throws -> Int {
        DecimalOrder.key(left).order(to: DecimalOrder.key(right))
    }

    private mutating func sum(_ value: ColumnValue) throws {
        if kind == .decimal { return try sum(decimal: value) }
        switch value {
        case .integer(let number) where kind == .integer && function == .sum:
            let (sum, overflow) = whole.addingReportingOverflow(number)
            guard !overflow else {
                throw StoreError(.arithmeticFailure, "a sum does not fit into a 64-bit integer")
            }
            whole = sum
        case .integer(let number): sum(Double(number))
        case .real(let number): sum(number)
        default: break
        }
    }

    /// Adds a number by Neumaier's algorithm.
    private mutating func sum(_ number: Double) {
        let sum = real + number
        lost += abs(real) >= abs(number) ? (real - sum) + number : (number - sum) + real
        real = sum
    }

    private mutating func sum(decimal value: ColumnValue) throws {
        guard let number = try? Decimal(column: value) else {
            throw StoreError(
                .undecodable,
                "a cell does not contain a decimal number, so it cannot be used in a computation"
            )
        }
        let sum = decimal + number
        // Foundation rounds numbers that do not fit, and does not always report it.
        guard sum.isFinite, sum - number == decimal, sum - decimal == number else {
            throw StoreError(.arithmeticFailure, "a sum has more digits than a decimal number can have")
        }
        decimal = sum
    }

    /// Returns the aggregate of all values.
    func result() throws -> ColumnValue {
        switch function {
        case .count: return .integer(Int64(count))
        case .min, .max: return best
        case .sum where kind == .decimal: return .text(count == 0 ? "0" : DecimalText.text(of: decimal))
        case .sum where kind == .integer: return .integer(whole)
        case .sum: return number(total)
        case .average where count == 0: return .null
        case .average where kind == .decimal: return .text(DecimalText.text(of: decimal / Decimal(count)))
        case .average: return number(total / Double(count))
        }
    }

    private func number(_ result: Double) -> ColumnValue { result.isNaN ? .null : .real(result) }

    /// Whether there are values, whose sum is not a number.
    var isUndefined: Bool { total.isNaN }

    static var notANumber: StoreError {
        StoreError(.arithmeticFailure, "the sum of the numbers, which include infinity and −infinity, is not a number")
    }

    // An infinite sum has lost nothing, and the correction is not a number.
    private var total: Double { lost.isFinite ? real + lost : real }
}
