public import Foundation
public import KeyedArchivePlugin
public import Transformable

/// A transformer that stores objects of a class with `NSSecureCoding` as keyed archives, using the class's own coding.
///
/// The class is used without changes: it encodes and decodes itself with a coder, as on Apple platforms. Foundation's
/// classes in it are archived by this plugin, because their own coding traps on damaged archives.
///
/// ```swift
/// let transformer = ObjectArchiveTransformer<Drawing>(classes: [Circle.self, Line.self])
/// let drawing = try transformer.decode(bytes)
/// ```
///
/// Decoding can create objects of the class itself, of its ``classes``, of Foundation's value classes, and of classes
/// that a call to `decodeObject(of:forKey:)` names. An object of any other class causes an error with the code
/// `unexpected-class`, which names the class and the location.
public struct ObjectArchiveTransformer<Value: NSObject & NSSecureCoding>: Transformer {
    /// The format to write.
    public let format: KeyedArchiveFormat
    /// The name of the top-level object.
    public let root: String
    /// The limits for an archive.
    public let limits: KeyedArchiveLimits
    /// The classes that can be instantiated.
    public let classes: ArchiveClasses
    /// Whether a call to `decodeObject(of:forKey:)` can name classes that are not in ``classes``.
    public let isOpen: Bool
    /// How errors are reported to a class.
    ///
    /// See `NSCoder.decodingFailurePolicy`.
    public let failurePolicy: NSCoder.DecodingFailurePolicy

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - classes: The classes that can be instantiated, and their names.
    ///   - isOpen: Whether a call to `decodeObject(of:forKey:)` can name other classes.
    ///   - format: The format to write.
    ///   - root: The name of the top-level object. Apple's archivers use `root` by default.
    ///   - limits: The limits for an archive.
    ///   - failurePolicy: How errors are reported to a class. With `setErrorAndReturn`, the class sees errors in the
    ///     coder's `error` property. With `raiseException`, it does not, because on Apple platforms an exception would
    ///     end its initializer. In both cases, values that are requested after an error are nil, zero, or false, and
    ///     the error is thrown in the end.
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

    /// The maximum nesting, because classes encode and decode themselves recursively.
    private var depth: Int { min(limits.depth, KeyedArchiveLimits.deepestCodable) }

    /// The traits of the transformer.
    ///
    /// It is deterministic if the coding of the classes is. Sets of objects have no fixed order.
    public var traits: TransformerTraits { [.deterministic] }

    /// Returns the archive of an object.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        let archiver = ObjectArchiver(classes, depth: depth)
        let archive = try archiver.archive(value, key: root, format: format)
        // An archive with many runs of the same attributes may be too small for its copies.
        if archiver.copiedCount > ObjectUnarchiver.freeCopies { _ = try decode(archive, in: context) }
        return try limits.checked(archive) { (archive) throws(TransformerError) in
            _ = try decode(archive, in: context)
        }
    }

    /// Decodes the top-level object of an archive.
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
