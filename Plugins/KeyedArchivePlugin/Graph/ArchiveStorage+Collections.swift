internal import Transformable
internal import _PropertyLists

/// Finds what collections hold, in the forms that archivers have written over the years.
extension ArchiveStorage {
    /// The nodes of an array's or a set's members.
    ///
    /// They stand in `NS.objects`, or one by one in `NS.object.0`, `NS.object.1` and so on.
    func members(of index: Int) throws(TransformerError) -> ArraySlice<UInt32> {
        let node = table.nodes[index]
        guard let list = table.value(.objectsField, in: node) else {
            return numberedFields("NS.object.", of: node)[...]
        }
        return try elements(ofList: list, of: index)
    }

    /// The nodes of a dictionary's keys, and of as many values.
    func pairs(of index: Int) throws(TransformerError) -> (keys: ArraySlice<UInt32>, values: ArraySlice<UInt32>) {
        let node = table.nodes[index]
        var keys: ArraySlice<UInt32>
        var values: ArraySlice<UInt32>
        if let keyList = table.value(.keysField, in: node), let valueList = table.value(.objectsField, in: node) {
            keys = try elements(ofList: keyList, of: index)
            values = try elements(ofList: valueList, of: index)
        } else {
            keys = numberedFields("NS.key.", of: node)[...]
            values = numberedFields("NS.object.", of: node)[...]
        }
        guard keys.count == values.count else {
            throw .invalidData("a dictionary has not as many values as keys", offset: table.offset(of: index))
        }
        return (keys, values)
    }

    private func elements(ofList list: Int, of index: Int) throws(TransformerError) -> ArraySlice<UInt32> {
        guard table.nodes[list].kind == .array else {
            throw .invalidData("what a collection holds is no list", offset: table.offset(of: index))
        }
        return table.elements(of: table.nodes[list])
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
