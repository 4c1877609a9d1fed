internal import Foundation

extension ArchivedValue: Comparable {
    /// Whether the first value comes before the second in the canonical order, which archives keep.
    ///
    /// Kinds come in the order of their declaration, strings in that of their UTF-8, numbers in that of
    /// their values.
    public static func < (left: Self, right: Self) -> Bool {
        left.compare(with: right) < 0
    }

    /// Whether two values are the same, kind by kind, byte by byte, bit by bit.
    public static func == (left: Self, right: Self) -> Bool {
        left.compare(with: right) == 0
    }

    /// Whether each element's key comes before the next one's.
    static func isStrictlySorted<Element>(_ elements: [Element], by key: (Element) -> Self) -> Bool {
        for index in elements.indices.dropFirst() where !(key(elements[index - 1]) < key(elements[index])) {
            return false
        }
        return true
    }

    /// Negative if this value comes first, positive if it comes second, zero if both are the same.
    private func compare(with other: Self) -> Int {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.compareBytes(with: right)
        case (.null, .null): 0
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
        case (.array(let left), .array(let right)), (.orderedSet(let left), .orderedSet(let right)):
            Order.of(left, right) { $0.compare(with: $1) }
        case (.set(let left), .set(let right)): Order.of(left, right) { $0.compare(with: $1) }
        case (.dictionary(let left), .dictionary(let right)):
            Order.of(left, right) {
                Order.first($0.key.compare(with: $1.key)) ?? $0.value.compare(with: $1.value)
            }
        case (.object(let left), .object(let right)): left.compare(with: right) { $0.compare(with: $1) }
        default: compareGeometry(with: other)
        }
    }

    private func compareGeometry(with other: Self) -> Int {
        let byRank = Order.of(rank, other.rank)
        return byRank != 0 ? byRank : Order.of(numbers, other.numbers) { Order.of($0, $1) }
    }

    /// The numbers of a geometric value.
    private var numbers: [Double] {
        switch self {
        case .point(let point): [point.x, point.y].map(Double.init)
        case .size(let size): [size.width, size.height].map(Double.init)
        case .rect(let rect): [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height].map(Double.init)
        case .edgeInsets(let insets): [insets.top, insets.left, insets.bottom, insets.right]
        // Bit patterns, since integers of 64 bits are not all doubles.
        case .range(let range):
            [range.location, range.length].map { Double(bitPattern: UInt64(bitPattern: Int64($0))) }
        default: []
        }
    }

    /// The place of the kind among kinds.
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
        case .orderedSet: 13
        case .point: 14
        case .size: 15
        case .rect: 16
        case .range: 17
        case .edgeInsets: 18
        case .object: 19
        }
    }
}

extension ArchivedValue: Hashable {
    /// Feeds the kind and what a few of the first elements hold.
    public func hash(into hasher: inout Hasher) {
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
        case .array(let values), .orderedSet(let values): Self.hash(values, into: &hasher)
        case .set(let values): Self.hash(values, into: &hasher)
        case .dictionary(let pairs): Self.hash(pairs.map(\.key), into: &hasher)
        case .object(let value): hasher.combine(value.archivedClass)
        case .null: break
        case .point, .size, .rect, .range, .edgeInsets: hasher.combine(numbers.map(\.bitPattern))
        }
    }

    private static func hash(_ values: some RandomAccessCollection<Self>, into hasher: inout Hasher) {
        hasher.combine(values.count)
        for value in values {
            value.hash(into: &hasher)
        }
    }
}

/// Comparisons that give a negative number, zero or a positive number.
enum Order {
    static func of<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    /// Numbers by value, in IEEE 754's total order: minus zero before zero, and NaNs by their bits.
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

    /// Element by element; what another begins with comes first.
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

    /// Nil for equality, where the next criterion decides.
    static func first(_ order: Int) -> Int? {
        order == 0 ? nil : order
    }
}

extension String {
    /// Compares UTF-8 bytes, which is the order of code points.
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

    /// Whether two texts are the same bytes.
    func isIdentical(to other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Decimal {
    /// By value; what is no number comes last.
    fileprivate func compareArchived(with other: Decimal) -> Int {
        guard !isNaN, !other.isNaN else { return Order.of(isNaN ? 1 : 0, other.isNaN ? 1 : 0) }
        return Order.of(self, other)
    }
}

extension ArchivedInstance {
    fileprivate func compare(with other: Self, _ compare: (ArchivedValue, ArchivedValue) -> Int) -> Int {
        let byClass = Order.of(
            [archivedClass.name] + archivedClass.chain,
            [other.archivedClass.name] + other.archivedClass.chain
        ) { $0.compareBytes(with: $1) }
        return Order.first(byClass)
            ?? Order.of(fields, other.fields) { left, right in
                Order.first(left.name.compareBytes(with: right.name))
                    ?? left.value.compare(with: right.value, compare)
            }
    }
}

extension ArchivedInstance.FieldValue {
    fileprivate func compare(with other: Self, _ compare: (ArchivedValue, ArchivedValue) -> Int) -> Int {
        func optional(_ left: ArchivedValue?, _ right: ArchivedValue?) -> Int {
            guard let left, let right else { return Order.of(left == nil ? 0 : 1, right == nil ? 0 : 1) }
            return compare(left, right)
        }
        switch (self, other) {
        case (.object(let left), .object(let right)): return optional(left, right)
        case (.inline(let left), .inline(let right)): return compare(left, right)
        case (.objects(let left), .objects(let right)): return Order.of(left, right, by: optional)
        default: return Order.of(rank, other.rank)
        }
    }

    private var rank: Int {
        switch self {
        case .object: 0
        case .inline: 1
        case .objects: 2
        }
    }
}
