public import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

/// The coder from which classes with `NSSecureCoding` decode themselves.
///
/// Its methods never trap: an error is stored in ``failure``, and all values that are requested afterward are nil,
/// zero, or false. They are the methods of `NSCoder`, and are implemented in extensions.
final class ObjectUnarchiver: NSCoder {
    /// An object that is being decoded.
    struct Frame {
        let node: Int
        let path: CodingPath
        let allowed: AllowedClasses
        /// The number of values requested without a key.
        var unkeyed = 0
        /// The number of values that the object contains, including itself.
        var size = 1
        /// The values of its fields if there are many, because a search would take too long.
        var fields: [String: Int]?
    }

    let storage: ArchiveStorage
    let decoding: ArchiveDecoding
    let classes: ArchiveClasses
    /// Whether a call can name classes that are not in ``classes``.
    let isOpen: Bool
    private let policy: NSCoder.DecodingFailurePolicy
    var frames: [Frame] = []
    private(set) var failure: TransformerError?
    /// The decoded objects by node, because a property list can have a single node for several equal objects.
    var made: [Int: NSObject] = [:]
    var unfinished: Set<Int> = []
    /// Closures that wait for an unfinished object.
    var waiting: [Int: [(NSObject?) -> Void]] = [:]
    /// The number of values that each collection contains.
    ///
    /// The collections are kept alive by ``made``.
    var sizes: [ObjectIdentifier: Int] = [:]
    var codedClasses: [String: ArchiveClasses.Coded] = [:]
    /// The maximum number of values, which is in proportion to the size of the archive.
    let budget: Int
    /// The number of members of collections, and of other values that are copied for each object.
    private var memberCount = 0
    /// The converted forms of dictionaries, which are kept alive by ``made``.
    var tables: [TableID: Any] = [:]
    /// The number of bytes of packed integers that were read.
    var packedCount = 0
    /// The number of bytes of data and attributes that were copied for objects that share them.
    private var copiedCount = 0

    init(
        _ storage: ArchiveStorage,
        classes: ArchiveClasses,
        isOpen: Bool,
        policy: NSCoder.DecodingFailurePolicy
    ) {
        self.storage = storage
        self.classes = classes
        self.isOpen = isOpen
        self.policy = policy
        budget = storage.limits.expansion(ofBytes: storage.table.sourceCount)
        decoding = ArchiveDecoding(storage)
    }

    /// Returns the result of a closure, or `fallback` if it throws or there was an error before.
    func attempt<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
        guard failure == nil else { return fallback }
        do {
            return try body()
        } catch {
            failure = failure ?? .decodingFailed(error)
            return fallback
        }
    }

    /// Counts values that an object has a copy of, before the copy is made.
    ///
    /// Without sharing, the values are in proportion to the size of the archive. However, many objects can refer to the
    /// same list, which takes no more than a few bytes for each of them.
    func charge(_ count: Int) throws(TransformerError) {
        memberCount += count
        guard memberCount <= budget else { throw .tooMuchSharing(budget) }
    }

    /// The number of bytes that can be copied, whatever the size of the archive.
    static let freeCopies = 16 << 20

    /// Counts bytes of which an object has a copy, before the copy is made.
    func chargeCopy(_ count: Int) throws(TransformerError) {
        copiedCount += count
        let budget = Self.freeCopies + 16 * storage.table.sourceCount
        guard copiedCount <= budget else {
            let reason = "which is out of proportion to the size of the archive"
            throw .limitExceeded("copies of shared data take more than \(budget) bytes, \(reason)")
        }
    }

    // MARK: What the coder is

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var systemVersion: UInt32 { 2000 }
    override var allowedClasses: [AnyClass]? { frames.last?.allowed.classes }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { policy }
    override var error: (any Error)? { policy == .setErrorAndReturn ? failure : nil }

    override func failWithError(_ error: any Error) {
        failure = failure ?? .decodingFailed(error)
    }

    override func version(forClassName className: String) -> Int { NSNotFound }

    // MARK: With a key

    override func containsValue(forKey key: String) -> Bool { attempt(false) { try field(.key(key)) != nil } }

    override func decodeObject(forKey key: String) -> Any? { attempt(nil) { try object(.key(key)) } }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        attempt(nil) { try object(.key(key), allowed: classes.map { AllowedClasses($0) }) }
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        attempt(nil) { try object(.key(key), allowed: .propertyList) }
    }

    override func decodeBool(forKey key: String) -> Bool { attempt(false) { try boolean(.key(key)) ?? false } }

    override func decodeInteger(forKey key: String) -> Int { attempt(0) { try integer(.key(key)) ?? 0 } }

    override func decodeCInt(forKey key: String) -> Int32 { attempt(0) { try integer(.key(key)) ?? 0 } }

    override func decodeInt32(forKey key: String) -> Int32 { attempt(0) { try integer(.key(key)) ?? 0 } }

    override func decodeInt64(forKey key: String) -> Int64 { attempt(0) { try integer(.key(key)) ?? 0 } }

    override func decodeFloat(forKey key: String) -> Float { attempt(0) { try float(.key(key)) ?? 0 } }

    override func decodeDouble(forKey key: String) -> Double { attempt(0) { try double(.key(key)) ?? 0 } }

    override func withDecodedUnsafeBytes<Result>(
        forKey key: String,
        body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard let bytes = attempt(nil, { try bytes(.key(key)) }) else { return try body(nil) }
        return try bytes.withUnsafeBytes { try body($0) }
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String,
        body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let bytes = attempt(nil, { try bytes(.key(key)) }) else { return try body(nil) }
        return try Array(bytes).withUnsafeBufferPointer { try body($0) }
    }

    // MARK: Without a key

    override func decodeObject() -> Any? { attempt(nil) { try object(.next) } }

    override func decodeData() -> Data? { attempt(nil) { try bytes(.next) } }

    override func decodePropertyList() -> Any? { attempt(nil) { try object(.next, allowed: .propertyList) } }

    override func decodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeMutableRawPointer) {
        attempt(()) { try value(String(cString: type), into: address) }
    }

    override func decodeArray(ofObjCType type: UnsafePointer<CChar>, count: Int, at array: UnsafeMutableRawPointer) {
        attempt(()) { try values(String(cString: type), count: count, into: array) }
    }
}

