public import Transformable

/// A transformer that converts a geometry value to text in braces, such as `{3, 4}` or `{{1, 2}, {3, 4}}`.
///
/// The text has the format of Apple's `NSStringFromRect` and similar functions, with numbers that represent
/// the values exactly. All text that these functions return can be parsed, in any ``NumberStyle`` and with
/// spaces between the parts. Any other text is an error, which includes an offset.
public struct GeometryTransformer<Value: GeometryValue>: Transformer {
    /// How numbers are written.
    public let style: NumberStyle

    /// Creates a transformer.
    ///
    /// - Parameter style: How numbers are written.
    public init(style: NumberStyle = .shortest) {
        self.style = style
    }

    /// The traits of the transformer.
    ///
    /// It is deterministic, but not canonical.
    ///
    /// The values 0 and -0 are equal but have different text, as do a rectangle with a negative
    /// size and the standardized rectangle. The style ``NumberStyle/apple`` is lossy, because it
    /// discards the sign and the payload of a NaN.
    public var traits: TransformerTraits {
        style == .apple ? [.deterministic, .lossy] : [.deterministic]
    }

    /// Encodes a value as text.
    public func encode(_ value: Value, in context: TransformContext) -> String {
        GeometryText.text(of: value.numbers, Value.layout, style)
    }

    /// Parses a value.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        Value(numbers: try GeometryText.numbers(of: encoded, Value.layout))
    }
}

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

/// Writes and parses numbers in braces, independently of the values they belong to.
private enum GeometryText {
    static func text(of numbers: [Double], _ layout: GeometryLayout, _ style: NumberStyle) -> String {
        // In addition to the numbers, there are braces around all of them, and at most braces, a comma, and a space for
        // each of them.
        let bytes = [UInt8](capacity: layout.count * (TextWriter.numberCount + 6)) { writer in
            write(numbers, layout, style, to: &writer)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(
        _ numbers: [Double],
        _ layout: GeometryLayout,
        _ style: NumberStyle,
        to writer: inout TextWriter
    ) {
        let isNested = layout.groups.count > 1
        var index = 0
        if isNested {
            writer.append(.openBrace)
        }
        for group in layout.groups.indices {
            writer.separate(index)
            writer.append(.openBrace)
            for position in 0..<layout.groups[group].count {
                writer.separate(position)
                style.write(numbers[index], to: &writer)
                index += 1
            }
            writer.append(.closeBrace)
        }
        if isNested {
            writer.append(.closeBrace)
        }
    }

    static func numbers(of value: String, _ layout: GeometryLayout) throws(TransformerError) -> [Double] {
        let text = value.utf8.span
        let isNested = layout.groups.count > 1
        var scanner = TextScanner(layout)
        var numbers: [Double] = []
        numbers.reserveCapacity(layout.count)
        if isNested {
            try scanner.demand(.openBrace, text)
        }
        for group in layout.groups {
            if !numbers.isEmpty {
                try scanner.demand(.comma, text)
            }
            try scanner.group(of: group.count, text, into: &numbers)
        }
        if isNested {
            try scanner.demand(.closeBrace, text)
        }
        try scanner.demandEnd(text)
        return numbers
    }
}

extension TextWriter {
    /// Writes a separator, unless this is the first part.
    fileprivate mutating func separate(_ position: Int) {
        guard position > 0 else { return }
        append(.comma)
        append(.space)
    }
}

extension TextScanner {
    /// Parses the numbers in a pair of braces, or of brackets if the layout allows them.
    fileprivate mutating func group(
        of count: Int,
        _ text: Span<UInt8>,
        into numbers: inout [Double]
    ) throws(TransformerError) {
        skipSpaces(text)
        let isBracketed = layout.readsBrackets && skip(.openBracket, text)
        if !isBracketed {
            try demand(.openBrace, text)
        }
        for position in 0..<count {
            if position > 0 {
                try demand(.comma, text)
            }
            numbers.append(try double(text))
        }
        try demand(isBracketed ? .closeBracket : .closeBrace, text)
    }
}
