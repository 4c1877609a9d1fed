/// Texts for `--help`.
enum Help {
    private static let columns = 80

    /// A paragraph, and examples that begin with the program's name.
    ///
    /// - Parameters:
    ///   - paragraph: What the verb's abstract does not say.
    ///   - examples: Command lines, without the program's name.
    /// - Returns: The text.
    static func lines(_ paragraph: String, examples: [String]) -> String {
        let program = Session.current.programName
        let lines = examples.map { broken("\(program) \($0)") }
        return ([paragraph, "", "Examples:"] + lines).joined(separator: "\n")
    }

    /// A command line that fits a terminal and can be copied: nothing breaks it again, perhaps within quotes.
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

    /// The words of a command line; a space in quotes ends none.
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
