internal import Foundation
public import Transformable

/// Computes how many bits are suitable for a blind index of a given number of distinct values.
///
/// With *r* distinct values and *b* bits, an average of *r* / 2^*b* values share a number. If fewer than two do, each
/// number identifies a value, and the index reveals which rows are equal and how often each value occurs, just as
/// deterministic encryption does. If more than √*r* do, searches have to open an unnecessary number of rows.
///
/// ```swift
/// let plan = BlindIndexPlan(distinctValues: 1_000_000)
/// let bits = plan.suitableBits         // 10...18
/// try plan.verify(bits: 16)
/// ```
public struct BlindIndexPlan: Sendable, Hashable {
    /// The expected number of distinct values.
    public let distinctValues: Int

    /// Creates a plan.
    ///
    /// - Parameter distinctValues: The expected number of distinct values.
    public init(distinctValues: Int) {
        self.distinctValues = max(0, distinctValues)
    }

    /// The numbers of bits with which at least two and at most √*r* values share a number.
    ///
    /// The result is nil for fewer than four values, which no index can hide.
    public var suitableBits: ClosedRange<Int>? {
        let suitable = (1...63)
            .filter { bits in
                let sharing = sharing(bits: bits)
                return sharing >= 2 && sharing <= Double(distinctValues).squareRoot()
            }
        guard let least = suitable.first, let most = suitable.last else { return nil }
        return least...most
    }

    /// Returns how many values share a number on average.
    ///
    /// - Parameter bits: The number of bits.
    /// - Returns: The average. If it is less than one, most values have a number of their own.
    public func sharing(bits: Int) -> Double {
        Double(distinctValues) / exp2(Double(bits))
    }

    /// Verifies that an index does not identify values.
    ///
    /// - Parameters:
    ///   - bits: The number of bits.
    ///   - allowingIdentification: Whether to accept an index that identifies values.
    /// - Throws: `TransformerError` with the code `identifying-index` if it does.
    public func verify(bits: Int, allowingIdentification: Bool = false) throws {
        guard !allowingIdentification, sharing(bits: bits) < 2 else { return }
        let advice = suitableBits.map { "; use \($0.lowerBound) to \($0.upperBound) bits" } ?? ""
        let message = "with \(bits) bits and \(distinctValues) distinct values, each number identifies a value\(advice)"
        throw TransformerError(.identifyingIndex, message)
    }
}

extension BlindIndexTransformer: CardinalitySensitiveTransformer {
    /// Advice on the number of values from which a number no longer identifies a value.
    public var advice: String {
        let many = bits == 63 ? "any number of" : "fewer than \((1 as UInt64) << UInt64(bits + 1))"
        return
            "with \(many) distinct values, each number identifies a value, so the file shows which rows are equal"
    }

    /// Verifies that the index does not identify values.
    public func verify(distinctValues: Int) throws {
        try verify(distinctValues: distinctValues, besides: 0)
    }

    /// The number of bits of the digest.
    public var bitCount: Int { bits }

    /// Verifies that the index does not identify values in combination with other indexes of them.
    public func verify(distinctValues: Int, besides others: Int) throws {
        do {
            try BlindIndexPlan(distinctValues: distinctValues).verify(bits: bits + others)
        } catch let error as TransformerError where others > 0 {
            let message =
                "its \(bits) bits and \(others) bits of other indexes of the same values add up: \(error.message)"
            throw TransformerError(error.code, message)
        }
    }
}
