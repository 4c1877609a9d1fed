public import Transformable

/// How numbers are written in text.
///
/// All styles can be parsed.
public enum NumberStyle: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The fewest digits that represent the number exactly: `0.1`, `3`, `1e-05`, `nan(0x1)`.
    case shortest
    /// C's `%.17g`, which Apple's frameworks use for the numbers in an `NSValue`: `0.10000000000000001`.
    ///
    /// It preserves all bits, except the sign and the payload of a NaN.
    case apple
}

extension NumberStyle {
    func write(_ number: Double, to writer: inout TextWriter) {
        switch self {
        case .shortest: ShortestNumber.write(number, to: &writer)
        case .apple: PrintedNumber.write(number, to: &writer)
        }
    }
}
