/// The position of an object in a ``SectionList``.
public struct SectionPosition: Sendable, Hashable, Comparable {
    /// The index of the section.
    public let section: Int
    /// The index of the object in its section.
    public let item: Int

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - section: The index of the section.
    ///   - item: The index of the object in its section.
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// Returns a Boolean value that indicates whether a position comes before another.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

/// The changes that turn one ``SectionList`` into another.
///
/// There are as few changes as possible. To apply them to a copy of the old list:
///
/// 1. Remove the objects that were deleted or moved, by their old positions, in reverse order.
/// 2. Remove the deleted sections, which are now empty, by their old indexes, in reverse order.
/// 3. Insert the new sections, empty, by their new indexes, in order.
/// 4. Insert the objects that were inserted or moved, by their new positions, in order.
///
/// Sections never move. A section whose place among the others has changed is deleted and inserted, and its objects
/// move. An object moves if it is in a different section, or if its order relative to other objects of its section has
/// changed. A change in the number of objects before it is not a move.
public struct SectionChanges: Sendable, Hashable {
    /// An object that was inserted or deleted.
    public struct Object: Sendable, Hashable {
        /// The object's id.
        public let id: ObjectID
        /// The object's new or former position.
        public let position: SectionPosition
    }

    /// An object that is in both lists.
    public struct Move: Sendable, Hashable {
        /// The object's id.
        public let id: ObjectID
        /// The old position.
        public let from: SectionPosition
        /// The new position.
        public let to: SectionPosition
    }

    /// The old indexes of the deleted sections, in order.
    public internal(set) var deletedSections: [Int] = []
    /// The new indexes of the inserted sections, in order.
    public internal(set) var insertedSections: [Int] = []
    /// The deleted objects with their old positions, in order.
    public internal(set) var deleted: [Object] = []
    /// The inserted objects with their new positions, in order.
    public internal(set) var inserted: [Object] = []
    /// The objects that have moved, regardless of whether they were changed, in the order of their new positions.
    public internal(set) var moved: [Move] = []
    /// The objects that were changed and have not moved, in the order of their new positions.
    public internal(set) var updated: [Move] = []

    init() {}

    /// Whether both lists are the same and none of their objects was changed.
    public var isEmpty: Bool { self == Self() }
}
