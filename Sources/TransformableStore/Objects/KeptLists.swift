/// The lists of an object's relationships that its context keeps.
struct KeptLists {
    // How often an object is looked up in a relationship before all of the relationship's objects are read.
    private static let fewLookups = 4

    // The lists at the positions of their relationships, or empty if there are none.
    private var lists: [RelatedList?] = []
    // The number of times that an object was looked up in a relationship without a list.
    private var lookups = 0

    var isEmpty: Bool { lists.isEmpty }

    /// The list of the relationship at a position, if it is kept.
    subscript(index: Int) -> RelatedList? { lists.isEmpty ? nil : lists[index] }

    /// Keeps a list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - index: The position of its relationship.
    ///   - count: The number of relationships of the entity.
    mutating func keep(_ list: RelatedList, at index: Int, of count: Int) {
        if lists.isEmpty { lists = Array(repeating: nil, count: count) }
        lists[index] = list
    }

    mutating func forget(_ index: Int) {
        if !lists.isEmpty { lists[index] = nil }
    }

    /// Removes all lists and returns them.
    ///
    /// Code of a program's own classes may run when the caller releases them.
    mutating func removeAll() -> [RelatedList?] {
        defer { lists = [] }
        return lists
    }

    /// Records that an object is looked up, and returns whether that happens so often that all objects should be read.
    mutating func countLookup() -> Bool {
        lookups += 1
        guard lookups > Self.fewLookups else { return false }
        lookups = 0
        return true
    }
}
