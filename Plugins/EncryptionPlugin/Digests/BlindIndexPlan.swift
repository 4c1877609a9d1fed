internal import Foundation
public import Transformable

/// How many bits suit a blind index of so many different values.
///
/// With *r* different values and *b* bits, *r* / 2^*b* values share a number on average. If fewer than two do,
/// a number stands for one value, and the index tells which rows agree and how often each value
/// occurs, as a deterministic value does. If more than √*r* do, a search opens needlessly many rows.
///
/// ```swift
/// let plan = BlindIndexPlan(distinctValues: 1_000_000)
/// let bits = plan.suitableBits         // 10...18
/// try plan.verify(bits: 16)
/// ```
public struct BlindIndexPlan: Sendable, Hashable {
    /// How many different values there are, or will be.
    public let distinctValues: Int

    /// Makes a plan.
    ///
    /// - Parameter distinctValues: How many different values there are, or will be.
    public init(distinctValues: Int) {
        self.distinctValues = max(0, distinctValues)
    }

    /// The numbers of bits with which at least two and at most √*r* values share a number; nil for fewer than
    /// four values, of which no index hides anything.
    public var suitableBits: ClosedRange<Int>? {
        let suitable = (1...63)
            .filter { bits in
                let sharing = sharing(bits: bits)
                return sharing >= 2 && sharing <= Double(distinctValues).squareRoot()
            }
        guard let least = suitable.first, let most = suitable.last else { return nil }
        return least...most
    }

    /// How many values share a number on average.
    ///
    /// - Parameter bits: The number of bits.
    /// - Returns: The mean; below one most values have a number of their own.
    public func sharing(bits: Int) -> Double {
        Double(distinctValues) / exp2(Double(bits))
    }

    /// Refuses an index that would identify values.
    ///
    /// - Parameters:
    ///   - bits: The number of bits.
    ///   - allowingIdentification: Whether an index that identifies values is what is wanted.
    /// - Throws: `TransformerError` with `identifying-index`.
    public func verify(bits: Int, allowingIdentification: Bool = false) throws {
        guard !allowingIdentification, sharing(bits: bits) < 2 else { return }
        let advice = suitableBits.map { "; \($0.lowerBound) to \($0.upperBound) bits suit" } ?? ""
        let message = "with \(bits) bits and \(distinctValues) different values, a number stands for one value\(advice)"
        throw TransformerError(.identifyingIndex, message)
    }
}

extension BlindIndexTransformer: PlannedTransformer {
    /// From how many values on a number stands for more than one.
    public var advice: String {
        let many = bits == 63 ? "any number of" : "fewer than \((1 as UInt64) << UInt64(bits + 1))"
        return
            "with \(many) different values, a number stands for one value: who reads the file learns which rows agree"
    }

    /// Refuses to identify values.
    public func verify(distinctValues: Int) throws {
        try verify(distinctValues: distinctValues, besides: 0)
    }

    /// How many bits of the digest are kept.
    public var bitCount: Int { bits }

    /// Refuses to identify values together with other indexes of them.
    public func verify(distinctValues: Int, besides others: Int) throws {
        do {
            try BlindIndexPlan(distinctValues: distinctValues).verify(bits: bits + others)
        } catch let error as TransformerError where others > 0 {
            let message = "its \(bits) bits and \(others) of other indexes of the same values add up: \(error.message)"
            throw TransformerError(error.code, message)
        }
    }
}
