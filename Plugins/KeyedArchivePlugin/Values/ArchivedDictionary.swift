/// A dictionary with archived values as keys, in the canonical order of its keys.
///
/// Equal dictionaries have their pairs in the same order. A lookup takes logarithmic time.
public struct ArchivedDictionary: Sendable {
    /// A key and its value.
    public struct Pair: Sendable {
        /// The key.
        public let key: ArchivedValue
        /// The value.
        public let value: ArchivedValue

        /// Creates a pair.
        public init(_ key: ArchivedValue, _ value: ArchivedValue) {
            self.key = key
            self.value = value
        }
    }

    /// The keys, each followed by its value.
    let buffer: ValueBuffer

    /// Creates a dictionary from pairs in any order.
    ///
    /// - Parameter pairs: The keys and values. If keys are equal, the last one is used.
    public init(_ pairs: some Sequence<Pair> = []) {
        var last: [Pair] = []
        // Later positions are greater, so that the last of several equal keys is at the end of its run.
        let sorted = Array(pairs).enumerated()
            .sorted { left, right in
                left.element.key == right.element.key
                    ? left.offset < right.offset : left.element.key < right.element.key
            }
        for (_, pair) in sorted {
            if last.last?.key == pair.key { last.removeLast() }
            last.append(pair)
        }
        buffer = ValueBuffer(last.flatMap { [$0.key, $0.value] })
    }

    /// Creates a dictionary from alternating keys and values, or returns nil if two keys are equal.
    init?(alternating values: [ArchivedValue]) {
        if Self.isStrictlySorted(values) {
            buffer = values.isEmpty ? .empty : ValueBuffer(values)
            return
        }
        let sorted = values.count <= Self.fewValues ? Self.inserted(values) : Self.sorted(values)
        guard Self.isStrictlySorted(sorted) else { return nil }
        buffer = ValueBuffer(sorted)
    }

    /// The maximum number of keys and values to sort in place.
    private static let fewValues = 32

    private static func sorted(_ values: [ArchivedValue]) -> [ArchivedValue] {
        let keys = stride(from: 0, to: values.count, by: 2).sorted { values[$0] < values[$1] }
        return keys.flatMap { [values[$0], values[$0 + 1]] }
    }

    /// Sorts by insertion, which does not allocate memory.
    private static func inserted(_ values: consuming [ArchivedValue]) -> [ArchivedValue] {
        var sorted = values
        for end in stride(from: 2, to: sorted.count, by: 2) {
            var place = end
            while place > 0, sorted[place] < sorted[place - 2] {
                sorted.swapAt(place, place - 2)
                sorted.swapAt(place + 1, place - 1)
                place -= 2
            }
        }
        return sorted
    }

    private static func isStrictlySorted(_ values: [ArchivedValue]) -> Bool {
        var index = 2
        while index < values.count {
            guard values[index - 2] < values[index] else { return false }
            index += 2
        }
        return true
    }

    /// Returns the value for a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil if there is none.
    public subscript(key: ArchivedValue) -> ArchivedValue? {
        let position = firstPosition { buffer.values[2 * $0] < key }
        return position < count && buffer.values[2 * position] == key ? buffer.values[2 * position + 1] : nil
    }
}

extension ArchivedDictionary: RandomAccessCollection {
    /// The position of the first pair.
    public var startIndex: Int { 0 }
    /// The position after the last pair.
    public var endIndex: Int { buffer.values.count / 2 }

    /// Returns the pair at a position in canonical order.
    public subscript(position: Int) -> Pair {
        Pair(buffer.values[2 * position], buffer.values[2 * position + 1])
    }
}

extension ArchivedDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary from a literal.
    ///
    /// If keys are equal, the last one is used.
    public init(dictionaryLiteral elements: (ArchivedValue, ArchivedValue)...) {
        self.init(elements.map { Pair($0, $1) })
    }
}

/// Methods for parsing plain forms.
extension ArchivedDictionary {
    subscript(name: String) -> ArchivedValue? { self[.string(name)] }

    /// Returns whether there are no other keys than these.
    func hasOnly(_ names: Set<String>) -> Bool {
        allSatisfy { pair in pair.key.string.map(names.contains) ?? false }
    }

    /// Converts a value.
    ///
    /// The outer optional is nil if the conversion fails, and the inner one if there is no value.
    func optional<Value>(_ name: String, _ convert: (ArchivedValue) -> Value?) -> Value?? {
        guard let value = self[name] else { return .some(nil) }
        return convert(value).map { .some($0) }
    }

    /// Creates a dictionary from the pairs whose value is not nil.
    init(present pairs: [(String, ArchivedValue?)]) {
        self.init(pairs.compactMap { name, value in value.map { Pair(.string(name), $0) } })
    }
}
