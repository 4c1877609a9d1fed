internal import Transformable
internal import _PropertyLists

/// Finds what collections hold, in the forms that archivers have written over the years.
extension ArchiveStorage {
    /// The nodes of an array's or a set's members.
    ///
    /// They stand in `NS.objects`, or one by one in `NS.object.0`, `NS.object.1` and so on.
    func members(of index: Int) throws(TransformerError) -> ArraySlice<UInt32> {
        if let list = try list(.objectsField, of: index) { return table.references[list] }
        return numberedFields("NS.object.", of: table.nodes[index])[...]
    }

    /// The nodes of a dictionary's keys, and of as many values.
    func pairs(of index: Int) throws(TransformerError) -> (keys: ArraySlice<UInt32>, values: ArraySlice<UInt32>) {
        if let (keys, values) = try pairLists(of: index) { return (table.references[keys], table.references[values]) }
        let keys = numberedFields("NS.key.", of: table.nodes[index])
        let values = numberedFields("NS.object.", of: table.nodes[index])
        try checkPairs(keys.count, values.count, of: index)
        return (keys[...], values[...])
    }

    /// Where among the references a dictionary's keys and values stand; nil in the form with a field for each.
    func pairLists(of index: Int) throws(TransformerError) -> (keys: Range<Int>, values: Range<Int>)? {
        guard let keys = try list(.keysField, of: index), let values = try list(.objectsField, of: index) else {
            return nil
        }
        try checkPairs(keys.count, values.count, of: index)
        return (keys, values)
    }

    private func checkPairs(_ keys: Int, _ values: Int, of index: Int) throws(TransformerError) {
        guard keys == values else {
            throw .invalidData("a dictionary has not as many values as keys", offset: table.offset(of: index))
        }
    }

    /// Where among the references the list in a field stands; nil if there is no such field.
    func list(_ field: ArchiveSymbol, of index: Int) throws(TransformerError) -> Range<Int>? {
        guard let list = table.value(field, in: table.nodes[index]) else { return nil }
        let node = table.nodes[list]
        guard node.kind == .array else {
            throw .invalidData("what a collection holds is no list", offset: table.offset(of: index))
        }
        return node.start..<node.start + Int(node.count)
    }

    /// The values of fields that are numbered from 0 without a gap.
    private func numberedFields(_ prefix: String, of node: PropertyListNode) -> [UInt32] {
        var values: [Int: UInt32] = [:]
        for (key, value) in zip(table.keys(of: node), table.values(of: node)) {
            guard let name = table.text(table.nodes[Int(key)]), name.hasPrefix(prefix),
                let number = Int(name.dropFirst(prefix.count))
            else { continue }
            values[number] = value
        }
        var result: [UInt32] = []
        while let value = values[result.count] {
            result.append(value)
        }
        return result
    }
}
