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
