public import Foundation

extension Data: Damageable {
    /// Returns truncations, flipped bits, mutations, and excessive repetitions.
    public func damages(limit: Int, seed: UInt64) -> [Damage<Data>] {
        var generator = SeededGenerator(seed: seed)
        return truncations(limit, &generator) + flips(limit, &generator) + mutations(limit / 2, seed) + oversizes()
    }

    private func truncations(_ limit: Int, _ generator: inout SeededGenerator) -> [Damage<Data>] {
        generator.sample(below: count, atMost: limit)
            .map { length in
                Damage(.truncation, "cut to \(length) of \(count) bytes") { Data(prefix(length)) }
            }
    }

    private func flips(_ limit: Int, _ generator: inout SeededGenerator) -> [Damage<Data>] {
        generator.sample(below: count * 8, atMost: limit)
            .map { bit in
                Damage(.flip, "bit \(bit % 8) of byte \(bit / 8) flipped") {
                    var bytes = Data(self)
                    bytes[bytes.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
                    return bytes
                }
            }
    }

    private func mutations(_ count: Int, _ seed: UInt64) -> [Damage<Data>] {
        (0..<count)
            .map { index in
                let seed = seed &+ UInt64(index)
                return Damage(.mutation, "mutated by the seed \(seed)") {
                    var mutator = ByteMutator(seed: seed)
                    return Data(mutator.mutated(Array(self)))
                }
            }
    }

    private func oversizes() -> [Damage<Data>] {
        let size = Oversize.bytes
        let repeated = Damage(.oversize, "repeated to \(size) bytes") {
            isEmpty ? Data(count: size) : Data((0..<(size / count)).map { _ in self }.joined())
        }
        let starts = Set(prefix(Oversize.starts)).sorted()
            .map { byte in
                Damage(.oversize, "\(size) times the byte \(byte)") { Data(repeating: byte, count: size) }
            }
        let tail = Damage(.oversize, "followed by \(size) zeros") { self + Data(count: size) }
        return [repeated, tail] + starts
    }
}

/// The size of excessive repetitions of a small encoded form.
enum Oversize {
    /// It is large enough to reveal a quadratic algorithm or recursion, and small enough for a debug build.
    static let bytes = 1 << 18
    /// The number of initial bytes or characters that are also repeated individually, because one of them may open a
    /// level of nesting.
    static let starts = 4
}
