/// A set of values of any archived kind, in their canonical order.
///
/// Equal sets have their members in the same order. A lookup takes logarithmic time.
public struct ArchivedSet: Sendable {
    let buffer: ValueBuffer

    /// Makes a set of members in any order.
    ///
    /// - Parameter members: The members; equal ones count once.
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

    /// Whether a value is a member.
    ///
    /// - Parameter member: The value.
    /// - Returns: Whether it is in the set.
    public func contains(_ member: ArchivedValue) -> Bool {
        let position = firstPosition { buffer.values[$0] < member }
        return position < count && buffer.values[position] == member
    }
}

extension ArchivedSet: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position behind the last member.
    public var endIndex: Int { buffer.values.count }

    /// Gives the member at a position in canonical order.
    public subscript(position: Int) -> ArchivedValue { buffer.values[position] }
}

extension ArchivedSet: ExpressibleByArrayLiteral {
    /// Makes a set of a literal; equal members count once.
    public init(arrayLiteral elements: ArchivedValue...) {
        self.init(elements)
    }
}

extension [ArchivedValue] {
    /// Whether each element comes before the next one.
    var isStrictlySorted: Bool {
        indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position that is not before what is sought, or the end; the collection is sorted.
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
