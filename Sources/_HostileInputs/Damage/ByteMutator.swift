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
    static let interesting: [UInt64] = [
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
