/// Texts for `--help`.
enum Help {
    /// A paragraph, and examples that begin with the program's name.
    ///
    /// - Parameters:
    ///   - paragraph: What the verb's abstract does not say.
    ///   - examples: Command lines, without the program's name.
    /// - Returns: The text.
    static func lines(_ paragraph: String, examples: [String]) -> String {
        let program = Session.current.programName
        let lines = examples.map { "  \(program) \($0)" }
        return ([paragraph, "", "Examples:"] + lines).joined(separator: "\n")
    }
}
