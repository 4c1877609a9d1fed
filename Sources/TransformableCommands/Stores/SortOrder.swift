internal import TransformableStore

extension SortKey {
    /// Reads “admitted desc, name”.
    ///
    /// - Parameter text: Names, each with `asc` or `desc` if wanted.
    /// - Returns: The keys, the most important one first.
    /// - Throws: ``CommandError/Code/usage``.
    static func list(_ text: String) throws(CommandError) -> [Self] {
        try text.split(separator: ",", omittingEmptySubsequences: false)
            .map { part throws(CommandError) in
                let words = part.split(separator: " ")
                switch (words.count, words.last?.lowercased()) {
                case (1, _), (2, "asc"): return .ascending(String(words[0]))
                case (2, "desc"): return .descending(String(words[0]))
                default: throw CommandError(.usage, "“\(part)” is not a name to sort by, with “asc” or “desc” after it")
                }
            }
    }
}
