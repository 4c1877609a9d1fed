public import Transformable
internal import _HostileInputs

/// The laws of a transformer, to be checked with some of its values.
///
/// ``violations()`` gives what is broken, for any test framework;
/// ``assertTransformerLaws(of:values:refusing:rejecting:options:sourceLocation:)`` records it in Swift Testing.
/// Values should hold the extremes: empty, long, the smallest, the largest, and equal values that were
/// made in different ways.
public struct TransformerLaws<Value, Encoded> {
    /// Values that encoding must refuse.
    public var refused: [Value] = []
    /// Encoded forms that decoding must reject.
    public var rejected: [Encoded] = []
    /// How thorough the check is, and what a call may take.
    public var options = LawOptions()
    /// The order of values that an ordered transformer keeps; needed where they are not `Comparable`.
    public var areInIncreasingOrder: ((Value, Value) -> Bool)?

    let transformer: any OneWayTransformer<Value, Encoded>
    let reversible: (any Transformer<Value, Encoded>)?
    let values: [Value]
    let areEqual: (Value, Value) -> Bool

    /// Prepares a check of a transformer.
    ///
    /// - Parameters:
    ///   - transformer: The transformer; one that only encodes is checked as far as that goes.
    ///   - values: Values that it must encode.
    ///   - areEqual: When two values count as equal. A tolerance suits a lossy transformer, and bits
    ///     suit numbers, of which some are not equal to themselves.
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

    /// Checks every law that the transformer's protocol and its traits promise.
    ///
    /// - Returns: What is broken; at most three violations of each law.
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

    /// The first three violations of each law, in the order of the laws, with a word about the rest.
    private func condensed(_ violations: [LawViolation]) -> [LawViolation] {
        TransformerLaw.allCases.flatMap { law in
            let broken = violations.filter { $0.law == law }
            let rest = broken.count - 3
            return broken.prefix(3) + (rest > 0 ? [LawViolation(law, "and \(rest) more like these")] : [])
        }
    }
}

extension TransformerLaws where Value: Equatable {
    /// Prepares a check of a transformer whose values say themselves when they are equal.
    ///
    /// - Parameters:
    ///   - transformer: The transformer; one that only encodes is checked as far as that goes.
    ///   - values: Values that it must encode.
    public init(of transformer: any OneWayTransformer<Value, Encoded>, values: [Value]) {
        self.init(of: transformer, values: values, by: ==)
    }
}

@available(*, unavailable)
extension TransformerLaws: Sendable {}
