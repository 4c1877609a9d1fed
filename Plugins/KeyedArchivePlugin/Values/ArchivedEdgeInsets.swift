/// Insets from the four edges of a rectangle, in points.
public struct ArchivedEdgeInsets: Sendable {
    /// The inset from the top edge.
    public var top: Double
    /// The inset from the left edge.
    public var left: Double
    /// The inset from the bottom edge.
    public var bottom: Double
    /// The inset from the right edge.
    public var right: Double
    /// Whether the insets are `UIEdgeInsets` instead of `NSEdgeInsets`.
    public var isUIKit: Bool

    /// Creates insets.
    public init(top: Double, left: Double, bottom: Double, right: Double, isUIKit: Bool = false) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.isUIKit = isUIKit
    }
}
