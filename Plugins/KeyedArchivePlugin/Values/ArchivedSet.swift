/// A set of archived values, in their canonical order.
///
/// Equal sets have their members in the same order. A lookup takes logarithmic time.
public struct ArchivedSet: Sendable {
    let buffer: ValueBuffer

    /// Creates a set from members in any order.
    ///
    /// - Parameter members: The members. Duplicates are ignored.
    public init(_ members: some Sequence<ArchivedValue> = []) {
        let members = Array(members)
        if members.isStrictlySorted {
            buffer = ValueBuffer(members)
            return
        }
        var unique: [ArchivedValue] = []
        for member in members.sorted() where unique.last != member {
            unique.append(member)
        }
        buffer = ValueBuffer(unique)
    }

    /// Returns whether a value is a member.
    ///
    /// - Parameter member: The value.
    /// - Returns: Whether the set contains the value.
    public func contains(_ member: ArchivedValue) -> Bool {
        let position = firstPosition { buffer.values[$0] < member }
        return position < count && buffer.values[position] == member
    }
}

extension ArchivedSet: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { buffer.values.count }

    /// Returns the member at a position in canonical order.
    public subscript(position: Int) -> ArchivedValue { buffer.values[position] }
}

extension ArchivedSet: ExpressibleByArrayLiteral {
    /// Creates a set from a literal.
    ///
    /// Duplicates are ignored.
    public init(arrayLiteral elements: ArchivedValue...) {
        self.init(elements)
    }
}

extension [ArchivedValue] {
    /// Whether each element precedes the next one.
    var isStrictlySorted: Bool {
        indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first position in a sorted collection that does not precede the requested element, or the end.
    func firstPosition(isBefore: (Int) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
