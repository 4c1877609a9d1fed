internal import Transformable

/// Writes and parses numbers in braces, independently of the values they belong to.
enum GeometryText {
    static func text(of numbers: [Double], _ layout: GeometryLayout, _ style: NumberStyle) -> String {
        let isNested = layout.groups.count > 1
        var writer = TextWriter()
        var index = 0
        if isNested {
            writer.write(.openBrace)
        }
        for group in layout.groups {
            writer.separate(index)
            writer.write(.openBrace)
            for position in group.indices {
                writer.separate(position)
                style.write(numbers[index], to: &writer)
                index += 1
            }
            writer.write(.closeBrace)
        }
        if isNested {
            writer.write(.closeBrace)
        }
        return writer.text
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
        write(.comma)
        write(.space)
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
