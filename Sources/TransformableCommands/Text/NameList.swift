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
