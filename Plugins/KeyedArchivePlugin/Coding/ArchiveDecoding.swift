internal import Foundation
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

    package init(_ storage: ArchiveStorage, classes: [String] = []) {
        self.storage = storage
        self.classes = classes
        budget = storage.limits.expansion(ofBytes: storage.table.sourceCount)
        depth = min(storage.limits.depth, KeyedArchiveLimits.deepestCodable)
    }

    /// Decodes a value of any type from a node, or from the object that the node refers to.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at index: Int,
        depth: Int,
        path: @autoclosure () -> CodingPath
    ) throws -> Value {
        values += 1 + cost(of: index)
        guard values <= budget else { throw TransformerError.tooMuchSharing(budget) }
        if let known = try decodeKnown(type, at: index, path: path()) { return known }
        guard depth < self.depth else { throw TransformerError.tooDeep(self.depth) }
        return try Value(from: ArchiveDecoder(decoding: self, index: index, depth: depth, type: type, path: path()))
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
