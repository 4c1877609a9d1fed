/// Finds the position of a name.
///
/// With few names, comparing one after the other is faster than hashing, because strings of up to 15 bytes are two
/// words.
struct NameTable: Sendable {
    private static let few = 12
    private let names: [String]
    private let places: [String: Int]

    /// Creates a table of names.
    ///
    /// If a name occurs twice, the first one counts.
    init(_ names: [String]) {
        self.names = names
        places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The position of a name, or `nil` if it is not in the table.
    subscript(name: String) -> Int? {
        names.count <= Self.few ? names.firstIndex(of: name) : places[name]
    }
}
