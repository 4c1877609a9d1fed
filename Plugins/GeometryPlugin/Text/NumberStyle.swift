public import Transformable

/// How a number of a geometry value is written as text; all styles are read alike.
public enum NumberStyle: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The fewest digits that read back to the same bits: `0.1`, `3`, `1e-05`, `nan(0x1)`.
    case shortest
    /// C's `%.17g`, as Apple's frameworks write numbers inside `NSValue`: `0.10000000000000001`.
    ///
    /// It keeps every bit but a NaN's sign and payload.
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
