internal import Foundation
internal import Transformable

/// How objects of one of Foundation's classes are archived, byte for byte as Apple's are.
///
/// Their own `encode(with:)` and `init(coder:)` are never called: they trap with a coder that is not
/// Foundation's, and many trap on damaged archives with any.
struct FoundationClass: Sendable {
    /// The class.
    let type: NSObject.Type
    /// Its name, and those of the classes above it.
    let archivedClass: ArchivedClass
    /// Puts the fields of an object into an archive.
    let encode: @Sendable (NSObject, ObjectArchiver) throws -> Void
    /// Makes an object of the fields in an archive.
    let decode: @Sendable (ObjectUnarchiver) throws -> NSObject

    private static let all =
        texts + scalars + collections + dates + indexes + units + records + characters + matches
    private static let byType = Dictionary(all.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
    private static let byName = Dictionary(
        uniqueKeysWithValues: all.flatMap { known in
            ([known.archivedClass.name] + known.archivedClass.fallbacks).map { ($0, known) }
        }
    )

    /// The class that has a name in archives.
    static func named(_ name: String) -> Self? { byName[name] }

    /// The class itself, if it is known.
    static func exactly(_ type: AnyClass) -> Self? { byType[ObjectIdentifier(type)] }

    /// The class or, for one that Foundation keeps to itself, the known one that it inherits from.
    static func of(_ type: AnyClass) -> Self? {
        var next: AnyClass? = type
        while let current = next {
            if let known = exactly(current) { return known }
            guard ArchiveClasses.isOfFoundation(current) else { return nil }
            next = CodedClass.superclass(of: current)
        }
        return nil
    }
}

extension FoundationClass {
    /// Describes a class.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - chain: Its name and those of the classes above it, but for `NSObject`.
    ///   - encode: Puts the fields of an object; the archiver's frame is the object's.
    ///   - decode: Makes an object; the unarchiver's frame is the object's.
    init<Object: NSObject>(
        _ type: Object.Type,
        _ chain: String...,
        encode: @escaping @Sendable (Object, ObjectArchiver) throws -> Void,
        decode: @escaping @Sendable (ObjectUnarchiver) throws -> NSObject
    ) {
        self.init(type, chain, encode, decode)
    }

    /// Describes a class whose own `encode(with:)` works with any coder: encoding reads nothing from outside.
    init<Object: NSObject & NSCoding>(
        _ type: Object.Type,
        _ chain: String...,
        decode: @escaping @Sendable (ObjectUnarchiver) throws -> NSObject
    ) {
        self.init(type, chain, { $0.encode(with: $1) }, decode)
    }

    private init<Object: NSObject>(
        _ type: Object.Type,
        _ chain: [String],
        _ encode: @escaping @Sendable (Object, ObjectArchiver) throws -> Void,
        _ decode: @escaping @Sendable (ObjectUnarchiver) throws -> NSObject
    ) {
        self.init(
            type: type,
            archivedClass: ArchivedClass(chain[0], chain: chain + ["NSObject"]),
            encode: { object, archiver in
                guard let object = object as? Object else { throw TransformerError.notCodable(Object.self, at: .top) }
                try encode(object, archiver)
            },
            decode: decode
        )
    }
}

extension ObjectUnarchiver {
    /// The failure of an object whose fields are not as archivers write them.
    func broken(_ type: NSObject.Type) -> TransformerError {
        .unreadable(frames.last?.path ?? .top, "it is not as an \(ArchiveClasses.name(of: type)) is written")
    }
}
