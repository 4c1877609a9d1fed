internal import _PropertyLists

/// A distance in two directions, as UIKit's `UIOffset` inside `NSValue` keeps it.
public struct ArchivedOffset: Sendable, Hashable {
    /// To the right.
    public var horizontal: Double
    /// Downwards.
    public var vertical: Double

    /// Makes an offset.
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
