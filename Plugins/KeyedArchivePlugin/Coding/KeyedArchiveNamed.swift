/// A type that declares the name of its class in keyed archives.
///
/// A `Codable` type with a name is encoded as an object of that class, and its keys become the fields of the object.
/// This is how `NSCoding` classes archive themselves on Apple platforms. A class with the same name can read such an
/// object with `decodeObject(of:forKey:)`, `decodeInteger(forKey:)`, and similar methods, and can write objects that
/// are decoded here.
///
/// ```swift
/// struct Track: Codable, KeyedArchiveNamed {
///     static let archiveClassName = "ACMETrack"
///     var title: String
///     var seconds: Int
/// }
/// ```
///
/// A class with `NSSecureCoding` can also declare its name. Otherwise, its name is `Module.Class`, as on Apple
/// platforms.
public protocol KeyedArchiveNamed {
    /// The name under which the type is encoded.
    static var archiveClassName: String { get }

    /// Former names, which can still be decoded. By default, there are none.
    static var formerArchiveClassNames: [String] { get }

    /// The version of the encoded form of a `Codable` type. The default is 0.
    ///
    /// Any other version is stored in the field `archiveVersion`. While decoding, `Decoder.archiveVersion` returns the
    /// version that was stored. A key with the same name is stored in the field `$archiveVersion`, which `NSCoding`
    /// classes cannot read.
    static var archiveVersion: Int { get }
}

extension KeyedArchiveNamed {
    /// An empty list.
    public static var formerArchiveClassNames: [String] { [] }

    /// Returns 0.
    public static var archiveVersion: Int { 0 }

    /// Returns whether the type has a name in archives.
    package static func isNamed(_ name: String) -> Bool {
        name.isIdentical(to: archiveClassName) || formerArchiveClassNames.contains { name.isIdentical(to: $0) }
    }
}

extension Decoder {
    /// The version of the archived object that is being decoded, or 0 if it has none.
    ///
    /// ```swift
    /// init(from decoder: any Decoder) throws {
    ///     isLegacy = decoder.archiveVersion < 2
    /// }
    /// ```
    public var archiveVersion: Int { (self as? ArchiveDecoder)?.archivedVersion ?? 0 }
}
