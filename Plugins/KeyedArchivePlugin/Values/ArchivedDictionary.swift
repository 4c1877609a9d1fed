/// A dictionary with keys of any archived kind, in the canonical order of its keys.
///
/// Equal dictionaries have their pairs in the same order. A lookup takes logarithmic time.
public struct ArchivedDictionary: Sendable {
    /// One key with its value.
    public struct Pair: Sendable {
        /// The key.
        public let key: ArchivedValue
        /// The value.
        public let value: ArchivedValue

        /// Makes a pair.
        public init(_ key: ArchivedValue, _ value: ArchivedValue) {
            self.key = key
            self.value = value
        }
    }

    private let pairs: [Pair]

    /// Makes a dictionary of pairs in any order.
    ///
    /// - Parameter pairs: Keys and values; of equal keys the last one counts.
    public init(_ pairs: some Sequence<Pair> = []) {
        let pairs = Array(pairs)
        if let sorted = Self(uniquePairs: pairs) {
            self = sorted
            return
        }
        var last: [Pair] = []
        for pair in pairs.sorted(by: { $0.key < $1.key }) {
            if last.last?.key == pair.key { last.removeLast() }
            last.append(pair)
        }
        self.pairs = last
    }

    /// Makes a dictionary of pairs in any order; nil if two keys are equal.
    init?(uniquePairs pairs: [Pair]) {
        if ArchivedValue.isStrictlySorted(pairs, by: \.key) {
            self.pairs = pairs
            return
        }
        let sorted = pairs.sorted { $0.key < $1.key }
        guard ArchivedValue.isStrictlySorted(sorted, by: \.key) else { return nil }
        self.pairs = sorted
    }

    /// Finds the value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: Its value; nil if there is none.
    public subscript(key: ArchivedValue) -> ArchivedValue? {
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].key < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < pairs.count && pairs[low].key == key ? pairs[low].value : nil
    }
}

extension ArchivedDictionary: RandomAccessCollection {
    /// The position of the first pair.
    public var startIndex: Int { pairs.startIndex }
    /// The position behind the last pair.
    public var endIndex: Int { pairs.endIndex }

    /// Gives the pair at a position in canonical order.
    public subscript(position: Int) -> Pair { pairs[position] }
}

extension ArchivedDictionary: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary of a literal; of equal keys the last one counts.
    public init(dictionaryLiteral elements: (ArchivedValue, ArchivedValue)...) {
        self.init(elements.map { Pair($0, $1) })
    }
}
