/// A type that states which class it is in keyed archives.
///
/// A `Codable` type with a name is written as an object of that class, its keys as the object's fields: the
/// form in which Apple's `NSCoding` classes archive themselves. So a class of the same name on a Mac reads it
/// by `decodeObject(of:forKey:)`, `decodeInteger(forKey:)` and their kin, and writes what is read here.
///
/// ```swift
/// struct Track: Codable, KeyedArchiveNamed {
///     static let archiveClassName = "ACMETrack"
///     var title: String
///     var seconds: Int
/// }
/// ```
///
/// A class with `NSSecureCoding` may state its name too; otherwise it is `Module.Class`, as on a Mac.
public protocol KeyedArchiveNamed {
    /// The name under which it is written.
    static var archiveClassName: String { get }

    /// Names under which it was written in the past, and which are still read; none by default.
    static var formerArchiveClassNames: [String] { get }

    /// The version of what a `Codable` type writes, 0 by default.
    ///
    /// Any other is kept in the field `archiveVersion`; `Decoder.archiveVersion` is that of what is read.
    static var archiveVersion: Int { get }
}

extension KeyedArchiveNamed {
    /// No former names.
    public static var formerArchiveClassNames: [String] { [] }

    /// Version 0.
    public static var archiveVersion: Int { 0 }

    /// Whether an archive's class is this type.
    static func isNamed(_ name: String) -> Bool {
        name.isIdentical(to: archiveClassName) || formerArchiveClassNames.contains { name.isIdentical(to: $0) }
    }
}

extension Decoder {
    /// The version of the archived object that is being decoded; 0 where it states none.
    ///
    /// ```swift
    /// init(from decoder: any Decoder) throws {
    ///     isLegacy = decoder.archiveVersion < 2
    /// }
    /// ```
    public var archiveVersion: Int { (self as? ArchiveDecoder)?.archivedVersion ?? 0 }
}
