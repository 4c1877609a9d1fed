/// Finds the place of a name.
///
/// Among few names comparing one after the other is quicker than hashing: texts of up to 15 bytes are two words.
struct NameTable: Sendable {
    private static let few = 12
    private let names: [String]
    private let places: [String: Int]

    /// Takes names, of which the first counts where one occurs twice.
    init(_ names: [String]) {
        self.names = names
        places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The place of a name; nil if it is none of them.
    subscript(name: String) -> Int? {
        names.count <= Self.few ? names.firstIndex(of: name) : places[name]
    }
}
