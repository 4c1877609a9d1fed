package import Foundation
public import Transformable
internal import _PropertyLists

/// A plugin for keyed archives in Apple's format, with its own reader and writer.
///
/// It archives values and `Codable` types. To archive objects of classes with `NSSecureCoding` too, register
/// `ObjectArchivePlugin` instead.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     KeyedArchivePlugin()
/// }
/// let settings = try registry.transformer("keyed-archive", for: Settings.self)
/// ```
public struct KeyedArchivePlugin: TransformerPlugin {
    /// The plugin's name, “keyed-archive”.
    public let name = "keyed-archive"

    /// Creates the plugin.
    public init() {}

    /// The transformer `keyed-archive`.
    public var registrations: [Registration] {
        [
            .keyedArchive(
                supporting: "a Codable type, ArchivedValue, or with ObjectArchivePlugin a class with NSSecureCoding",
                others: { _, _ in nil }
            )
        ]
    }

    /// Inspectors of keyed archives and of other property lists.
    public var inspectors: [Inspector] {
        [.keyedArchive, .propertyList]
    }
}

extension CodableExpression {
    /// The value as a keyed archive in Apple's format.
    public static var keyedArchive: Self { Self("keyed-archive") }
}

/// The limits for an archive.
///
/// All limits are checked before memory is allocated. An archive that exceeds a limit causes an error with the code
/// `limit-exceeded`, and never a crash.
public struct KeyedArchiveLimits: Sendable, Hashable {
    /// The maximum size of the archive, in bytes.
    public var bytes: Int
    /// The maximum number of objects in the property list, and of values created from it.
    public var objects: Int
    /// The maximum nesting of values, up to ``deepest``.
    public var depth: Int

    /// The highest possible limit on nesting.
    ///
    /// Values are read, compared, written, printed, and freed without recursion, regardless of their nesting.
    public static let deepest = 1_000_000

    /// The maximum nesting of `Codable` types, which are encoded and decoded recursively.
    ///
    /// A level takes at most 0.8 KiB of stack space, so these levels fit on a thread of 512 KiB.
    package static let deepestCodable = 512

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - bytes: The maximum size of the archive, in bytes. The default is 1 GiB.
    ///   - objects: The maximum number of objects and values. The default is twenty million.
    ///   - depth: The maximum nesting of values. The default is 10,000, and the maximum is ``deepest``. For `Codable`
    ///     types, it is at most 512.
    public init(bytes: Int = 1 << 30, objects: Int = 20_000_000, depth: Int = 10_000) {
        self.bytes = max(0, min(bytes, Int(UInt32.max) / 2))
        self.objects = max(0, min(objects, Int(UInt32.max) / 2))
        self.depth = max(1, min(depth, Self.deepest))
    }

    /// The limits of the property list reader.
    var list: PropertyListLimits { PropertyListLimits(bytes: bytes, objects: objects) }

    /// Returns an archive that was written, if it can be read within the limits.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - read: A closure that reads the archive. It is called only if the archive may have too many objects, because each
    ///     takes at least one byte.
    /// - Returns: The same archive.
    /// - Throws: `TransformerError` with the code `limit-exceeded`.
    package func checked(
        _ archive: Data,
        read: (Data) throws(TransformerError) -> Void
    ) throws(TransformerError) -> Data {
        guard archive.count <= bytes else {
            throw .limitExceeded("the archive would have more than \(bytes) bytes; raise the limit “bytes”")
        }
        if archive.count > objects { try read(archive) }
        return archive
    }

    /// Returns the maximum number of values created from an archive, which can exceed the number of its objects because
    /// of sharing.
    ///
    /// With sharing, a few bytes can represent an exponential number of values. Real archives stay within this limit.
    package func expansion(ofBytes count: Int) -> Int {
        min(objects, 100_000 + 16 * count)
    }
}

extension TransformerError.Code {
    /// The archive contains an object of a class that is not allowed there.
    public static let unexpectedClass = Self(rawValue: "unexpected-class")
    /// The archive has no top-level object with the requested name.
    public static let missingRoot = Self(rawValue: "missing-root")
    /// An object contains itself, which a value cannot do.
    public static let cyclicReference = Self(rawValue: "cyclic-reference")
}

extension TransformerError {
    package static func tooDeep(_ limit: Int, offset: Int? = nil) -> Self {
        limitExceeded("values are nested more than \(limit) levels deep; raise the limit “depth”", offset: offset)
    }

    package static func tooMuchSharing(_ limit: Int) -> Self {
        limitExceeded(
            "shared objects represent more than \(limit) values, which is out of proportion to the size of the archive"
        )
    }

    /// Returns a path in an archive, in the format of `--extract`: `shapes.0.color`.
    package static func place(_ path: CodingPath) -> String { place(path.keys) }

    package static func unexpectedClass(_ name: String, at path: CodingPath, allowed: String) -> Self {
        unexpectedClass(name, at: place(path), allowed: allowed)
    }

    static func unexpectedClass(_ name: String, at place: String, allowed: String) -> Self {
        Self(.unexpectedClass, "“\(place)” is an object of class \(name), but only these are allowed: \(allowed)")
    }

    /// `known` contains the names of a few top-level objects.
    static func missingRoot(_ key: String, known: [String]) -> Self {
        let names = known.map { "“\($0)”" }.joined(separator: ", ")
        let hint = known.isEmpty ? "it has none" : "it has \(names)"
        return Self(
            .missingRoot,
            "the archive has no top-level object “\(key)”; \(hint): select one with the argument “root”"
        )
    }

    static func cyclicReference(_ identifier: Int, offset: Int? = nil) -> Self {
        let message =
            "object \(identifier) contains itself, which a value cannot do; decode a part of it, or open it as an Archive"
        return Self(.cyclicReference, message, offset: offset)
    }
}
