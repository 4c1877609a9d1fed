public import Foundation
public import Transformable
internal import _PropertyLists

/// A `Codable` value as a keyed archive of plain value classes.
///
/// A type with keys becomes an `NSDictionary`, one without an `NSArray`, a set an `NSSet`; strings,
/// numbers, dates, data, UUIDs, URLs and decimals become what Apple's frameworks have for them. So an
/// Apple program reads it as a dictionary, and what that program archives as a dictionary is read here.
public struct KeyedArchiveTransformer<Value: Codable>: Transformer {
    /// The format that is written.
    public let format: KeyedArchiveFormat
    /// The name of the top object.
    public let root: String
    /// What is spent at most on one archive.
    public let limits: KeyedArchiveLimits

    /// Makes a transformer.
    ///
    /// - Parameters:
    ///   - format: The format that is written.
    ///   - root: The name of the top object; Apple's archivers choose `root` by themselves.
    ///   - limits: What is spent at most on one archive.
    public init(
        format: KeyedArchiveFormat = .binary,
        root: String = "root",
        limits: KeyedArchiveLimits = KeyedArchiveLimits()
    ) {
        self.format = format
        self.root = root
        self.limits = limits
    }

    /// Repeats itself, in sets and dictionaries too, as far as the type's own coding does.
    ///
    /// Not canonical: Swift counts texts as equal that differ in normalization, and zero and minus zero;
    /// archives keep them apart.
    public var traits: TransformerTraits { [.deterministic] }

    /// Writes an archive.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        let encoding = ArchiveEncoding(depth: min(limits.depth, KeyedArchiveLimits.deepestCodable))
        let top = encoding.tree.add()
        do {
            try encoding.encode(value, at: top, depth: 0, path: .top)
        } catch {
            throw .encodingFailed(error)
        }
        return try ArchiveWriter.write(encoding.tree, root: top, key: root, format: format, depth: limits.depth)
    }

    /// Reads the top object of an archive.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let storage = try Archive(encoded, limits: limits).storage
        let decoding = ArchiveDecoding(storage)
        do {
            return try decoding.decode(Value.self, at: storage.rootIndex(root), depth: 0, path: .top)
        } catch {
            throw .decodingFailed(error)
        }
    }
}

extension TransformerError {
    fileprivate static func encodingFailed(_ error: any Error) -> Self {
        switch error {
        case let error as TransformerError: error
        case EncodingError.invalidValue(_, let context):
            .invalidValue("“\(place(context.codingPath))” cannot be archived: \(context.debugDescription)")
        default: .invalidValue("the value's own encoding failed", underlying: error)
        }
    }

    fileprivate static func decodingFailed(_ error: any Error) -> Self {
        switch error {
        case let error as TransformerError: error
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            .invalidData("“\(place(context.codingPath))” cannot be read: \(context.debugDescription)")
        case DecodingError.keyNotFound(let key, let context):
            .invalidData("“\(place(context.codingPath + [key]))” is missing in the archive")
        default: .invalidData("the value's own decoding failed", underlying: error)
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "root" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
