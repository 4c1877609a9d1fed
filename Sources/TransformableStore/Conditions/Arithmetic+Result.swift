internal import Foundation
internal import Transformable

extension Arithmetic {
    /// Returns the result for two cells, which is null if either of them is.
    func result(_ left: ColumnValue, _ right: ColumnValue) throws(StoreError) -> ColumnValue {
        switch (left, right) {
        case (.null, _), (_, .null): return .null
        case (.integer(let left), .integer(let right)):
            if case .integer(let range) = width { return .integer(try whole(left, right, range)) }
            return try real(Double(left), Double(right))
        case (.integer(let left), .real(let right)): return try real(Double(left), right)
        case (.real(let left), .integer(let right)): return try real(left, Double(right))
        case (.real(let left), .real(let right)): return try real(left, right)
        case (.text(let left), .text(let right)): return try decimal(left, right)
        default: throw StoreError(.arithmeticFailure, "an operand is not a number")
        }
    }

    private func whole(_ left: Int64, _ right: Int64, _ range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
        if right == 0, sign == .divided || sign == .remainder {
            throw StoreError(.arithmeticFailure, "a number is divided by zero; exclude such objects first")
        }
        let (result, overflow) =
            switch sign {
            case .plus: left.addingReportingOverflow(right)
            case .minus: left.subtractingReportingOverflow(right)
            case .times: left.multipliedReportingOverflow(by: right)
            case .divided: left.dividedReportingOverflow(by: right)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            }
        guard !overflow, range.contains(result) else {
            throw StoreError(.arithmeticFailure, "the result of “\(sign.rawValue)” does not fit its type")
        }
        return result
    }

    private func real(_ left: Double, _ right: Double) throws(StoreError) -> ColumnValue {
        // A `UInt64` that is larger than any integer in a column is a real number, which is rounded.
        if case .integer = width {
            let message = "an operand of “\(sign.rawValue)” is above \(Int64.max), so the result would not be exact"
            throw StoreError(.arithmeticFailure, message)
        }
        let result = width == .float ? Double(compute(Float(left), Float(right))) : compute(left, right)
        guard !result.isNaN else {
            throw StoreError(.arithmeticFailure, "the result of “\(sign.rawValue)” is not a number")
        }
        return .real(result)
    }

    private func compute<Number: BinaryFloatingPoint>(_ left: Number, _ right: Number) -> Number {
        switch sign {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }

    private func decimal(_ left: String, _ right: String) throws(StoreError) -> ColumnValue {
        guard let left = try? DecimalText.decimal(left), let right = try? DecimalText.decimal(right) else {
            throw StoreError(.arithmeticFailure, "an operand is not a decimal number")
        }
        guard sign != .divided || right != 0 else {
            throw StoreError(.arithmeticFailure, "a number is divided by zero; exclude such objects first")
        }
        let result =
            switch sign {
            case .plus: left + right
            case .minus: left - right
            case .times: left * right
            case .divided: left / right
            case .remainder: Decimal.nan
            }
        guard result.isFinite else {
            throw StoreError(.arithmeticFailure, "the result of “\(sign.rawValue)” is not a decimal number")
        }
        return .text(DecimalText.text(of: result))
    }
}

extension ColumnValue {
    /// Compares two decimal numbers that are stored as text, and returns -1, 0, or 1, or `nil` if one of them is not a
    /// number.
    func comparedAsDecimal(to other: Self) -> Int? {
        guard let left = try? Decimal(column: self), let right = try? Decimal(column: other) else { return nil }
        return left == right ? 0 : left < right ? -1 : 1
    }
}
