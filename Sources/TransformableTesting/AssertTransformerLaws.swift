public import Testing
public import Transformable

/// Checks every law that a transformer promises by its protocol and its traits.
///
/// Each violation is recorded as an issue of the test that calls this. The checks run in a child
/// process, so that a trap, a hang or a hunger for memory is one more violation and the test goes on.
///
/// - Parameters:
///   - transformer: The transformer; one that only encodes is checked as far as that goes.
///   - values: Values that it must encode: extremes, and equal values that were made in different ways.
///   - refused: Values that encoding must refuse.
///   - rejected: Encoded forms that decoding must reject, besides those that the check makes itself.
///   - options: How thorough the check is, and what a call may take.
///   - sourceLocation: Where the issues are recorded.
public func assertTransformerLaws<Value: Equatable, Encoded>(
    of transformer: any OneWayTransformer<Value, Encoded>,
    values: [Value],
    refusing refused: [Value] = [],
    rejecting rejected: [Encoded] = [],
    options: LawOptions = LawOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var laws = TransformerLaws(of: transformer, values: values)
    laws.refused = refused
    laws.rejected = rejected
    laws.options = options
    assertHolds(laws, sourceLocation: sourceLocation)
}

/// Checks every law that a transformer promises, for values that are compared in a way of their own.
///
/// - Parameters:
///   - transformer: The transformer; one that only encodes is checked as far as that goes.
///   - values: Values that it must encode: extremes, and equal values that were made in different ways.
///   - refused: Values that encoding must refuse.
///   - rejected: Encoded forms that decoding must reject, besides those that the check makes itself.
///   - options: How thorough the check is, and what a call may take.
///   - sourceLocation: Where the issues are recorded.
///   - areEqual: When two values count as equal.
public func assertTransformerLaws<Value, Encoded>(
    of transformer: any OneWayTransformer<Value, Encoded>,
    values: [Value],
    refusing refused: [Value] = [],
    rejecting rejected: [Encoded] = [],
    options: LawOptions = LawOptions(),
    sourceLocation: SourceLocation = #_sourceLocation,
    by areEqual: @escaping (Value, Value) -> Bool
) {
    var laws = TransformerLaws(of: transformer, values: values, by: areEqual)
    laws.refused = refused
    laws.rejected = rejected
    laws.options = options
    assertHolds(laws, sourceLocation: sourceLocation)
}

/// Records each law that does not hold as an issue of the current test.
///
/// - Parameters:
///   - laws: The laws, prepared.
///   - sourceLocation: Where the issues are recorded.
public func assertHolds<Value, Encoded>(
    _ laws: TransformerLaws<Value, Encoded>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for violation in laws.violations() {
        Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
    }
}
