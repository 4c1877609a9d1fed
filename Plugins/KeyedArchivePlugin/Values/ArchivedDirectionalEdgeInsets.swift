internal import _PropertyLists

/// Distances from the edges of a rectangle where left and right depend on the direction of writing, as
/// `NSDirectionalEdgeInsets` inside `NSValue` keeps them.
public struct ArchivedDirectionalEdgeInsets: Sendable, Hashable {
    /// From the top edge.
    public var top: Double
    /// From the edge where lines begin.
    public var leading: Double
    /// From the bottom edge.
    public var bottom: Double
    /// From the edge where lines end.
    public var trailing: Double

    /// Makes insets.
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
