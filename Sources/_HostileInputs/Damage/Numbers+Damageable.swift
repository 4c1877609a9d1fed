internal import Foundation

extension FixedWidthInteger {
    /// Returns the number with each of its bits flipped.
    func flips() -> [Damage<Self>] {
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
