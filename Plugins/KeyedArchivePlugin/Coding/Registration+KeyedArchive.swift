internal import Foundation
internal import Transformable

extension Registration {
    /// `keyed-archive`: any `Codable` type, any class with `NSSecureCoding`, by default any value.
    ///
    /// - Parameter registered: The classes that are made where an archive names them.
    /// - Returns: The registration.
    static func keyedArchive(_ registered: ArchiveClasses) -> Self {
        .family(
            "keyed-archive",
            default: ArchivedValue.self,
            summary: "values as Apple's keyed archive",
            form: .archivedJSON,
            .writing("format", "the form of the property list", default: KeyedArchiveFormat.binary),
            .reading("root", "the name of the top object", default: "root"),
            .writing("classes", "the classes besides value classes that are read", default: ArchivedClassNames?.none),
            .writing("bytes", "the largest archive that is read", default: KeyedArchiveLimits().bytes, in: 1...1 << 30),
            .writing(
                "objects",
                "the most objects that are read",
                default: KeyedArchiveLimits().objects,
                in: 1...1 << 30
            ),
            .writing(
                "depth",
                "how deep values may be nested",
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

/// What an expression says about `keyed-archive`.
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
            let expected = "any Codable type, any class with NSSecureCoding, or ArchivedValue"
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
