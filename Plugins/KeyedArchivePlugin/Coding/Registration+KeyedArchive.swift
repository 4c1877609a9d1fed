package import Transformable

extension Registration {
    /// Returns the registration of `keyed-archive`, for `Codable` types and by default any value.
    ///
    /// - Parameters:
    ///   - types: The supported types, for error messages.
    ///   - others: A closure that returns a transformer for a type that is not `Codable`, or nil if the type is not
    ///     supported.
    /// - Returns: The registration.
    package static func keyedArchive(
        supporting types: String,
        others: @escaping @Sendable (Any.Type, KeyedArchiveArguments) throws -> (any OneWayTransformer)?
    ) -> Self {
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
            let arguments = KeyedArchiveArguments(format: format, root: root, classes: classes?.names, limits: limits)
            let type = request.valueType ?? ArchivedValue.self
            if let transformer = try arguments.transformer(for: type) ?? others(type, arguments) { return transformer }
            throw TransformerError.unsupportedType(type, expected: types)
        }
    }
}

/// The arguments of `keyed-archive`.
package struct KeyedArchiveArguments {
    package let format: KeyedArchiveFormat
    package let root: String
    /// The classes to read in addition to the value classes, or nil if they are not restricted.
    package let classes: [String]?
    package let limits: KeyedArchiveLimits

    /// Returns a transformer for any value or for a `Codable` type, or nil for other types.
    fileprivate func transformer(for type: Any.Type) -> (any OneWayTransformer)? {
        if type == ArchivedValue.self {
            return ArchivedValueTransformer(format: format, root: root, classes: classes, limits: limits)
        }
        return (type as? any Codable.Type).map { codable($0) }
    }

    private func codable<Value: Codable>(_ type: Value.Type) -> any OneWayTransformer {
        KeyedArchiveTransformer<Value>(format: format, root: root, classes: classes ?? [], limits: limits)
    }
}

/// The names of classes in an expression: a comma-separated string, or a list of strings.
struct ArchivedClassNames: ArgumentConvertible {
    let names: [String]

    static var argumentType: String { "class names in double quotes, separated by commas" }

    init?(argument: ArgumentValue) {
        let texts: [String]
        if let text = String(argument: argument) {
            texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        } else if let list = [String](argument: argument) {
            texts = list
        } else {
            return nil
        }
        names = texts == [""] ? [] : texts.map { String($0.trimmingPrefix { $0 == " " }) }
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    var argument: ArgumentValue? { .string(names.joined(separator: ", ")) }
}
