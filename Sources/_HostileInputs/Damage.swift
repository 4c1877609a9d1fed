public import Foundation

/// A damaged form of an encoded form, which is created on request.
public struct Damage<Form>: CustomStringConvertible {
    /// A description of the damage, such as “cut to 3 of 12 bytes”.
    public let description: String
    /// The kind of damage.
    public let kind: DamageKind
    /// Creates the damaged form.
    public let make: () -> Form

    init(_ kind: DamageKind, _ description: String, make: @escaping () -> Form) {
        self.kind = kind
        self.description = description
        self.make = make
    }
}

@available(*, unavailable)
extension Damage: Sendable {}

/// A kind of damage.
public enum DamageKind: Sendable {
    /// The end is missing, or everything is.
    case truncation
    /// A bit or a character is different.
    case flip
    /// There are several changes: parts that are repeated, removed, or replaced, and absurd lengths.
    case mutation
    /// A part is repeated excessively.
    case oversize
}

/// An encoded form that can be damaged.
public protocol Damageable {
    /// Returns damaged forms of this encoded form.
    ///
    /// The changes of a mutation can cancel each other out, so compare the forms first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of truncations and of flips. If there are more, a sample is returned.
    ///   - seed: The seed of the sample and the mutations. Equal seeds give equal forms.
    /// - Returns: The forms, each of which is created on request.
    func damages(limit: Int, seed: UInt64) -> [Damage<Self>]
}

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
private enum Oversize {
    /// It is large enough to reveal a quadratic algorithm or recursion, and small enough for a debug build.
    static let bytes = 1 << 18
    /// The number of initial bytes or characters that are also repeated individually, because one of them may open a
    /// level of nesting.
    static let starts = 4
}

extension String: Damageable {
    /// Returns truncations and replaced characters by Unicode scalar, mutations, and excessive repetitions.
    public func damages(limit: Int, seed: UInt64) -> [Damage<String>] {
        var generator = SeededGenerator(seed: seed)
        let scalars = Array(unicodeScalars)
        return Self.truncations(scalars, limit, &generator) + Self.flips(scalars, limit, &generator)
            + mutations(limit / 2, seed) + oversizes(scalars)
    }

    private static func truncations(
        _ scalars: [Unicode.Scalar],
        _ limit: Int,
        _ generator: inout SeededGenerator
    ) -> [Damage<String>] {
        generator.sample(below: scalars.count, atMost: limit)
            .map { length in
                Damage(.truncation, "cut to \(length) of \(scalars.count) characters") {
                    String(scalars: scalars.prefix(length))
                }
            }
    }

    private static func flips(
        _ scalars: [Unicode.Scalar],
        _ limit: Int,
        _ generator: inout SeededGenerator
    ) -> [Damage<String>] {
        generator.sample(below: scalars.count, atMost: limit)
            .map { index in
                let replacement = TextMutator.replacement(for: scalars[index], &generator)
                return Damage(.flip, "character \(index) replaced with \(replacement.debugDescription)") {
                    var scalars = scalars
                    scalars[index] = replacement
                    return String(scalars: scalars)
                }
            }
    }

    private func mutations(_ count: Int, _ seed: UInt64) -> [Damage<String>] {
        (0..<count)
            .map { index in
                let seed = seed &+ UInt64(index)
                return Damage(.mutation, "mutated by the seed \(seed)") {
                    var mutator = TextMutator(seed: seed)
                    return mutator.mutated(self)
                }
            }
    }

    private func oversizes(_ scalars: [Unicode.Scalar]) -> [Damage<String>] {
        let size = Oversize.bytes
        let repeated = Damage(.oversize, "repeated to \(size) bytes") {
            String(repeating: isEmpty ? " " : self, count: size / Swift.max(1, utf8.count))
        }
        let starts = Set(scalars.prefix(Oversize.starts)).sorted()
            .map { scalar in
                Damage(.oversize, "\(size) times the character \(scalar.debugDescription)") {
                    String(repeating: String(scalar), count: size)
                }
            }
        return [repeated] + starts
    }
}

extension String {
    init(scalars: some Sequence<Unicode.Scalar>) {
        self.init()
        unicodeScalars.append(contentsOf: scalars)
    }
}

extension FixedWidthInteger {
    /// Returns the number with each of its bits flipped.
    fileprivate func flips() -> [Damage<Self>] {
        (0..<Self.bitWidth)
            .map { bit in
                Damage(.flip, "bit \(bit) flipped") { self ^ (1 << Self(truncatingIfNeeded: bit)) }
            }
    }
}

extension Int: Damageable {
    /// Returns the number with each of its bits flipped.
    public func damages(limit: Int, seed: UInt64) -> [Damage<Int>] { flips() }
}

extension Int64: Damageable {
    /// Returns the number with each of its bits flipped.
    public func damages(limit: Int, seed: UInt64) -> [Damage<Int64>] { flips() }
}

extension Double: Damageable {
    /// Returns the number with each of its bits flipped.
    public func damages(limit: Int, seed: UInt64) -> [Damage<Double>] {
        bitPattern.flips()
            .map { damage in
                Damage(damage.kind, damage.description) { Double(bitPattern: damage.make()) }
            }
    }
}

extension Array: Damageable where Element == UInt8 {
    /// Returns the damaged forms of the same bytes as `Data`.
    public func damages(limit: Int, seed: UInt64) -> [Damage<[UInt8]>] {
        Data(self).damages(limit: limit, seed: seed)
            .map { damage in
                Damage<[UInt8]>(damage.kind, damage.description) { Array(damage.make()) }
            }
    }
}
