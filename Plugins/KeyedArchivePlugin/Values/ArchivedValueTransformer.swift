public import Foundation
public import Transformable
internal import _PropertyLists

/// A transformer that stores values of Apple's value classes as keyed archives.
///
/// It decodes both formats, regardless of ``format``. Apple's `NSKeyedUnarchiver` can read the archives, and equal
/// values have equal archives.
///
/// ```swift
/// let transformer = ArchivedValueTransformer()
/// let bytes = try transformer.encode(["name": "Ada", "sizes": [1, 2.5]])
/// let value = try transformer.decode(bytes)
/// ```
public struct ArchivedValueTransformer: Transformer {
    /// The format to write.
    public let format: KeyedArchiveFormat
    /// The name of the top-level object.
    public let root: String
    /// The names of classes to decode in addition to the value classes, or nil to decode all classes, as data.
    public let classes: [String]?
    /// The limits for an archive.
    public let limits: KeyedArchiveLimits

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - format: The format to write.
    ///   - root: The name of the top-level object. Apple's archivers use `root` by default.
    ///   - classes: The names of classes to decode in addition to the value classes, or nil to decode all classes, as
    ///     data.
    ///   - limits: The limits for an archive.
    public init(
        format: KeyedArchiveFormat = .binary,
        root: String = "root",
        classes: [String]? = nil,
        limits: KeyedArchiveLimits = KeyedArchiveLimits()
    ) {
        self.format = format
        self.root = root
        self.classes = classes
        self.limits = limits
    }

    /// The traits of the transformer.
    ///
    /// It is canonical: keys and members of sets are sorted, and equal strings and numbers are written once.
    public var traits: TransformerTraits { .plain }

    /// Returns the archive of a value.
    public func encode(_ value: ArchivedValue, in context: TransformContext) throws(TransformerError) -> Data {
        let archive = try ArchivedValueWriter.write(value, key: root, format: format, limits: limits)
        return try limits.checked(archive) { (archive) throws(TransformerError) in
            _ = try decode(archive, in: context)
        }
    }

    /// Decodes the top-level object of an archive.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> ArchivedValue {
        let archive = try Archive(encoded, limits: limits)
        let value = try ArchivedValueReader.read(archive.storage.rootIndex(root), in: archive.storage)
        if let classes { try value.checkClasses(classes) }
        return value
    }
}

extension ArchiveStorage {
    /// Returns the node of a top-level object.
    package func rootIndex(_ key: String) throws(TransformerError) -> Int {
        guard let index = table.value(named: key, in: top) else {
            throw .missingRoot(key, known: table.keys(of: top).prefix(8).map { repairedText(Int($0)) })
        }
        return index
    }
}

extension ArchivedValueTransformer: PartialDecodingTransformer {
    /// Decodes a part of the top-level object, which can contain itself as long as the part does not.
    public func decodePart(
        named names: [String],
        of encoded: Data,
        in context: TransformContext
    ) throws(TransformerError) -> ArchivedValue? {
        let storage = try Archive(encoded, limits: limits).storage
        var index = try storage.rootIndex(root)
        var rest = names[...]
        while let name = rest.first, let next = try storage.part(named: name, of: index) {
            index = next
            rest.removeFirst()
        }
        // A list in a field is not a value.
        guard storage.table.nodes[index].kind != .array else { return nil }
        let value = try ArchivedValueReader.read(index, in: storage)
        if let classes { try value.checkClasses(classes) }
        return rest.reduce(value as ArchivedValue?) { $0?.part(named: $1) }
    }
}

extension ArchiveStorage {
    /// Returns the node of an element, of a dictionary's value, or of a field, or nil if only a decoded value has the
    /// part.
    fileprivate func part(named name: String, of index: Int) throws(TransformerError) -> Int? {
        guard let index = resolve(index) else { return nil }
        let node = table.nodes[index]
        switch (node.kind, classSymbol(of: node)) {
        case (.array, _):
            return Self.element(named: name, of: table.elements(of: node))
        case (.dictionary, .array?), (.dictionary, .mutableArray?), (.dictionary, .orderedSet?),
            (.dictionary, .mutableOrderedSet?):
            return Self.element(named: name, of: try members(of: index))
        case (.dictionary, .dictionary?), (.dictionary, .mutableDictionary?):
            let (keys, values) = try pairs(of: index)
            return zip(keys, values).first { isText($0.0, name) }.map { Int($0.1) }
        case (.dictionary, nil) where name != ArchiveSymbol.isa.rawValue:
            return table.value(named: name, in: node)
        default:
            return nil
        }
    }

    private func isText(_ key: UInt32, _ name: String) -> Bool {
        guard let key = resolve(Int(key)), table.nodes[key].isString else { return false }
        return table.text(table.nodes[key])?.isIdentical(to: name) ?? false
    }

    private static func element(named name: String, of elements: ArraySlice<UInt32>) -> Int? {
        guard let position = Int(name), String(position) == name, 0..<elements.count ~= position else { return nil }
        return Int(elements[elements.startIndex + position])
    }
}
