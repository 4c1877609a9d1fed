/// Finds hashes that may occur several times, in memory whose size does not depend on how many there are.
///
/// Each hash is a place in a list of bits. A hash whose place was taken may have occurred before, or another one has the
/// same place.
struct HashSieve {
    private static let leastBits = 1 << 6
    // 8 MB for each of two lists. At three million hashes, fewer than one in twenty share their place.
    private static let mostBits = 1 << 26

    private var taken: [UInt64]
    private var shared: [UInt64]
    private let mask: Int
    /// Whether any place is shared.
    private(set) var hasShared = false

    /// Creates a sieve.
    ///
    /// - Parameter bits: The number of places, which is rounded up to a power of two, up to 67 million.
    init(bits: Int64) {
        var count = Self.leastBits
        while count < Self.mostBits, Int64(count) < bits { count *= 2 }
        taken = Array(repeating: 0, count: count / UInt64.bitWidth)
        shared = taken
        mask = count - 1
    }

    /// Adds a hash.
    mutating func insert(_ hash: Int) {
        let (word, bit) = place(of: hash)
        guard taken[word] & bit != 0 else {
            taken[word] |= bit
            return
        }
        shared[word] |= bit
        hasShared = true
    }

    /// Returns whether a hash may have been added several times.
    func mayRepeat(_ hash: Int) -> Bool {
        let (word, bit) = place(of: hash)
        return shared[word] & bit != 0
    }

    private func place(of hash: Int) -> (word: Int, bit: UInt64) {
        let place = hash & mask
        return (place / UInt64.bitWidth, 1 << UInt64(place % UInt64.bitWidth))
    }
}
