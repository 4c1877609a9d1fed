/// An attribute or projection to sort by, of the objects or of those that they lead to, and in which direction.
public struct SortKey: Sendable, Hashable {
    /// The attribute's or projection's name, or a path to one through relationships to one object.
    public let name: String
    /// Whether the largest value comes first.
    public let isDescending: Bool

    /// Sorts with the smallest value first, and no value before any.
    ///
    /// - Parameter name: The attribute's or projection's name; `owner.name` is that of the object it leads to.
    /// - Returns: The key.
    public static func ascending(_ name: String) -> Self {
        Self(name: name, isDescending: false)
    }

    /// Sorts with the largest value first, and no value last.
    ///
    /// - Parameter name: The attribute's or projection's name; `owner.name` is that of the object it leads to.
    /// - Returns: The key.
    public static func descending(_ name: String) -> Self {
        Self(name: name, isDescending: true)
    }
}
