public import Testing
public import Transformable

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
