internal import Transformable

extension PropertyListTable {
    /// Verifies that the keys of dictionaries are strings.
    func checkKeys() throws(TransformerError) {
        for (index, node) in nodes.enumerated() where node.kind == .dictionary {
            guard keys(of: node).allSatisfy({ nodes[Int($0)].isString }) else {
                throw .invalidData(
                    "a dictionary of the property list has a key that is not a string",
                    offset: offset(of: index)
                )
            }
        }
    }

    /// Verifies that no container contains itself, and that none is nested too deeply.
    ///
    /// After this check, it is safe to process containers recursively.
    func checkNesting() throws(TransformerError) {
        // 0 means not visited, `open` means not finished, and any other number is the height.
        var heights = [UInt16](repeating: 0, count: nodes.count)
        var path: [(node: Int, next: Int, end: Int)] = []
        for start in nodes.indices where nodes[start].isContainer && heights[start] == 0 && !isFlat(start, &heights) {
            path.append(frame(start, &heights))
            while let top = path.last {
                guard top.next < top.end else {
                    path.removeLast()
                    try close(top.node, &heights)
                    continue
                }
                path[path.count - 1].next += 1
                let child = Int(references[top.next])
                guard nodes[child].isContainer, heights[child] == 0 || heights[child] == Self.open else { continue }
                guard heights[child] == 0 else {
                    throw .invalidData("a container of the property list contains itself", offset: offset(of: child))
                }
                guard !isFlat(child, &heights) else { continue }
                guard path.count < Self.deepest else { throw .listTooDeep(offset: offset(of: child)) }
                path.append(frame(child, &heights))
            }
        }
    }

    private static let open = UInt16.max
    /// The maximum nesting of arrays and dictionaries.
    ///
    /// In archives, objects refer to each other instead.
    package static let deepest = 512

    /// Returns whether a container contains no other container, like most of them.
    ///
    /// Its height is then known.
    private func isFlat(_ node: Int, _ heights: inout [UInt16]) -> Bool {
        let values = valueRange(of: nodes[node])
        for index in values where nodes[Int(references[index])].isContainer {
            return false
        }
        heights[node] = 1
        return true
    }

    /// Returns the positions of a container's elements or a dictionary's values among the references.
    private func valueRange(of node: PropertyListNode) -> Range<Int> {
        let count = Int(node.count)
        let start = node.kind == .dictionary ? node.start + count : node.start
        return start..<start + count
    }

    private func frame(_ node: Int, _ heights: inout [UInt16]) -> (node: Int, next: Int, end: Int) {
        heights[node] = Self.open
        let values = valueRange(of: nodes[node])
        return (node, values.lowerBound, values.upperBound)
    }

    private func close(_ node: Int, _ heights: inout [UInt16]) throws(TransformerError) {
        var height = 1
        for index in valueRange(of: nodes[node]) {
            height = max(height, 1 + Int(heights[Int(references[index])]))
        }
        guard height <= Self.deepest else { throw .listTooDeep(offset: offset(of: node)) }
        heights[node] = UInt16(height)
    }
}
