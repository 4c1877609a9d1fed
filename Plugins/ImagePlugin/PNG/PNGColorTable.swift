internal import TransformableImages

/// The colors of a palette in order of appearance: a hash table of fixed size, because every pixel is looked up.
struct PNGColorTable {
    /// The colors in the order in which they were inserted.
    private(set) var all: [WidePixel] = []
    /// For each slot, the index of a color plus 1, or 0.
    private var slots = [UInt16](repeating: 0, count: Self.slotCount)
    /// An odd random number, so that nobody can choose colors whose slots are all the same (multiply-shift hashing).
    private let multiplier = UInt64.random(in: 0...UInt64.max) | 1

    private static let slotBits = 10
    private static let slotCount = 1 << slotBits
    /// The most entries that a palette can have (PNG, section 11.2.2).
    private static let capacity = 256

    /// The number of colors.
    var count: Int { all.count }

    /// Adds a color unless it is in the table, and returns whether there was room for it.
    mutating func insert(_ color: WidePixel) -> Bool {
        let slot = slot(of: color)
        if slots[slot] != 0 { return true }
        guard all.count < Self.capacity else { return false }
        all.append(color)
        slots[slot] = UInt16(all.count)
        return true
    }

    /// Returns the index of a color in ``all``.
    func index(of color: WidePixel) -> Int? {
        let number = slots[slot(of: color)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Returns the slot of a color, or the free one for it.
    ///
    /// Most slots are free, so the search ends.
    private func slot(of color: WidePixel) -> Int {
        var slot = Int((color.bits &* multiplier) >> UInt64(64 - Self.slotBits))
        while slots[slot] != 0, all[Int(slots[slot]) - 1].bits != color.bits {
            slot = (slot + 1) % Self.slotCount
        }
        return slot
    }
}
