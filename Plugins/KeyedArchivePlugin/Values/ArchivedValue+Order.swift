internal import Foundation

extension ArchivedValue: Comparable {
    /// Returns whether the first value precedes the second one in the canonical order.
    ///
    /// Kinds are ordered by declaration, strings by their UTF-8 bytes, and numbers by value.
    public static func < (left: Self, right: Self) -> Bool {
        left.compare(with: right) < 0
    }

    /// Returns whether two values are the same, in kind and in every bit.
    public static func == (left: Self, right: Self) -> Bool {
        left.compare(with: right) == 0
    }

    /// Returns a negative number if this value comes first, a positive number if it comes second, or zero if they are
    /// the same.
    ///
    /// Containers are compared with a separate stack instead of recursion.
    private func compare(with other: Self) -> Int {
        let order = compareHeads(with: other)
        guard order == 0, let left = content, let right = other.content, left !== right else { return order }
        var frames = [(left: left, right: right, next: 0)]
        while let (left, right, next) = frames.last {
            guard next < min(left.values.count, right.values.count) else {
                guard left.values.count == right.values.count else {
                    return Order.of(left.values.count, right.values.count)
                }
                frames.removeLast()
                continue
            }
            frames[frames.count - 1].next += 1
            let order = left.values[next].compareHeads(with: right.values[next])
            guard order == 0 else { return order }
            if let left = left.values[next].content, let right = right.values[next].content, left !== right {
                frames.append((left, right, 0))
            }
        }
        return 0
    }

    /// Compares values without their nested values.
    private func compareHeads(with other: Self) -> Int {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.compareBytes(with: right)
        case (.boolean(let left), .boolean(let right)): Order.of(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): Order.of(left, right)
        case (.real(let left), .real(let right)): Order.of(left, right)
        case (.data(let left), .data(let right)): Order.of(left, right)
        case (.date(let left), .date(let right)):
            Order.of(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (.uuid(let left), .uuid(let right)): Order.of(left, right)
        case (.url(let left), .url(let right)):
            Order.of([left.relativeString] + left.bases, [right.relativeString] + right.bases) {
                $0.compareBytes(with: $1)
            }
        case (.decimal(let left), .decimal(let right)): left.compareArchived(with: right)
        case (.locale(let left), .locale(let right)): left.identifier.compareBytes(with: right.identifier)
        case (.object(let left), .object(let right)): left.compareHead(with: right)
        default: compareNumbers(with: other)
        }
    }

    private func compareNumbers(with other: Self) -> Int {
        let byRank = Order.of(rank, other.rank)
        return byRank != 0 ? byRank : Order.of(numbers, other.numbers) { Order.of($0, $1) }
    }

    /// The buffer of values by which containers are compared.
    private var content: ValueBuffer? {
        switch self {
        case .array, .orderedSet, .set, .dictionary, .object: nested
        // Time zones with and without rules have plain forms of different kinds.
        default: compound.map { ValueBuffer([$0.plain]) }
        }
    }

    /// The numbers of a geometric value.
    private var numbers: [Double] {
        switch self {
        case .point(let point): [point.x, point.y].map(Double.init)
        case .size(let size): [size.width, size.height].map(Double.init)
        case .rect(let rect): [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height].map(Double.init)
        case .edgeInsets(let insets): [insets.isUIKit ? 1 : 0, insets.top, insets.left, insets.bottom, insets.right]
        case .transform(let transform): transform.numbers
        // Uses bit patterns, because not all 64-bit integers can be represented as doubles.
        case .range(let range):
            [range.location, range.length].map { Double(bitPattern: UInt64(bitPattern: Int64($0))) }
        default: []
        }
    }

    /// The position of the kind in the canonical order.
    private var rank: Int {
        switch self {
        case .null: 0
        case .boolean: 1
        case .integer: 2
        case .real: 3
        case .string: 4
        case .data: 5
        case .date: 6
        case .uuid: 7
        case .url: 8
        case .decimal: 9
        case .array: 10
        case .dictionary: 11
        case .set: 12
        case .countedSet: 13
        case .orderedSet: 14
        case .point: 15
        case .size: 16
        case .rect: 17
        case .range: 18
        case .edgeInsets: 19
        case .transform: 20
        case .offset: 21
        case .directionalEdgeInsets: 22
        case .affineTransform: 23
        case .indexSet: 24
        case .indexPath: 25
        case .locale: 26
        case .timeZone: 27
        case .calendar: 28
        case .dateComponents: 29
        case .attributedString: 30
        case .error: 31
        case .notification: 32
        case .color: 33
        case .object: 34
        }
    }
}

