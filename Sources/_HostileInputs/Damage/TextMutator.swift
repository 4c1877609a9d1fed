/// Mutates text in ways that break text formats: digits, signs, brackets, quotation marks, and unusual Unicode.
public struct TextMutator: Sendable {
    private var generator: SeededGenerator

    /// Creates a mutator.
    ///
    /// Equal seeds give equal mutations.
    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Texts that have a meaning in some format, or that can be mistaken for something else.
    static let tokens = [
        "0", "-0", "-1", "1e999", "-1e-999", ".5", "5.", "0x10", "1_000", "NaN", "-inf", "99999999999999999999",
        "9223372036854775808", "{", "}", "[", "]", "(", ")", "\"", "'", "\\", "\\u0000", "\\ud800", "<", ">", "&",
        "&#0;", "%", "%0", "%00", "=", "==", ",", ";", ":", "/", "+", "-", " ", "\t", "\n", "\r\n", "\u{0}", "\u{7F}",
        "\u{85}", "\u{A0}", "\u{FEFF}", "\u{2028}", "\u{202E}", "\u{301}", "e\u{301}", "\u{E9}", "\u{FFFD}",
        "\u{FFFF}", "\u{10FFFF}", "\u{1F468}\u{200D}\u{1F469}", "\u{0661}", "\u{FF11}", "\u{1D7D9}", "\u{131}",
        "\u{130}", "\u{DF}", "null", "true", "Z", "+24:00", "-00-00", "T", "T25", "2016-12-31T23:59:60Z", "0000",
    ]

    /// Returns a mutation of a text.
    ///
    /// - Parameters:
    ///   - input: The text to mutate.
    ///   - other: The text to take parts from. By default, the input itself.
    /// - Returns: The mutated text, which differs from the input unless the changes cancel each other out.
    public mutating func mutated(_ input: String, with other: String? = nil) -> String {
        var scalars = Array(input.unicodeScalars)
        let source = other.map { Array($0.unicodeScalars) } ?? scalars
        for _ in 0..<[1, 1, 1, 2, 2, 3, 5, 9][generator.index(below: 8)] {
            change(&scalars, source)
        }
        return String(scalars: scalars)
    }

    private mutating func change(_ scalars: inout [Unicode.Scalar], _ other: [Unicode.Scalar]) {
        guard !scalars.isEmpty else {
            scalars = token()
            return
        }
        let index = generator.index(below: scalars.count)
        switch generator.index(below: 9) {
        case 0, 1: scalars.insert(contentsOf: token(), at: index)
        case 2: scalars.replaceSubrange(part(of: scalars), with: token())
        case 3: scalars[index] = Self.replacement(for: scalars[index], &generator)
        case 4: scalars.removeSubrange(part(of: scalars))
        case 5: scalars.insert(contentsOf: scalars[part(of: scalars)], at: index)
        case 6: scalars.removeLast(scalars.count - index)
        case 7: splice(&scalars, other)
        default: `repeat`(&scalars)
        }
    }

    private mutating func token() -> [Unicode.Scalar] {
        Array(Self.tokens[generator.index(below: Self.tokens.count)].unicodeScalars)
    }

    private mutating func part(of scalars: [Unicode.Scalar]) -> Range<Int> {
        let start = generator.index(below: scalars.count)
        let reach = [1, 3, 12, scalars.count][generator.index(below: 4)]
        return start..<min(scalars.count, start + 1 + generator.index(below: reach))
    }

    private mutating func splice(_ scalars: inout [Unicode.Scalar], _ other: [Unicode.Scalar]) {
        guard !other.isEmpty else { return }
        scalars.replaceSubrange(part(of: scalars), with: other[part(of: other)])
    }

    /// Repeats a character, in the way that digits and brackets are repeated to reach a limit.
    private mutating func `repeat`(_ scalars: inout [Unicode.Scalar]) {
        let index = generator.index(below: scalars.count)
        let count = [2, 20, 400, 5000][generator.index(below: 4)]
        scalars.insert(contentsOf: Array(repeating: scalars[index], count: count), at: index)
    }

    /// Returns a replacement for a character: a neighbor, the same letter in the other case, or an unusual character.
    static func replacement(for scalar: Unicode.Scalar, _ generator: inout SeededGenerator) -> Unicode.Scalar {
        let choice = generator.index(below: 3)
        let neighbour = Unicode.Scalar(scalar.value &+ (choice == 0 ? 1 : 2))
        let otherCase = scalar.isASCII && scalar.properties.isAlphabetic ? Unicode.Scalar(scalar.value ^ 0x20) : nil
        let token = tokens[generator.index(below: tokens.count)].unicodeScalars.first
        let candidates = [neighbour, otherCase ?? neighbour, token]
        return candidates[choice].flatMap { $0 == scalar ? nil : $0 } ?? (scalar == "?" ? "!" : "?")
    }
}
