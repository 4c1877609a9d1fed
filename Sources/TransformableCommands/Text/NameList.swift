extension [String] {
    /// Reads “name, age”: names with commas between them, and spaces that do not matter.
    init(names text: String) {
        self = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { part in
                String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
    }

    /// The first one that is there before.
    var firstRepeated: String? {
        var seen: Set<String> = []
        return first { !seen.insert($0).inserted }
    }
}
