public import Foundation
public import Transformable
internal import _PropertyLists

/// Values of Apple's value classes as a keyed archive, whatever they are.
///
/// Reads either format, whatever ``format`` says. What it writes is read by Apple's `NSKeyedUnarchiver`,
/// and equal values have equal archives.
///
/// ```swift
/// let transformer = ArchivedValueTransformer()
/// let bytes = try transformer.encode(["name": "Ada", "sizes": [1, 2.5]])
/// let value = try transformer.decode(bytes)
/// ```
public struct ArchivedValueTransformer: Transformer {
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

    /// Canonical: keys and members of sets are sorted, and equal strings and numbers are written once.
    public var traits: TransformerTraits { .plain }

    /// Writes an archive.
    public func encode(_ value: ArchivedValue, in context: TransformContext) throws(TransformerError) -> Data {
        try ArchivedValueWriter.write(value, key: root, format: format, limits: limits)
    }

    /// Reads the top object of an archive.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> ArchivedValue {
        let archive = try Archive(encoded, limits: limits)
        return try ArchivedValueReader.read(archive.storage.rootIndex(root), in: archive.storage)
    }
}

extension ArchiveStorage {
    /// The node of a top object.
    func rootIndex(_ key: String) throws(TransformerError) -> Int {
        guard let index = table.value(named: key, in: top) else {
            throw .missingRoot(key, known: table.keys(of: top).map { table.repairedText(table.nodes[Int($0)]) })
        }
        return index
    }
}
