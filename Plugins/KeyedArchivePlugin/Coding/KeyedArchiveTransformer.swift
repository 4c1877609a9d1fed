public import Foundation
public import Transformable

/// A transformer that stores a `Codable` value as a keyed archive of standard value classes.
///
/// A type with keys becomes an `NSDictionary`, a type without keys an `NSArray`, and a set an `NSSet`. Strings,
/// numbers, dates, data, UUIDs, URLs, and decimals become the corresponding Foundation objects. Programs on Apple
/// platforms can therefore read such an archive as a dictionary, and a dictionary that they archive can be decoded
/// here.
public struct KeyedArchiveTransformer<Value: Codable>: Transformer {
    /// The format to write.
    public let format: KeyedArchiveFormat
    /// The name of the top-level object.
    public let root: String
    /// The names of classes that any type can be decoded from, in addition to the names that types declare.
    public let classes: [String]
    /// The limits for an archive.
    public let limits: KeyedArchiveLimits

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - format: The format to write.
    ///   - root: The name of the top-level object. Apple's archivers use `root` by default.
    ///   - classes: The names of classes that any type can be decoded from, in addition to the names that types declare
    ///     with ``KeyedArchiveNamed``.
    ///   - limits: The limits for an archive.
    public init(
        format: KeyedArchiveFormat = .binary,
        root: String = "root",
        classes: [String] = [],
        limits: KeyedArchiveLimits = KeyedArchiveLimits()
    ) {
        self.format = format
        self.root = root
        self.classes = classes
        self.limits = limits
    }

    /// The traits of the transformer.
    ///
    /// It is deterministic, even for sets and dictionaries, if the coding of the type is.
    ///
    /// It is not canonical, because archives preserve differences that Swift considers equal:
    /// between strings that differ in normalization, and between zero and minus zero.
    public var traits: TransformerTraits { [.deterministic] }

    /// Returns the archive of a value.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        let encoding = ArchiveEncoding(depth: min(limits.depth, KeyedArchiveLimits.deepestCodable))
        let top = encoding.tree.add()
        do {
            try encoding.encode(value, at: top, depth: 0, path: .top)
        } catch {
            throw .encodingFailed(error)
        }
        let archive = try ArchiveWriter.write(
            encoding.tree,
            root: top,
            key: root,
            format: format,
            depth: limits.depth
        )
        return try limits.checked(archive) { (archive) throws(TransformerError) in
            _ = try decode(archive, in: context)
        }
    }

    /// Decodes the top-level object of an archive.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let storage = try Archive(encoded, limits: limits).storage
        let decoding = ArchiveDecoding(storage, classes: classes)
        do {
            return try decoding.decode(Value.self, at: storage.rootIndex(root), depth: 0, path: .top)
        } catch {
            throw .decodingFailed(error)
        }
    }
}

extension TransformerError {
    package static func encodingFailed(_ error: any Error) -> Self {
        switch error {
        case let error as TransformerError: error
        case EncodingError.invalidValue(_, let context):
            .invalidValue("“\(place(context.codingPath))” cannot be archived: \(context.debugDescription)")
        default: .invalidValue("the value could not be encoded", underlying: error)
        }
    }

    package static func decodingFailed(_ error: any Error) -> Self {
        switch error {
        case let error as TransformerError: error
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            .invalidData("“\(place(context.codingPath))” cannot be decoded: \(context.debugDescription)")
        case DecodingError.keyNotFound(let key, let context):
            .invalidData("“\(place(context.codingPath + [key]))” is missing in the archive")
        default: .invalidData("the value could not be decoded", underlying: error)
        }
    }

    static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "root" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

/// The property list format of an archive.
public enum KeyedArchiveFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Apple's binary property list format, `bplist00`, which is the default of archivers.
    case binary
    /// The XML property list format, which is human-readable.
    case xml
}