extension ArchivedValue: Hashable {
    /// The maximum number of a container's values to hash.
    private static let fewValues = 8

    /// Hashes the kind, the value of a scalar, and the first scalars of a container.
    public func hash(into hasher: inout Hasher) {
        hashHead(into: &hasher)
        guard let content else { return }
        hasher.combine(content.values.count)
        for value in content.values.prefix(Self.fewValues) {
            value.hashHead(into: &hasher)
        }
    }

    private func hashHead(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value.timeIntervalSinceReferenceDate.bitPattern)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value.relativeString)
        case .decimal(let value): hasher.combine(value.isNaN)
        case .object(let value): hasher.combine(value.archivedClass)
        default: hasher.combine(numbers.map(\.bitPattern))
        }
    }
}

/// Comparisons that return a negative number, zero, or a positive number.
enum Order {
    static func of<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    /// Compares numbers in IEEE 754's total order: minus zero precedes zero, and NaNs are ordered by their bits.
    static func of(_ left: Double, _ right: Double) -> Int {
        func key(_ number: Double) -> Int64 {
            let bits = Int64(bitPattern: number.bitPattern)
            return bits < 0 ? bits ^ Int64.max : bits
        }
        return of(key(left), key(right))
    }

    static func of(_ left: Data, _ right: Data) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// Compares elements in order.
    ///
    /// A prefix precedes the longer sequence.
    static func of<Elements: Sequence>(
        _ left: Elements,
        _ right: Elements,
        by compare: (Elements.Element, Elements.Element) -> Int
    ) -> Int {
        var others = right.makeIterator()
        for element in left {
            guard let other = others.next() else { return 1 }
            if let order = first(compare(element, other)) { return order }
        }
        return others.next() == nil ? 0 : -1
    }

    /// Returns nil for equality, in which case the next criterion decides.
    static func first(_ order: Int) -> Int? {
        order == 0 ? nil : order
    }
}

extension String {
    /// Compares UTF-8 bytes, which gives the order of code points.
    func compareBytes(with other: String) -> Int {
        let order = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index] ? -1 : 1
                }
                return Order.of(left.count, right.count)
            }
        }
        if let order = order ?? nil { return order }
        return isIdentical(to: other) ? 0 : precedes(other) ? -1 : 1
    }

    /// Returns whether two strings have the same bytes.
    package func isIdentical(to other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    package func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Decimal {
    /// Compares numbers by value.
    ///
    /// NaN comes last.
    fileprivate func compareArchived(with other: Decimal) -> Int {
        guard !isNaN, !other.isNaN else { return Order.of(isNaN ? 1 : 0, other.isNaN ? 1 : 0) }
        return Order.of(self, other)
    }
}

extension ArchivedInstance {
    /// Compares the classes, and the names and kinds of the fields.
    fileprivate func compareHead(with other: Self) -> Int {
        let byClass = Order.of(archivedClass.names, other.archivedClass.names) { left, right in
            Order.of(left, right) { $0.compareBytes(with: $1) }
        }
        return Order.first(byClass)
            ?? Order.of(slots, other.slots) { left, right in
                Order.first(left.name.compareBytes(with: right.name)) ?? left.role.compare(with: right.role)
            }
    }
}

extension ArchivedClass {
    /// The names to compare.
    fileprivate var names: [[String]] { [[name], chain, fallbacks] }
}

extension ArchivedInstance.Role {
    fileprivate func compare(with other: Self) -> Int {
        guard case .list(let left) = self, case .list(let right) = other else { return Order.of(rank, other.rank) }
        return Order.of(left, right) { Order.of($0 ? 1 : 0, $1 ? 1 : 0) }
    }

    private var rank: Int {
        switch self {
        case .none: 0
        case .object: 1
        case .inline: 2
        case .list: 3
        }
    }
}
