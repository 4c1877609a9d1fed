internal import _PropertyLists

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
