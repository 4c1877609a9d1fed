public import Transformable
internal import _HostileInputs

/// The laws of a transformer, and the values to check them with.
///
/// ``violations()`` returns the violations, for use with any test framework.
/// ``assertTransformerLaws(of:values:refusing:limiting:rejecting:options:sourceLocation:)`` records them in Swift Testing. The
/// values should include extremes: empty, long, the smallest, the largest, and equal values that were created in
/// different ways.
public struct TransformerLaws<Value, Encoded> {
    /// Values that encoding must refuse.
    public var refused: [Value] = []
    /// Values at the limits of the transformer and beyond.
    ///
    /// Encoding may refuse them. If it does not, decoding must give an equal value, or any value if the transformer is
    /// lossy.
    public var limited: [Value] = []
    /// Encoded forms that decoding must reject.
    public var rejected: [Encoded] = []
    /// The thoroughness of the check, and the limits for a single call.
    public var options = LawOptions()
    /// The order of values that an ordered transformer preserves.
    ///
    /// It is required if the values are not `Comparable`.
    public var areInIncreasingOrder: ((Value, Value) -> Bool)?

    let transformer: any OneWayTransformer<Value, Encoded>
    let reversible: (any Transformer<Value, Encoded>)?
    let values: [Value]
    let areEqual: (Value, Value) -> Bool

    /// Creates a check with a custom comparison of values.
    ///
    /// - Parameters:
    ///   - transformer: The transformer. If it only encodes, laws about decoding are skipped.
    ///   - values: Values that the transformer must encode.
    ///   - areEqual: A closure that returns whether two values are equal. Use a tolerance for a lossy transformer, and
    ///     compare bits for numbers that may not be equal to themselves.
    public init(
        of transformer: any OneWayTransformer<Value, Encoded>,
        values: [Value],
        by areEqual: @escaping (Value, Value) -> Bool
    ) {
        self.transformer = transformer
        reversible = transformer as? any Transformer<Value, Encoded>
        self.values = values
        self.areEqual = areEqual
    }

    /// Checks all laws of the transformer's protocol and its traits.
    ///
    /// - Returns: The violations, with at most three for each law.
    public func violations() -> [LawViolation] {
        do {
            let logbook = try Logbook(noteCapacity: 4096, recordCapacity: 4 << 20)
            let casualties = try run(logbook)
            return condensed(logbook.records.compactMap(LawViolation.init(record:)) + casualties)
        } catch {
            return [LawViolation(.samples, "nothing was checked: \(error)")]
        }
    }

    private func run(_ logbook: Logbook) throws(IsolationError) -> [LawViolation] {
        let work: (Steps) -> Void = { LawCheck(laws: self, steps: $0, logbook: logbook).checkAll() }
        guard options.isIsolated else {
            IsolatedRun.runUnprotected(logbook, work)
            return []
        }
        let limits = IsolationLimits(
            memory: options.memory,
            processorTime: options.processorTime,
            wallTime: options.wallTime
        )
        return try IsolatedRun(limits: limits, maximumCasualties: 4).run(logbook, work)
            .map { LawViolation($0, options) }
    }

    /// Returns the first three violations of each law, in the order of the laws, followed by the number of the others.
    private func condensed(_ violations: [LawViolation]) -> [LawViolation] {
        TransformerLaw.allCases.flatMap { law in
            let broken = violations.filter { $0.law == law }
            let rest = broken.count - 3
            return broken.prefix(3) + (rest > 0 ? [LawViolation(law, "and \(rest) more like these")] : [])
        }
    }
}

extension TransformerLaws where Value: Equatable {
    /// Creates a check for values that are `Equatable`.
    ///
    /// - Parameters:
    ///   - transformer: The transformer. If it only encodes, laws about decoding are skipped.
    ///   - values: Values that the transformer must encode.
    public init(of transformer: any OneWayTransformer<Value, Encoded>, values: [Value]) {
        self.init(of: transformer, values: values, by: ==)
    }
}

@available(*, unavailable)
extension TransformerLaws: Sendable {}
