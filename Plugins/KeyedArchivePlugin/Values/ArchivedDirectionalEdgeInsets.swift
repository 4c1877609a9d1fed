internal import _PropertyLists

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
