/// An attribute or projection to sort by, and the direction.
public struct SortKey: Sendable, Hashable {
    /// The name of the attribute or projection, or a path through to-one relationships.
    public let name: String
    /// Whether the largest value comes first.
    public let isDescending: Bool

    package init(name: String, isDescending: Bool) {
        self.name = name
        self.isDescending = isDescending
    }

    /// Creates a key that sorts in ascending order.
    ///
    /// Objects without a value come first.
    ///
    /// - Parameter name: The name of the attribute or projection, or a path such as `owner.name`.
    /// - Returns: The key.
    public static func ascending(_ name: String) -> Self {
        Self(name: name, isDescending: false)
    }

    /// Creates a key that sorts in descending order.
    ///
    /// Objects without a value come last.
    ///
    /// - Parameter name: The name of the attribute or projection, or a path such as `owner.name`.
    /// - Returns: The key.
    public static func descending(_ name: String) -> Self {
        Self(name: name, isDescending: true)
    }
}
