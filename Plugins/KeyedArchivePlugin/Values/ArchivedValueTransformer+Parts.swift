public import Foundation
public import Transformable
internal import _PropertyLists

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
