/// Columns of text, each as wide as its widest cell.
package struct TextTable {
    private var rows: [[String]]

    package init(header: [String]) {
        rows = [header]
    }

    /// Adds a row, each of whose cells stays on its line.
    package mutating func append(_ row: [String]) {
        rows.append(row.map(\.onOneLine))
    }

    /// The lines, without trailing whitespace.
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

    /// The number of terminal columns that the text takes.
    ///
    /// East Asian wide characters and emoji take two.
    fileprivate var terminalWidth: Int {
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

extension String {
    /// The text with control characters escaped, except newlines and tabs, so that any terminal can show it.
    var escapingControls: String {
        escapingControls(except: ["\n", "\t"])
    }

    /// The text on one line, so that any terminal can show it.
    package var onOneLine: String {
        escapingControls(except: [])
    }

    /// The JSON text with control characters escaped, so that any terminal can show it.
    ///
    /// It represents the same value, because only its strings can contain such characters. Newlines and tabs between
    /// its parts stay as they are.
    var escapingControlsOfJSON: String {
        escapingControls(except: ["\n", "\t", "\r"], as: { $0.jsonEscape })
    }

    private func escapingControls(
        except allowed: Set<UnicodeScalar>,
        as escape: (UnicodeScalar) -> String = { $0.escape }
    ) -> String {
        guard unicodeScalars.contains(where: { $0.isUnfit && !allowed.contains($0) }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isUnfit, !allowed.contains(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension UnicodeScalar {
    /// Whether the character controls the terminal or changes the text direction.
    fileprivate var isUnfit: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }

    fileprivate var escape: String {
        switch self {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }

    /// The escape sequence of JSON, for which all of these characters are small enough.
    fileprivate var jsonEscape: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension [String] {
    /// Parses names separated by commas, such as “name, age”.
    ///
    /// Spaces around the names are ignored.
    init(names text: String) {
        self = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { part in
                String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
    }

    /// The first element that already appeared earlier.
    var firstRepeated: String? {
        var seen: Set<String> = []
        return first { !seen.insert($0).inserted }
    }
}
