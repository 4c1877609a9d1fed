internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

/// The archiving of objects of a Foundation class, in the same format as on Apple platforms.
///
/// The class's own `encode(with:)` and `init(coder:)` are never called: they trap if the coder is not Foundation's, and
/// many trap on damaged archives with any coder.
struct FoundationClass: Sendable {
    /// The class.
    let type: NSObject.Type
    /// The name of the class and those of its superclasses.
    let archivedClass: ArchivedClass
    /// Encodes the fields of an object.
    let encode: @Sendable (NSObject, ObjectArchiver) throws -> Void
    /// Decodes an object from its fields.
    let decode: @Sendable (ObjectUnarchiver) throws -> NSObject

    private static let all =
        texts + scalars + collections + dates + variants + indexes + units + records + characters + matches
    private static let byType = Dictionary(all.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
    private static let byName = Dictionary(
        uniqueKeysWithValues: all.flatMap { known in
            ([known.archivedClass.name] + known.archivedClass.fallbacks).map { ($0, known) }
        }
    )

    /// Returns the class with a name in archives.
    static func named(_ name: String) -> Self? { byName[name] }

    /// Returns the class itself, if it is known.
    static func exactly(_ type: AnyClass) -> Self? { byType[ObjectIdentifier(type)] }

    /// Returns the class or, if it is private in Foundation, the known class that it inherits from.
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
    ///   - chain: The name of the class and those of its superclasses, except `NSObject`.
    ///   - encode: A closure that encodes the fields of an object. The archiver's frame is that of the object.
    ///   - decode: A closure that decodes an object. The unarchiver's frame is that of the object.
    init<Object: NSObject>(
        _ type: Object.Type,
        _ chain: String...,
        encode: @escaping @Sendable (Object, ObjectArchiver) throws -> Void,
        decode: @escaping @Sendable (ObjectUnarchiver) throws -> NSObject
    ) {
        self.init(type, chain, encode, decode)
    }

    /// Describes a class whose own `encode(with:)` supports any coder.
    ///
    /// Encoding is safe, because it reads no untrusted data.
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
    /// Returns the error for an object whose fields are malformed.
    func broken(_ type: NSObject.Type) -> TransformerError {
        .unreadable(frames.last?.path ?? .top, "it is not a valid \(ArchiveClasses.name(of: type))")
    }
}
