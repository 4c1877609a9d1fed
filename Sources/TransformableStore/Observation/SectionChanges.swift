/// Where an object is in a ``SectionList``.
public struct SectionPosition: Sendable, Hashable, Comparable {
    /// Which section, from 0.
    public let section: Int
    /// Which object of the section, from 0.
    public let item: Int

    /// Names a position.
    ///
    /// - Parameters:
    ///   - section: Which section, from 0.
    ///   - item: Which object of the section, from 0.
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// Whether a position comes first.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

/// What makes one ``SectionList`` of another.
///
/// The steps are as few as can be. To follow them in a copy of the old list:
///
/// 1. take out the objects that were deleted or moved, by their old positions, the last one first;
/// 2. take out the deleted sections, which are empty now, by their old numbers, the last one first;
/// 3. put in the inserted sections, empty, by their new numbers, the first one first;
/// 4. put in the objects that were inserted or moved, by their new positions, the first one first.
///
/// Sections do not move: one that has changed its place among the others is deleted and inserted, and its objects move.
/// An object moves if it is in another section, or if others of its section now come before it that came after it; that
/// those before it are more or fewer is no move.
public struct SectionChanges: Sendable, Hashable {
    /// An object that has come or gone.
    public struct Object: Sendable, Hashable {
        /// Which object.
        public let id: ObjectID
        /// Where it is, or was.
        public let position: SectionPosition
    }

    /// An object that is in both lists.
    public struct Move: Sendable, Hashable {
        /// Which object.
        public let id: ObjectID
        /// Where it was.
        public let from: SectionPosition
        /// Where it is.
        public let to: SectionPosition
    }

    /// The old numbers of the sections that are gone, in their order.
    public internal(set) var deletedSections: [Int] = []
    /// The new numbers of the sections that have come, in their order.
    public internal(set) var insertedSections: [Int] = []
    /// The objects that are gone, with their old positions, in their order.
    public internal(set) var deleted: [Object] = []
    /// The objects that have come, with their new positions, in their order.
    public internal(set) var inserted: [Object] = []
    /// The objects that have moved, whether changed or not, in the order of their new positions.
    public internal(set) var moved: [Move] = []
    /// The objects of which something was changed and that have not moved, in the order of their new positions.
    public internal(set) var updated: [Move] = []

    init() {}

    /// Whether both lists are the same and no object of them was changed.
    public var isEmpty: Bool { self == Self() }
}
