/// Columns of text, each as wide as its widest cell.
struct TextTable {
    private var rows: [[String]]

    init(header: [String]) {
        rows = [header]
    }

    mutating func append(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, without white space at their ends.
    var lines: [String] {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { row in
            zip(row, widths)
                .map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ")
                .trimmingEnd()
        }
    }
}

extension String {
    fileprivate func trimmingEnd() -> String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
