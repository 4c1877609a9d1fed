internal import Transformable

extension Registration {
    /// `keyed-archive`: any `Codable` type, by default any value.
    static let keyedArchive = Registration.family(
        "keyed-archive",
        default: ArchivedValue.self,
        summary: "values as Apple's keyed archive",
        form: .archivedJSON,
        .writing("format", "the form of the property list", default: KeyedArchiveFormat.binary),
        .reading("root", "the name of the top object", default: "root"),
        .writing("bytes", "the largest archive that is read", default: KeyedArchiveLimits().bytes, in: 1...1 << 30),
        .writing("objects", "the most objects that are read", default: KeyedArchiveLimits().objects, in: 1...1 << 30),
        .writing(
            "depth",
            "how deep values may be nested",
            default: KeyedArchiveLimits().depth,
            in: 1...KeyedArchiveLimits.deepest
        )
    ) { request, format, root, bytes, objects, depth in
        let limits = KeyedArchiveLimits(bytes: bytes, objects: objects, depth: depth)
        guard let type = request.valueType, type != ArchivedValue.self else {
            return ArchivedValueTransformer(format: format, root: root, limits: limits)
        }
        guard let type = type as? any Codable.Type else {
            throw TransformerError.unsupportedType(type, expected: "any Codable type, or ArchivedValue")
        }
        func make<Value: Codable>(_ type: Value.Type) -> any OneWayTransformer {
            KeyedArchiveTransformer<Value>(format: format, root: root, limits: limits)
        }
        return make(type)
    }
}
