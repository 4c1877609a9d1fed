/// A numbered table of strings in a single buffer, in which each string occurs once.
struct UniqueTexts {
    private struct Entry {
        let start: Int
        let count: UInt32
        let hash: UInt32
    }

    /// A random seed, so that nobody can choose strings that collide.
    private static let seed = UInt64.random(in: .min ... .max)

    private(set) var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// An open hash table of text numbers plus one, where 0 is a free slot.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    var count: Int { entries.count }

    /// Returns the range of a string's bytes.
    func range(of number: UInt32) -> Range<Int> {
        let entry = entries[Int(number)]
        return entry.start..<entry.start + Int(entry.count)
    }

    /// Returns the bytes.
    ///
    /// No text can be added afterward.
    mutating func takeBytes() -> [UInt8] {
        let taken = bytes
        bytes = []
        return taken
    }

    /// Adds bytes that are not a string, and returns the index of the first.
    mutating func appendBytes(_ data: some Sequence<UInt8>) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: data)
        return start
    }

    /// Returns the number of a string.
    mutating func intern(_ text: String) -> UInt32 {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        let count = bytes.count - start
        let hash = hash(start, count)
        var slot = home(of: hash)
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.hash == hash, entry.count == UInt32(count), areEqual(entry.start, start, count) {
                bytes.removeLast(count)
                return slots[slot] - 1
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        entries.append(Entry(start: start, count: UInt32(count), hash: hash))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return UInt32(entries.count - 1)
    }

    private func areEqual(_ left: Int, _ right: Int, _ count: Int) -> Bool {
        for index in 0..<count where bytes[left + index] != bytes[right + index] {
            return false
        }
        return true
    }

    /// Hashes eight bytes at a time, by folding the halves of a multiplication.
    private func hash(_ start: Int, _ count: Int) -> UInt32 {
        var state = Self.seed ^ UInt64(count)
        var index = start
        while index < start + count {
            var word: UInt64 = 0
            for byte in bytes[index..<min(index + 8, start + count)] {
                word = word << 8 | UInt64(byte)
            }
            let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ (Self.seed | 1))
            state = product.high ^ product.low
            index += 8
        }
        return UInt32(truncatingIfNeeded: state ^ state >> 32)
    }

    /// Returns the slot at which a search starts.
    private func home(of hash: UInt32) -> Int {
        Int(hash) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (number, entry) in entries.enumerated() {
            var slot = home(of: entry.hash)
            while slots[slot] != 0 {
                slot = (slot + 1) & (slots.count - 1)
            }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// Returns the positions of strings in the order of their bytes.
    ///
    /// If strings are equal, only the last one is included.
    func order(of numbers: [UInt32], in bytes: [UInt8]) -> [Int] {
        // Later positions are greater, so that the order is total.
        let order = numbers.indices.sorted { left, right in
            let order = compare(numbers[left], numbers[right], in: bytes)
            return order < 0 || (order == 0 && left < right)
        }
        return order.indices
            .filter { $0 + 1 == order.count || compare(numbers[order[$0]], numbers[order[$0 + 1]], in: bytes) != 0 }
            .map { order[$0] }
    }

    private func compare(_ left: UInt32, _ right: UInt32, in bytes: [UInt8]) -> Int {
        guard left != right else { return 0 }
        let left = entries[Int(left)]
        let right = entries[Int(right)]
        for index in 0..<Int(min(left.count, right.count)) {
            let (first, second) = (bytes[left.start + index], bytes[right.start + index])
            if first != second { return first < second ? -1 : 1 }
        }
        return Order.of(left.count, right.count)
    }
}
