package import Foundation
internal import Transformable
internal import _PropertyLists

/// The state of a decoding operation: the archive, and the remaining budget.
package final class ArchiveDecoding {
    let storage: ArchiveStorage
    /// The names of classes that any type can be decoded from.
    let classes: [String]
    private let budget: Int
    /// The maximum nesting of values.
    private let depth: Int
    private var values = 0
    /// The number of members of containers, and of other values that are read for each object that refers to them.
    private var members = 0

    package init(_ storage: ArchiveStorage, classes: [String] = []) {
        self.storage = storage
        self.classes = classes
        budget = storage.limits.expansion(ofBytes: storage.table.sourceCount)
        depth = min(storage.limits.depth, KeyedArchiveLimits.deepestCodable)
    }

    /// The maximum number of members that are searched linearly.
    static let fewMembers = 16

    /// Decodes a value of any type from a node, or from the object that the node refers to.
    ///
    /// A type that encodes itself as a single value is the `wrapper` of that value, which is then an object of the
    /// wrapper's class unless it has its own.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at index: Int,
        depth: Int,
        wrapper: Any.Type? = nil,
        path: @autoclosure () -> CodingPath
    ) throws -> Value {
        values += 1 + cost(of: index)
        guard values <= budget else { throw TransformerError.tooMuchSharing(budget) }
        if let known = try decodeKnown(type, at: index, path: path()) { return known }
        guard depth < self.depth else { throw TransformerError.tooDeep(self.depth) }
        let isNamed = wrapper == nil || type is any KeyedArchiveNamed.Type
        let named: Any.Type? = isNamed ? type : wrapper
        return try Value(from: ArchiveDecoder(decoding: self, index: index, depth: depth, type: named, path: path()))
    }

    /// Counts the members of a container, because many objects can refer to the same list.
    ///
    /// The members of a small container cost no more than the value that contains them. A collection can also have a
    /// field for each member, all of which are searched.
    func spend(members count: Int, of index: Int) throws(TransformerError) {
        let count = max(count, Int(storage.table.nodes[index].count))
        try spend(count > Self.fewMembers ? count : 1)
    }

    private func spend(_ count: Int) throws(TransformerError) {
        members += count
        guard members <= budget else { throw .tooMuchSharing(budget) }
    }

    /// Returns the cost of decoding an object.
    ///
    /// Fields are searched linearly, so an object with many fields costs more.
    private func cost(of index: Int) -> Int {
        guard let resolved = storage.resolve(index), case let node = storage.table.nodes[resolved],
            node.kind == .dictionary
        else { return 0 }
        return Int(node.count) / 16
    }

    /// Decodes a value for which archives have a class, or returns nil if the type is none of these.
    private func decodeKnown<Value>(
        _ type: Value.Type,
        at index: Int,
        path: @autoclosure () -> CodingPath
    ) throws -> Value? {
        if type == String.self { return try string(index, path: path()) as? Value }
        if type == Int.self { return try integer(Int.self, index, path: path()) as? Value }
        if type == Double.self { return try double(index, path: path()) as? Value }
        if type == Bool.self { return try boolean(index, path: path()) as? Value }
        if type == Date.self { return try date(index, path: path()) as? Value }
        if type == Data.self { return try data(index, path: path()) as? Value }
        if type == UUID.self { return try uuid(index, path: path()) as? Value }
        if type == URL.self { return try url(index, path: path()) as? Value }
        if type == Decimal.self { return try decimal(index, path: path()) as? Value }
        return nil
    }

    /// Returns whether a value is nil: the null reference, or an object of class `NSNull`.
    func isNull(_ index: Int) -> Bool {
        guard let resolved = storage.resolve(index) else { return true }
        return symbol(resolved) == .nothing
    }

    /// Returns the node of a value that must not be nil.
    func present(_ index: Int, _ type: Any.Type, path: () -> CodingPath) throws -> Int {
        guard let resolved = storage.resolve(index), symbol(resolved) != .nothing else {
            let context = DecodingError.Context(codingPath: path().keys, debugDescription: "it is null")
            throw DecodingError.valueNotFound(type, context)
        }
        return resolved
    }

    /// Returns the class of an object, if it is a known class.
    func symbol(_ index: Int) -> ArchiveSymbol? {
        storage.classSymbol(of: storage.table.nodes[index])
    }

    func mismatch(_ index: Int, _ type: Any.Type, path: CodingPath) -> DecodingError {
        let node = storage.table.nodes[index]
        let found = storage.archivedClass(at: index).map { "an object of class \($0.name)" } ?? node.kindName
        let context = DecodingError.Context(
            codingPath: path.keys,
            debugDescription: "it is \(found), but \(type) is expected"
        )
        return .typeMismatch(type, context)
    }
}

/// Reads single values. Numbers are read across kinds where nothing is lost, since archivers that unique
/// equal numbers write `1`, `1.0` and `true` as the same object.
extension ArchiveDecoding {
    package func string(_ index: Int, path: @autoclosure () -> CodingPath) throws -> String {
        let resolved = try present(index, String.self, path: path)
        let isString = storage.table.nodes[resolved].isString
        guard isString || [.string, .mutableString].contains(symbol(resolved)) else {
            throw mismatch(resolved, String.self, path: path())
        }
        return try storage.string(resolved)
    }

    package func boolean(_ index: Int, path: @autoclosure () -> CodingPath) throws -> Bool {
        let resolved = try present(index, Bool.self, path: path)
        let node = storage.table.nodes[resolved]
        switch node.kind {
        case .boolean: return node.payload == 1
        case .integer where node.payload <= 1: return node.payload == 1
        case .real where node.double == 0 || node.double == 1: return node.double == 1
        default: throw mismatch(resolved, Bool.self, path: path())
        }
    }

