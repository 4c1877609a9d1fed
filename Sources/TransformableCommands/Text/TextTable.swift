/// Columns of text, each as wide as its widest cell.
package struct TextTable {
    private var rows: [[String]]

    package init(header: [String]) {
        rows = [header]
    }

    package mutating func append(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, without trailing white space.
    package var lines: [String] {
        let widths = Self.widths(of: rows)
        return rows.map { Self.line($0, widths) }
    }

    /// Returns the width of each column.
    static func widths(of rows: [[String]]) -> [Int] {
        rows.reduce(into: [Int]()) { widths, row in
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.terminalWidth)
            }
        }
    }

    /// Returns one row, with its cells padded to the widths of the columns.
    static func line(_ row: [String], _ widths: [Int]) -> String {
        zip(row, widths)
            .map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.terminalWidth)) }
            .joined(separator: "  ")
            .trimmingEnd()
    }
}

extension String {
    fileprivate func trimmingEnd() -> String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}

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
