extension String {
    /// The number of terminal columns that the text takes.
    ///
    /// East Asian wide characters and emoji take two.
    var terminalWidth: Int {
        reduce(0) { $0 + ($1.isWide ? 2 : 1) }
    }
}

extension Character {
    /// The blocks of characters that are wide according to Unicode's East Asian Width property (annex 11).
    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    fileprivate var isWide: Bool {
        guard let value = unicodeScalars.first?.value, value >= 0x1100 else { return false }
        return Self.wideBlocks.contains { $0.contains(value) }
    }
}
