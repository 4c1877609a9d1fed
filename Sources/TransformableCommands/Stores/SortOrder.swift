internal import TransformableStore

extension SortKey {
    /// Parses sort keys such as “admitted desc, name”.
    ///
    /// - Parameter text: Names separated by commas, each optionally followed by `asc` or `desc`.
    /// - Returns: The sort keys, the most significant one first.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the text is malformed.
    static func list(_ text: String) throws(CommandError) -> [Self] {
        try text.split(separator: ",", omittingEmptySubsequences: false)
            .map { part throws(CommandError) in
                let words = part.split(separator: " ")
                switch (words.count, words.last?.lowercased()) {
                case (1, _), (2, "asc"): return .ascending(String(words[0]))
                case (2, "desc"): return .descending(String(words[0]))
                default:
                    throw CommandError(
                        .usage,
                        "“\(part)” is not a valid sort key; write a name, optionally followed by “asc” or “desc”"
                    )
                }
            }
    }
}
