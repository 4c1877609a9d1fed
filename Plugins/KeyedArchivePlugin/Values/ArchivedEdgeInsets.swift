internal import _PropertyLists

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

/// Archived `NSDirectionalEdgeInsets` in an `NSValue`.
public struct ArchivedDirectionalEdgeInsets: Sendable, Hashable {
    /// The inset from the top edge.
    public var top: Double
    /// The inset from the leading edge.
    public var leading: Double
    /// The inset from the bottom edge.
    public var bottom: Double
    /// The inset from the trailing edge.
    public var trailing: Double

    /// Creates insets.
    public init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}

extension ArchivedDirectionalEdgeInsets: ArchivedStructure {
    static let tag = "$directionalEdgeInsets"
    static let kind = 14
    static let fields = [
        "NS.dirEdgeVal.top", "NS.dirEdgeVal.leading", "NS.dirEdgeVal.bottom", "NS.dirEdgeVal.trailing",
    ]

    var numbers: [Double] { [top, leading, bottom, trailing] }

    init(numbers: [Double]) {
        self.init(top: numbers[0], leading: numbers[1], bottom: numbers[2], trailing: numbers[3])
    }
}

/// An archived `UIOffset` in an `NSValue`.
public struct ArchivedOffset: Sendable, Hashable {
    /// The horizontal offset.
    public var horizontal: Double
    /// The vertical offset.
    public var vertical: Double

    /// Creates an offset.
    public init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}

extension ArchivedOffset: ArchivedStructure {
    static let tag = "$offset"
    static let kind = 13
    static let fields = ["NS.offset.h", "NS.offset.v"]

    var numbers: [Double] { [horizontal, vertical] }

    init(numbers: [Double]) {
        self.init(horizontal: numbers[0], vertical: numbers[1])
    }
}