    package func integer<Value: FixedWidthInteger>(
        _ type: Value.Type,
        _ index: Int,
        path: @autoclosure () -> CodingPath
    ) throws -> Value {
        let resolved = try present(index, type, path: path)
        let node = storage.table.nodes[resolved]
        let number: Value?
        switch node.kind {
        case .integer: number = Value(exactly: node.number)
        case .wideInteger: number = storage.table.integer(node).flatMap(Value.init(exactly:))
        case .boolean: number = Value(exactly: node.payload)
        case .real: number = Value(exactly: node.double)
        default: throw mismatch(resolved, type, path: path())
        }
        guard let number else { throw unrepresentable(as: type, path: path()) }
        return number
    }

    private func unrepresentable(as type: Any.Type, path: CodingPath) -> DecodingError {
        let message = "the number cannot be represented as \(type)"
        return .dataCorrupted(DecodingError.Context(codingPath: path.keys, debugDescription: message))
    }

    package func double(_ index: Int, path: @autoclosure () -> CodingPath) throws -> Double {
        let resolved = try present(index, Double.self, path: path)
        let node = storage.table.nodes[resolved]
        if node.kind == .boolean { return Double(node.payload) }
        guard let number = storage.table.double(node) else { throw mismatch(resolved, Double.self, path: path()) }
        return number
    }

    /// Decodes a float, which is rounded, but not to infinity.
    package func float(_ index: Int, path: @autoclosure () -> CodingPath) throws -> Float {
        let number = try double(index, path: path())
        let value = Float(number)
        guard value.isFinite || !number.isFinite else { throw unrepresentable(as: Float.self, path: path()) }
        return value
    }

    private func date(_ index: Int, path: @autoclosure () -> CodingPath) throws -> Date {
        let resolved = try present(index, Date.self, path: path)
        guard symbol(resolved) == .date || storage.table.nodes[resolved].kind == .date else {
            throw mismatch(resolved, Date.self, path: path())
        }
        return try storage.date(resolved)
    }

    package func data(_ index: Int, path: @autoclosure () -> CodingPath) throws -> Data {
        let resolved = try present(index, Data.self, path: path)
        guard storage.table.nodes[resolved].kind == .data || [.data, .mutableData].contains(symbol(resolved)) else {
            throw mismatch(resolved, Data.self, path: path())
        }
        return try storage.data(resolved)
    }

    private func uuid(_ index: Int, path: @autoclosure () -> CodingPath) throws -> UUID {
        let resolved = try present(index, UUID.self, path: path)
        guard symbol(resolved) == .uuid else { throw mismatch(resolved, UUID.self, path: path()) }
        return try storage.uuid(resolved)
    }

    private func url(_ index: Int, path: @autoclosure () -> CodingPath) throws -> URL {
        let resolved = try present(index, URL.self, path: path)
        guard symbol(resolved) == .url else { throw mismatch(resolved, URL.self, path: path()) }
        let parts = try storage.url(resolved)
        try spend(parts.cost)
        guard let url = parts.url else {
            let context = DecodingError.Context(codingPath: path().keys, debugDescription: "its string is not a URL")
            throw DecodingError.dataCorrupted(context)
        }
        return url
    }

    private func decimal(_ index: Int, path: @autoclosure () -> CodingPath) throws -> Decimal {
        let resolved = try present(index, Decimal.self, path: path)
        if [.decimalNumber, .decimalPlaceholder].contains(symbol(resolved)) { return try storage.decimal(resolved) }
        let node = storage.table.nodes[resolved]
        switch node.kind {
        case .integer: return Decimal(node.number)
        case .real:
            // The shortest text, because the conversion of Foundation is not exact, and traps for an infinity.
            guard node.double.isFinite, let decimal = Decimal(string: node.double.description) else {
                throw unrepresentable(as: Decimal.self, path: path())
            }
            return decimal
        case .dictionary where [.dictionary, .mutableDictionary].contains(symbol(resolved)):
            return try decimal(ofParts: resolved, path: path())
        default: throw mismatch(resolved, Decimal.self, path: path())
        }
    }

    /// Decodes a decimal from its parts, which coders without support for decimals write.
    private func decimal(ofParts index: Int, path: CodingPath) throws -> Decimal {
        let parts = try ArchiveDecoder(decoding: self, index: index, depth: 0, path: path)
            .container(keyedBy: DecimalKey.self)
        let exponent = try parts.decode(Int8.self, forKey: .exponent)
        let length = try parts.decode(Int.self, forKey: .length)
        let isNegative = try parts.decode(Bool.self, forKey: .isNegative)
        let list = try parts.superDecoder(forKey: .mantissa).unkeyedContainer()
        let words = try Self.mantissa(list)
        guard 0...words.count ~= length,
            let decimal = Decimal(archivedExponent: exponent, length: length, isNegative: isNegative, words: words)
        else {
            let context = DecodingError.Context(
                codingPath: path.keys,
                debugDescription: "its parts do not form a decimal number"
            )
            throw DecodingError.dataCorrupted(context)
        }
        return decimal
    }

    /// Decodes up to eight 16-bit words.
    private static func mantissa(_ list: any UnkeyedDecodingContainer) throws -> [UInt16] {
        var list = list
        var words: [UInt16] = []
        while !list.isAtEnd, words.count < 8 {
            words.append(try list.decode(UInt16.self))
        }
        return words
    }
}

/// The parts of a decimal.
private enum DecimalKey: String, CodingKey {
    case exponent, length, isNegative, mantissa
}
