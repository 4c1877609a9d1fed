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
