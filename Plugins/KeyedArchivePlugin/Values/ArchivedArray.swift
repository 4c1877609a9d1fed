/// An array of values of any archived kind.
public struct ArchivedArray: Sendable {
    let buffer: ValueBuffer

    /// Makes an array.
    ///
    /// - Parameter elements: The elements in their order.
    public init(_ elements: some Sequence<ArchivedValue> = []) {
        let elements = Array(elements)
        buffer = elements.isEmpty ? .empty : ValueBuffer(elements)
    }
}

extension ArchivedArray: RandomAccessCollection {
    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position behind the last element.
    public var endIndex: Int { buffer.values.count }

    /// Gives the element at a position.
    public subscript(position: Int) -> ArchivedValue { buffer.values[position] }
}

extension ArchivedArray: ExpressibleByArrayLiteral {
    /// Makes an array of a literal.
    public init(arrayLiteral elements: ArchivedValue...) {
        self.init(elements)
    }
}

extension ArchivedArray: Hashable {
    /// Whether two arrays have the same elements.
    public static func == (left: Self, right: Self) -> Bool {
        ArchivedValue.array(left) == .array(right)
    }

    /// Feeds what the array as a value feeds.
    public func hash(into hasher: inout Hasher) {
        ArchivedValue.array(self).hash(into: &hasher)
    }
}
