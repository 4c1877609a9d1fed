internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

/// The coder with which classes with `NSSecureCoding` encode themselves.
///
/// Its methods never trap: an error is stored in ``failure``, and nothing is written afterward. They are the methods
/// of `NSCoder`, and are implemented in extensions.
final class ObjectArchiver: NSCoder {
    /// An object that is encoding itself.
    struct Frame {
        let node: Int
        let path: CodingPath
        /// The number of values encoded without a key.
        var unkeyed = 0
    }

    let classes: ArchiveClasses
    let depth: Int
    var tree = ArchiveTree()
    var frames: [Frame] = []
    private(set) var failure: TransformerError?
    /// The nodes of objects, and the objects themselves, because the address of a freed object could be reused.
    var nodes: [ObjectIdentifier: Int] = [:]
    var retained: [AnyObject] = []
    /// The replacements of objects that do not represent themselves.
    var replacements: [ObjectIdentifier: NSObject?] = [:]
    /// Nodes that refer to an object if it is also encoded in another way.
    var conditionals: [(node: Int, object: NSObject)] = []
    /// Classes of the program whose coding can be called.
    var checkedClasses: Set<ObjectIdentifier> = []
    var archivedClasses: [ObjectIdentifier: ArchivedClass] = [:]
    /// The number of bytes that a reader copies for runs of the same attributes.
    var copiedCount = 0

    init(_ classes: ArchiveClasses, depth: Int) {
        self.classes = classes
        self.depth = depth
    }

    /// Calls a closure that may throw, unless there was an error before.
    func attempt(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = failure ?? .encodingFailed(error)
        }
    }

    // MARK: What the coder is

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var systemVersion: UInt32 { 2000 }
    override var allowedClasses: [AnyClass]? { nil }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override var error: (any Error)? { failure }

    override func failWithError(_ error: any Error) {
        failure = failure ?? .encodingFailed(error)
    }

    override func version(forClassName className: String) -> Int { NSNotFound }

    // MARK: With a key

    override func encode(_ object: Any?, forKey key: String) { attempt { try put(object, in: .key(key)) } }

    override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        attempt { try putConditional(object, in: .key(key)) }
    }

    override func encode(_ flag: Bool, forKey key: String) { attempt { try put(flag, in: .key(key)) } }

    override func encode(_ number: Int, forKey key: String) { attempt { try put(number, in: .key(key)) } }

    override func encode(_ number: Int32, forKey key: String) { attempt { try put(number, in: .key(key)) } }

    override func encode(_ number: Int64, forKey key: String) { attempt { try put(number, in: .key(key)) } }

    override func encode(_ number: Float, forKey key: String) { attempt { try put(Double(number), in: .key(key)) } }

    override func encode(_ number: Double, forKey key: String) { attempt { try put(number, in: .key(key)) } }

    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        attempt { try put(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length), in: .key(key)) }
    }

    // MARK: Without a key

    override func encode(_ object: Any?) { attempt { try put(object, in: .next) } }

    override func encodeRootObject(_ object: Any) { encode(object) }

    override func encodeBycopyObject(_ object: Any?) { encode(object) }

    override func encodeByrefObject(_ object: Any?) { encode(object) }

    override func encodeConditionalObject(_ object: Any?) { attempt { try putConditional(object, in: .next) } }

    override func encode(_ data: Data) { attempt { try put(data as NSData, in: .next) } }

    override func encodePropertyList(_ list: Any) { encode(list as Any?) }

    override func encodeBytes(_ bytes: UnsafeRawPointer?, length: Int) {
        attempt { try put(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length), in: .next) }
    }

    override func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) {
        attempt { try put(String(cString: type), at: address) }
    }

    override func encodeArray(ofObjCType type: UnsafePointer<CChar>, count: Int, at array: UnsafeRawPointer) {
        attempt { try put(String(cString: type), count: count, at: array) }
    }
}

/// Fields of the object that is encoding itself.
extension ObjectArchiver {
    /// The location of a value.
    enum Slot {
        case key(String)
        /// The next field without a key: `$0`, `$1`, and so on.
        case next
    }

    /// Adds a field to the object.
    func add(_ slot: Slot) throws(TransformerError) -> (node: Int, path: CodingPath) {
        guard let last = frames.indices.last else {
            throw .invalidValue("a coder was used after its object was encoded")
        }
        let frame = frames[last]
        switch slot {
        case .key(let key):
            let node = tree.add(to: frame.node, key: key.escapedFieldName)
            return (node, .named(key, parent: frame.path))
        case .next:
            frames[last].unkeyed += 1
            let key = "$\(frame.unkeyed)"
            return (tree.add(to: frame.node, key: key), .named(key, parent: frame.path))
        }
    }

    /// Adds a value that is stored in the field itself.
    private func putInline(in slot: Slot, _ set: (Int) -> Void) throws(TransformerError) {
        let node = try add(slot).node
        set(node)
        tree.makeInline(node)
    }

    func put(_ flag: Bool, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, .boolean, payload: flag ? 1 : 0) }
    }

    func put(_ number: some FixedWidthInteger, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, to: Int128(number)) }
    }

    func put(_ number: Double, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, .real, payload: number.bitPattern) }
    }

    func put(_ bytes: UnsafeRawBufferPointer, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, to: bytes, as: .data) }
    }

    /// Adds a string that is stored in the field itself, as some of Apple's classes do.
    func putInline(_ text: String, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, to: text) }
    }

    func put(_ object: Any?, in slot: Slot) throws {
        let (node, path) = try add(slot)
        try put(object, at: node, path: path)
    }

    /// Adds a reference that is nil unless the object is also encoded in another way.
    private func putConditional(_ object: Any?, in slot: Slot) throws {
        let (node, path) = try add(slot)
        tree.set(node, .none)
        guard let original = try object.map({ try bridged($0, path) }), let object = replacement(of: original) else {
            return
        }
        retained.append(object)
        conditionals.append((node, object))
    }

    /// Adds a list of objects to a field of a collection.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - slot: The field.
    ///   - names: The name of each object in the collection. By default, its index.
    /// - Throws: Any error thrown while an object is added.
    func put(_ objects: [Any], listIn slot: Slot, names: [String]? = nil) throws {
        let list = try add(slot).node
        let collection = frames.last?.path ?? .top
        tree.set(list, .list)
        for (position, object) in objects.enumerated() {
            let name = names.map { CodingPath.named($0[position], parent: collection) }
            try put(object, at: tree.add(to: list), path: name ?? .index(position, parent: collection))
        }
    }
}
