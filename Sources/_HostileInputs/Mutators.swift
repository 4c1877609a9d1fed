/// Mutates bytes in ways that break binary formats: lengths, counts, offsets, and misplaced parts.
public struct ByteMutator: Sendable {
    private var generator: SeededGenerator
    private let maximumCount: Int

    /// Creates a mutator.
    ///
    /// - Parameters:
    ///   - seed: The seed. Equal seeds give equal mutations.
    ///   - maximumCount: The maximum length of a mutated input.
    public init(seed: UInt64, maximumCount: Int = 1 << 20) {
        generator = SeededGenerator(seed: seed)
        self.maximumCount = maximumCount
    }

    /// Numbers at the limits of types and buffers.
    private static let interesting: [UInt64] = [
        0, 1, 2, 7, 8, 16, 32, 64, 100, 127, 128, 255, 256, 1000, 1024, 4096, 32_767, 32_768, 65_535, 65_536,
        0x00FF_FFFF, 0x3FFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF,
        0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0x7FF0_0000_0000_0000, 0x7FF8_0000_0000_0001,
    ]

    /// Returns a mutation of an input.
    ///
    /// - Parameters:
    ///   - input: The input to mutate.
    ///   - other: The input to take parts from. By default, the input itself.
    /// - Returns: The mutated input, which differs from the input unless the changes cancel each other out.
    public mutating func mutated(_ input: [UInt8], with other: [UInt8]? = nil) -> [UInt8] {
        var bytes = input
        // Usually a single change, because many changes at once seldom pass the first check of a format.
        let changes = [1, 1, 1, 2, 2, 3, 4, 8, 16][generator.index(below: 9)]
        for _ in 0..<changes {
            change(&bytes, other ?? input)
        }
        return Array(bytes.prefix(maximumCount))
    }

    private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
        guard !bytes.isEmpty else {
            bytes = [UInt8(truncatingIfNeeded: generator.next())]
            return
        }
        switch generator.index(below: 12) {
        case 0, 1: flipBit(&bytes)
        case 2: bytes[position(in: bytes)] = UInt8(truncatingIfNeeded: generator.next())
        case 3, 4: putInteger(&bytes)
        case 5: addToInteger(&bytes)
        case 6: bytes.removeSubrange(part(of: bytes))
        case 7: bytes.insert(contentsOf: bytes[part(of: bytes)], at: position(in: bytes))
        case 8: splice(&bytes, other)
        case 9: bytes.removeLast(1 + generator.index(below: bytes.count))
        case 10: putLength(&bytes)
        default: fill(&bytes)
        }
    }

    private mutating func position(in bytes: [UInt8]) -> Int {
        generator.index(below: bytes.count)
    }

    /// Returns a part of the bytes, which is usually short.
    private mutating func part(of bytes: [UInt8]) -> Range<Int> {
        let start = position(in: bytes)
        let reach = [1, 4, 16, 64, bytes.count][generator.index(below: 5)]
        return start..<min(bytes.count, start + 1 + generator.index(below: reach))
    }

    private mutating func flipBit(_ bytes: inout [UInt8]) {
        bytes[position(in: bytes)] ^= 1 << UInt8(generator.index(below: 8))
    }

    /// Writes one of the interesting numbers, in 1, 2, 4, or 8 bytes in either order.
    private mutating func putInteger(_ bytes: inout [UInt8]) {
        let number = Self.interesting[generator.index(below: Self.interesting.count)]
        put(number, width: 1 << generator.index(below: 4), &bytes)
    }

    /// Writes a number near the length of the input, which can be mistaken for a valid length or offset.
    private mutating func putLength(_ bytes: inout [UInt8]) {
        let nearby = bytes.count + generator.index(below: 9) - 4
        put(UInt64(max(0, nearby)), width: 1 << generator.index(below: 4), &bytes)
    }

    private mutating func put(_ number: UInt64, width: Int, _ bytes: inout [UInt8]) {
        let start = position(in: bytes)
        let isBigEndian = Bool.random(using: &generator)
        for offset in 0..<width where start + offset < bytes.count {
            let shift = 8 * (isBigEndian ? width - 1 - offset : offset)
            bytes[start + offset] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
        }
    }

    private mutating func addToInteger(_ bytes: inout [UInt8]) {
        let difference = UInt8(1 + generator.index(below: 35))
        let index = position(in: bytes)
        bytes[index] = Bool.random(using: &generator) ? bytes[index] &+ difference : bytes[index] &- difference
    }

    private mutating func splice(_ bytes: inout [UInt8], _ other: [UInt8]) {
        guard !other.isEmpty else { return }
        bytes.replaceSubrange(part(of: bytes), with: other[part(of: other)])
    }

    private mutating func fill(_ bytes: inout [UInt8]) {
        let byte: UInt8 = [0, 0xFF, 0x20, 0x80][generator.index(below: 4)]
        for index in part(of: bytes) {
            bytes[index] = byte
        }
    }
}

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
    private static let tokens = [
        "0", "-0", "-1", "1e999", "-1e-999", ".5", "5.", "0x10", "1_000", "NaN", "-inf", "99999999999999999999",
        "9223372036854775808", "{", "}", "[", "]", "(", ")", "\"", "'", "\\", "\\u0000", "\\ud800", "<", ">", "&",
        "&#0;", "%", "%0", "%00", "=", "==", ",", ";", ":", "/", "+", "-", " ", "\t", "\n", "\r\n", "\u{0}", "\u{7F}",
        "\u{85}", "\u{A0}", "\u{FEFF}", "\u{2028}", "\u{202E}", "\u{301}", "e\u{301}", "\u{E9}", "\u{FFFD}",
        "\u{FFFF}", "\u{10FFFF}", "\u{1F468}\u{200D}\u{1F469}", "\u{0661}", "\u{FF11}", "\u{1D7D9}", "\u{131}",
        "\u{130}", "\u{DF}", "null", "true", "Z", "+24:00", "-00-00", "T", "T25", "2016-12-31T23:59:60Z", "0000",
    ]

    /// Returns a mutation of a string.
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

/// A random number generator whose numbers depend only on its seed: SplitMix64 (Steele, Lea, and Flood, 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// Equal seeds give equal numbers.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// Returns a number from 0 up to, but not including, a bound, which must be positive.
    mutating func index(below bound: Int) -> Int {
        Int.random(in: 0..<max(1, bound), using: &self)
    }

    /// Returns a limited number of the numbers below a count: the first and the last ones, and a sample of the rest.
    mutating func sample(below count: Int, atMost limit: Int) -> [Int] {
        guard count > limit else { return Array(0..<max(0, count)) }
        let edge = limit / 4
        var chosen = Set(0..<edge).union((count - edge)..<count)
        while chosen.count < limit {
            chosen.insert(index(below: count))
        }
        return chosen.sorted()
    }
}