/// An object that can replace itself with another one after it is decoded.
///
/// On Apple platforms, the method belongs to `NSObject`. On other platforms, a class conforms to this protocol, and its
/// method stays the same.
public protocol ArchiveAwakening: NSObject {
    /// Returns the object to use in place of this one.
    ///
    /// - Parameter coder: The coder that the object was decoded from.
    /// - Returns: This object or another one.
    func awakeAfter(using coder: NSCoder) -> Any?
}

/// Fields of the object that is being decoded.
extension ObjectUnarchiver {
    /// The location of a value.
    enum Slot {
        case key(String)
        /// The next value without a key.
        case next
    }

    private static let manyFields = 16

    /// Returns the frame of the object that is being decoded.
    func frame() throws(TransformerError) -> Frame {
        guard let frame = frames.last else {
            throw .invalidData("a coder was used after its object was decoded")
        }
        return frame
    }

    /// Returns the node of a field's value, or nil if there is no such field.
    func field(_ slot: Slot) throws(TransformerError) -> Int? {
        let frame = try frame()
        switch slot {
        case .key(let key):
            return find(key.escapedFieldName, in: frame)
        case .next:
            frames[frames.count - 1].unkeyed += 1
            return find("$\(frame.unkeyed)", in: frame)
        }
    }

    /// Returns the node of a field's value by the field's name in the archive.
    func find(_ name: String, in frame: Frame) -> Int? {
        let node = storage.table.nodes[frame.node]
        guard node.count > Self.manyFields else { return storage.table.value(named: name, in: node) }
        if let fields = frame.fields { return fields[name] }
        let names = storage.table.keys(of: node).map { storage.repairedText(Int($0)) }
        let values = storage.table.values(of: node).map { Int($0) }
        let fields = Dictionary(zip(names, values)) { first, _ in first }
        frames[frames.count - 1].fields = fields
        return fields[name]
    }

    /// Returns the path of a field's value.
    func path(_ slot: Slot) throws(TransformerError) -> CodingPath {
        let frame = try frame()
        switch slot {
        case .key(let key): return .named(key, parent: frame.path)
        case .next: return .named("$\(frame.unkeyed - 1)", parent: frame.path)
        }
    }

    /// Reads a field's value, unless it is absent or the null reference.
    private func read<Value>(_ slot: Slot, _ body: (Int, CodingPath) throws -> Value) throws -> Value? {
        guard let index = try field(slot), storage.resolve(index) != nil else { return nil }
        return try body(index, try path(slot))
    }

    func boolean(_ slot: Slot) throws -> Bool? {
        try read(slot) { try decoding.boolean($0, path: $1) }
    }

    func integer<Number: FixedWidthInteger>(_ slot: Slot) throws -> Number? {
        try read(slot) { try decoding.integer(Number.self, $0, path: $1) }
    }

    func double(_ slot: Slot) throws -> Double? {
        try read(slot) { try decoding.double($0, path: $1) }
    }

    func float(_ slot: Slot) throws -> Float? {
        try read(slot) { try decoding.float($0, path: $1) }
    }

    func text(_ slot: Slot) throws -> String? {
        try read(slot) { try decoding.string($0, path: $1) }
    }

    func bytes(_ slot: Slot) throws -> Data? {
        try read(slot) { try decoding.data($0, path: $1) }
    }

    /// Decodes an object.
    ///
    /// By default, its class must be one of those that are allowed for the current object.
    func object(_ slot: Slot, allowed: AllowedClasses? = nil) throws -> NSObject? {
        guard let index = try field(slot) else { return nil }
        return try object(at: index, allowed: allowed ?? frame().allowed, path: path(slot))
    }

    /// Decodes the objects of a list in a field, or of an array that it refers to, or returns nil if there is none.
    func objects(_ slot: Slot, allowed: AllowedClasses) throws -> [NSObject]? {
        guard let index = try field(slot) else { return nil }
        let path = try path(slot)
        if storage.table.nodes[index].kind == .array {
            return try objects(at: storage.table.elements(of: storage.table.nodes[index]), allowed, path)
        }
        let array = try object(at: index, allowed: AllowedClasses([NSArray.self] + allowed.classes), path: path)
        guard let array = array as? NSArray else { return nil }
        try charge(array.count)
        return try array.enumerated()
            .map { position, element in
                guard let object = element as AnyObject as? NSObject, allowed.contains(type(of: object)) else {
                    let path = CodingPath.index(position, parent: path)
                    let name = "\(type(of: element))"
                    throw TransformerError.unexpectedClass(name, at: path, allowed: allowed.description)
                }
                return object
            }
    }
}
