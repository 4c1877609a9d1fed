internal import Foundation
internal import Transformable

extension Registration {
    /// Returns the registration of `keyed-archive`, for `Codable` types, classes with `NSSecureCoding`, and by default
    /// any value.
    ///
    /// - Parameter registered: The classes that can be instantiated by name.
    /// - Returns: The registration.
    static func keyedArchive(_ registered: ArchiveClasses) -> Self {
        .family(
            "keyed-archive",
            default: ArchivedValue.self,
            summary: "a value as a keyed archive in Apple's format",
            form: .archivedJSON,
            .writing("format", "the format of the property list", default: KeyedArchiveFormat.binary),
            .reading("root", "the name of the top-level object", default: "root"),
            .writing("classes", "classes to read in addition to the value classes", default: ArchivedClassNames?.none),
            .writing(
                "bytes",
                "the maximum size of an archive in bytes",
                default: KeyedArchiveLimits().bytes,
                in: 1...1 << 30
            ),
            .writing(
                "objects",
                "the maximum number of objects",
                default: KeyedArchiveLimits().objects,
                in: 1...1 << 30
            ),
            .writing(
                "depth",
                "the maximum nesting of values",
                default: KeyedArchiveLimits().depth,
                in: 1...KeyedArchiveLimits.deepest
            )
        ) { request, format, root, classes, bytes, objects, depth in
            let limits = KeyedArchiveLimits(bytes: bytes, objects: objects, depth: depth)
            let options = FamilyOptions(format: format, root: root, classes: classes?.names, limits: limits)
            return try options.transformer(for: request.valueType ?? ArchivedValue.self, registered)
        }
    }
}

/// The arguments of `keyed-archive`.
private struct FamilyOptions {
    let format: KeyedArchiveFormat
    let root: String
    let classes: [String]?
    let limits: KeyedArchiveLimits

    func transformer(for type: Any.Type, _ registered: ArchiveClasses) throws -> any OneWayTransformer {
        if type == ArchivedValue.self {
            return ArchivedValueTransformer(format: format, root: root, classes: classes, limits: limits)
        }
        if let type = type as? any Codable.Type { return codable(type) }
        guard let type = type as? any (NSObject & NSSecureCoding).Type else {
            let expected = "a Codable type, a class with NSSecureCoding, or ArchivedValue"
            throw TransformerError.unsupportedType(type, expected: expected)
        }
        try CodedClass.check(asked: type)
        return object(type, try classes.map { try registered.restricted(to: $0) } ?? registered)
    }

    private func codable<Value: Codable>(_ type: Value.Type) -> any OneWayTransformer {
        KeyedArchiveTransformer<Value>(format: format, root: root, classes: classes ?? [], limits: limits)
    }

    private func object<Value: NSObject & NSSecureCoding>(
        _ type: Value.Type,
        _ known: ArchiveClasses
    ) -> any OneWayTransformer {
        ObjectArchiveTransformer<Value>(
            classes: known,
            isOpen: classes == nil,
            format: format,
            root: root,
            limits: limits
        )
    }
}
