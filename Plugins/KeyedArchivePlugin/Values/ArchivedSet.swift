/// A set of values of any archived kind, in their canonical order.
///
/// Equal sets have their members in the same order. A lookup takes logarithmic time.
public struct ArchivedSet: Sendable {
    private let members: [ArchivedValue]

    /// Makes a set of members in any order.
    ///
    /// - Parameter members: The members; equal ones count once.
    public init(_ members: some Sequence<ArchivedValue> = []) {
        let members = Array(members)
        if ArchivedValue.isStrictlySorted(members, by: \.self) {
            self.members = members
            return
        }
        var unique: [ArchivedValue] = []
        for member in members.sorted() where unique.last != member {
            unique.append(member)
        }
        self.members = unique
    }

    /// Whether a value is a member.
    ///
    /// - Parameter member: The value.
    /// - Returns: Whether it is in the set.
    public func contains(_ member: ArchivedValue) -> Bool {
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            if members[middle] < member {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < members.count && members[low] == member
    }
}

extension ArchivedSet: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { members.startIndex }
    /// The position behind the last member.
    public var endIndex: Int { members.endIndex }

    /// Gives the member at a position in canonical order.
    public subscript(position: Int) -> ArchivedValue { members[position] }
}

extension ArchivedSet: ExpressibleByArrayLiteral {
    /// Makes a set of a literal; equal members count once.
    public init(arrayLiteral elements: ArchivedValue...) {
        self.init(elements)
    }
}
