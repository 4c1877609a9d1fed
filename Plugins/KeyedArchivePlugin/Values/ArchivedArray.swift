/// An array of archived values.
public struct ArchivedArray: Sendable {
    let buffer: ValueBuffer

    /// Creates an array.
    ///
    /// - Parameter elements: The elements.
    public init(_ elements: some Sequence<ArchivedValue> = []) {
        let elements = Array(elements)
        buffer = elements.isEmpty ? .empty : ValueBuffer(elements)
    }
}

extension ArchivedArray: RandomAccessCollection {
    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position after the last element.
    public var endIndex: Int { buffer.values.count }

    /// Returns the element at a position.
    public subscript(position: Int) -> ArchivedValue { buffer.values[position] }
}

extension ArchivedArray: ExpressibleByArrayLiteral {
    /// Creates an array from a literal.
    public init(arrayLiteral elements: ArchivedValue...) {
        self.init(elements)
    }
}

extension ArchivedArray: Hashable {
    /// Returns whether two arrays have the same elements.
    public static func == (left: Self, right: Self) -> Bool {
        ArchivedValue.array(left) == .array(right)
    }

    /// Hashes the array in the same way as the corresponding value.
    public func hash(into hasher: inout Hasher) {
        ArchivedValue.array(self).hash(into: &hasher)
    }
}
