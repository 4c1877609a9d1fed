/// Builds the discussions that `--help` shows.
enum Help {
    private static let columns = 80

    /// Returns a paragraph followed by examples that begin with the program's name.
    ///
    /// - Parameters:
    ///   - paragraph: What the abstract does not say.
    ///   - examples: Command lines, without the program's name.
    /// - Returns: The text.
    static func lines(_ paragraph: String, examples: [String]) -> String {
        let program = Session.current.programName
        let lines = examples.map { broken("\(program) \($0)") }
        return ([paragraph, "", "Examples:"] + lines).joined(separator: "\n")
    }

    /// Breaks a command line at spaces outside quotes, so that it fits a terminal and can still be copied.
    private static func broken(_ line: String) -> String {
        var lines: [String] = []
        var current = " "
        for word in words(line) {
            if "\(current) \(word) \\".count >= columns {
                lines.append("\(current) \\")
                current = "     "
            }
            current += " \(word)"
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// Splits a command line into words, keeping quoted text together.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        for part in line.split(separator: " ") {
            if let last = words.last, !last.count(where: { $0 == "'" }).isMultiple(of: 2) {
                words[words.count - 1] = "\(last) \(part)"
            } else {
                words.append(String(part))
            }
        }
        return words
    }
}
