internal import Foundation
internal import Transformable
internal import _PropertyLists

/// The coder that classes with `NSSecureCoding` make themselves from.
///
/// No method of it traps: what fails is kept in ``failure``, and everything that is asked for from then on is
/// nil, zero or false. Its methods are those of `NSCoder`; what they do stands in its extensions.
final class ObjectUnarchiver: NSCoder {
    /// An object that is being made.
    struct Frame {
        let node: Int
        let path: CodingPath
        let allowed: AllowedClasses
        /// How many values without a key it has asked for.
        var unkeyed = 0
        /// How many values it stands for, with everything in it.
        var size = 1
        /// The values of its fields, if it has many: a search would take long.
        var fields: [String: Int]?
    }

    let storage: ArchiveStorage
    let decoding: ArchiveDecoding
    let classes: ArchiveClasses
    /// Whether a call may name classes that are not among ``classes``.
    let isOpen: Bool
    let policy: NSCoder.DecodingFailurePolicy
    var frames: [Frame] = []
    private(set) var failure: TransformerError?
    /// By node, since a property list may have one node for several equal objects.
    var made: [Int: NSObject] = [:]
    var unfinished: Set<Int> = []
    /// What waits for an object that is unfinished.
    var waiting: [Int: [(NSObject?) -> Void]] = [:]
    /// How many values collections stand for; they are kept alive among those that are ``made``.
    var sizes: [ObjectIdentifier: Int] = [:]
    var codedClasses: [String: ArchiveClasses.Coded] = [:]

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
        decoding = ArchiveDecoding(storage)
    }

    /// Gives what may fail, and `fallback` if it does or something has failed before.
    func attempt<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
        guard failure == nil else { return fallback }
        do {
            return try body()
        } catch {
            failure = failure ?? .decodingFailed(error)
            return fallback
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

    override func decodeFloat(forKey key: String) -> Float { attempt(0) { Float(try double(.key(key)) ?? 0) } }

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
