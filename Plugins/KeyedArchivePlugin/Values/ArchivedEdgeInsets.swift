/// Distances from the four edges of a rectangle, in points.
public struct ArchivedEdgeInsets: Sendable {
    /// From the top edge.
    public var top: Double
    /// From the left edge.
    public var left: Double
    /// From the bottom edge.
    public var bottom: Double
    /// From the right edge.
    public var right: Double
    /// Whether they are `UIEdgeInsets`, and not `NSEdgeInsets`.
    public var isUIKit: Bool

    /// Makes insets.
    public init(top: Double, left: Double, bottom: Double, right: Double, isUIKit: Bool = false) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.isUIKit = isUIKit
    }
}
