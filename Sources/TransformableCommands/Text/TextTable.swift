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
