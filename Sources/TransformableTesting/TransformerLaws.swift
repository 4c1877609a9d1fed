public import Testing
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

/// The thoroughness of a check of a transformer's laws, and the limits for a single call.
public struct LawOptions: Sendable {
    /// The seed of samples and mutations.
    ///
    /// The same seed checks the same inputs.
    public var seed: UInt64 = 1
    /// The maximum number of truncations, and of bit flips, to try for each value's encoded form.
    ///
    /// If a longer form allows more, a sample is tried: at the beginning, at the end, and at some positions in between.
    public var damagesPerValue = 512
    /// The number of values, starting with the first, for which forms of a quarter of a megabyte are tried.
    ///
    /// These take the most time, especially in a debug build.
    public var oversizedValues = 4
    /// The number of threads that use the transformer at the same time.
    public var threads = 4
    /// The maximum processor time of a single call.
    public var processorTime: Duration = .seconds(2)
    /// The maximum elapsed time of a single call.
    public var wallTime: Duration = .seconds(60)
    /// The maximum memory use of a single call, in bytes.
    public var memory = 256 << 20
    /// Whether the checks run in a child process, so that a trap or a hang counts as a violation.
    ///
    /// A child process has only the threads that the checks start. Turn this option off for a transformer that waits
    /// for a dispatch queue or a task. In that case, the process is not protected, and calls are not timed.
    public var isIsolated = true
    /// The context to encode and decode values in.
    public var context = TransformContext.none

    /// Creates options with default values.
    public init() {}
}

/// Checks that a transformer obeys the laws of its protocol and its traits.
///
/// Each violation is recorded as an issue of the current test. The checks run in a child process, so that a trap, a
/// hang, or excessive use of memory counts as a violation and does not end the test.
///
/// - Parameters:
///   - transformer: The transformer. If it only encodes, laws about decoding are skipped.
///   - values: Values that the transformer must encode. Include extremes, and equal values that were created in
///     different ways.
///   - refused: Values that encoding must refuse.
///   - limited: Values at the transformer's limits and beyond, which encoding must refuse if they cannot be decoded.
///   - rejected: Encoded forms that decoding must reject, in addition to those that the check generates.
///   - options: The thoroughness of the check, and the limits for a single call.
///   - sourceLocation: The source location to which issues are attributed.
public func assertTransformerLaws<Value: Equatable, Encoded>(
    of transformer: any OneWayTransformer<Value, Encoded>,
    values: [Value],
    refusing refused: [Value] = [],
    limiting limited: [Value] = [],
    rejecting rejected: [Encoded] = [],
    options: LawOptions = LawOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var laws = TransformerLaws(of: transformer, values: values)
    laws.refused = refused
    laws.limited = limited
    laws.rejected = rejected
    laws.options = options
    assertHolds(laws, sourceLocation: sourceLocation)
}

/// Checks that a transformer obeys the laws of its protocol and its traits, using a custom comparison of values.
///
/// - Parameters:
///   - transformer: The transformer. If it only encodes, laws about decoding are skipped.
///   - values: Values that the transformer must encode. Include extremes, and equal values that were created in
///     different ways.
///   - refused: Values that encoding must refuse.
///   - limited: Values at the transformer's limits and beyond, which encoding must refuse if they cannot be decoded.
///   - rejected: Encoded forms that decoding must reject, in addition to those that the check generates.
///   - options: The thoroughness of the check, and the limits for a single call.
///   - sourceLocation: The source location to which issues are attributed.
///   - areEqual: A closure that returns whether two values are equal.
public func assertTransformerLaws<Value, Encoded>(
    of transformer: any OneWayTransformer<Value, Encoded>,
    values: [Value],
    refusing refused: [Value] = [],
    limiting limited: [Value] = [],
    rejecting rejected: [Encoded] = [],
    options: LawOptions = LawOptions(),
    sourceLocation: SourceLocation = #_sourceLocation,
    by areEqual: @escaping (Value, Value) -> Bool
) {
    var laws = TransformerLaws(of: transformer, values: values, by: areEqual)
    laws.refused = refused
    laws.limited = limited
    laws.rejected = rejected
    laws.options = options
    assertHolds(laws, sourceLocation: sourceLocation)
}

/// Records each violation as an issue of the current test.
///
/// - Parameters:
///   - laws: The laws to check.
///   - sourceLocation: The source location to which issues are attributed.
public func assertHolds<Value, Encoded>(
    _ laws: TransformerLaws<Value, Encoded>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for violation in laws.violations() {
        Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
    }
}
