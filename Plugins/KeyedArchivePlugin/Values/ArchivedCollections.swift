internal import _PropertyLists

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

/// A set that counts how often it contains each member, in the canonical order of its members.
public struct ArchivedCountedSet: Sendable {
    /// A member and its count.
    public struct Member: Sendable {
        /// The member.
        public let value: ArchivedValue
        /// The number of times that the set contains the member.
        public let count: Int

        /// Creates a member.
        public init(_ value: ArchivedValue, count: Int) {
            self.value = value
            self.count = count
        }
    }

    private let buffer: ValueBuffer
    private let counts: [Int]

    /// Creates a set from members in any order.
    ///
    /// - Parameter members: The members. If members are equal, the count of the last one is used. Members with a count
    ///   below one are ignored.
    public init(_ members: some Sequence<Member> = []) {
        var unique: [Member] = []
        // Later positions are greater, so that the last of several equal members is at the end of its run.
        let sorted = Array(members).enumerated()
            .sorted { left, right in
                left.element.value == right.element.value
                    ? left.offset < right.offset : left.element.value < right.element.value
            }
        for (_, member) in sorted {
            if unique.last?.value == member.value { unique.removeLast() }
            unique.append(member)
        }
        unique.removeAll { $0.count < 1 }
        buffer = ValueBuffer(unique.map(\.value))
        counts = unique.map(\.count)
    }
}

extension ArchivedCountedSet: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { counts.count }

    /// Returns the member at a position in canonical order.
    public subscript(position: Int) -> Member { Member(buffer.values[position], count: counts[position]) }
}

extension ArchivedCountedSet: ArchivedCompound {
    static let tag = "$countedSet"
    var nested: ValueBuffer? { buffer }

    init?(_ instance: ArchivedInstance) {
        let fields = instance.count - 1
        guard let count = instance.integer("NS.count"), fields.isMultiple(of: 2), fields / 2 == count else {
            return nil
        }
        var members: [Member] = []
        for number in 0..<count {
            guard let value = instance["NS.object\(number)"], let count = instance.integer("NS.count\(number)"),
                count > 0
            else { return nil }
            members.append(Member(value, count: count))
        }
        self.init(members)
        guard self.count == count else { return nil }
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [("NS.count", .integer(count))]
        for (number, member) in enumerated() {
            fields.append(("NS.object\(number)", .object(member.value)))
            fields.append(("NS.count\(number)", .integer(member.count)))
        }
        return ArchivedInstance(.known(.countedSet), fields: fields)
    }

    /// Pairs of a member and its count.
    var plain: ArchivedValue {
        .array(ArchivedArray(map { [$0.value, .integer(Int128($0.count))] }))
    }

    init?(plain: ArchivedValue) {
        guard let pairs = plain.array else { return nil }
        var members: [Member] = []
        for pair in pairs {
            guard let pair = pair.array, pair.count == 2, let count = pair[1].int, count > 0 else { return nil }
            members.append(Member(pair[0], count: count))
        }
        self.init(members)
        guard count == pairs.count else { return nil }
    }
}
