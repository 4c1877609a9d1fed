public import Foundation
public import Transformable

/// Objects of a class with `NSSecureCoding` as a keyed archive, through the class's own coding.
///
/// The class is used as it is: it encodes itself and makes itself from a coder as it does on a Mac. Foundation's
/// classes in it are archived by code of ours, since their own traps on damaged archives.
///
/// ```swift
/// let transformer = ObjectArchiveTransformer<Drawing>(classes: [Circle.self, Line.self])
/// let drawing = try transformer.decode(bytes)
/// ```
///
/// Reading makes objects of the class itself, of its ``classes``, of Foundation's value classes, and of
/// classes that a `decodeObject(of:forKey:)` names. An object of any other class is an error with the code
/// `unexpected-class`, which names the class and the place.
public struct ObjectArchiveTransformer<Value: NSObject & NSSecureCoding>: Transformer {
    /// The format that is written.
    public let format: KeyedArchiveFormat
    /// The name of the top object.
    public let root: String
    /// What is spent at most on one archive.
    public let limits: KeyedArchiveLimits
    /// The classes that may be made.
    public let classes: ArchiveClasses
    /// Whether a `decodeObject(of:forKey:)` may name classes that are not among ``classes``.
    public let isOpen: Bool
    /// What a class is told about failures: see `NSCoder.decodingFailurePolicy`.
    public let failurePolicy: NSCoder.DecodingFailurePolicy

    /// Makes a transformer.
    ///
    /// - Parameters:
    ///   - classes: The classes that may be made, and their names.
    ///   - isOpen: Whether a `decodeObject(of:forKey:)` may name others.
    ///   - format: The format that is written.
    ///   - root: The name of the top object; Apple's archivers choose `root` by themselves.
    ///   - limits: What is spent at most on one archive.
    ///   - failurePolicy: What a class is told about failures. By `setErrorAndReturn` it sees them in the
    ///     coder's `error`; by `raiseException` it does not, as it would not live to see them on a Mac. Either
    ///     way, what is asked for after a failure is nil, zero or false, and the failure is thrown in the end.
    public init(
        classes: ArchiveClasses = [],
        isOpen: Bool = true,
        format: KeyedArchiveFormat = .binary,
        root: String = "root",
        limits: KeyedArchiveLimits = KeyedArchiveLimits(),
        failurePolicy: NSCoder.DecodingFailurePolicy = .setErrorAndReturn
    ) {
        var classes = classes
        if classes[classes.name(of: Value.self)] == nil, FoundationClass.of(Value.self) == nil {
            classes.add(Value.self)
        }
        self.classes = classes
        self.isOpen = isOpen
        self.format = format
        self.root = root
        self.limits = limits
        self.failurePolicy = failurePolicy
    }

    /// Coding recurses, in methods of the classes' own.
    private var depth: Int { min(limits.depth, KeyedArchiveLimits.deepestCodable) }

    /// Repeats itself as far as the classes' own coding does; sets of objects have no order to repeat.
    public var traits: TransformerTraits { [.deterministic] }

    /// Writes an archive.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        try ObjectArchiver(classes, depth: depth).archive(value, key: root, format: format)
    }

    /// Reads the top object of an archive.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        var limits = limits
        limits.depth = depth
        let storage = try Archive(encoded, limits: limits).storage
        let unarchiver = ObjectUnarchiver(storage, classes: classes, isOpen: isOpen, policy: failurePolicy)
        let object: NSObject
        do {
            object = try unarchiver.unarchive(root, as: Value.self)
        } catch {
            throw .decodingFailed(error)
        }
        guard let value = object as? Value else {
            throw .unexpectedClass("\(type(of: object))", at: .top, allowed: "\(Value.self)")
        }
        return value
    }
}
