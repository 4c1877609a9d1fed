internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

/// Fields of the object that is encoding itself.
extension ObjectArchiver {
    /// The location of a value.
    enum Slot {
        case key(String)
        /// The next field without a key: `$0`, `$1`, and so on.
        case next
    }

    /// Adds a field to the object.
    func add(_ slot: Slot) throws(TransformerError) -> (node: Int, path: CodingPath) {
        guard let last = frames.indices.last else {
            throw .invalidValue("a coder was used after its object was encoded")
        }
        let frame = frames[last]
        switch slot {
        case .key(let key):
            let node = tree.add(to: frame.node, key: key.escapedFieldName)
            return (node, .named(key, parent: frame.path))
        case .next:
            frames[last].unkeyed += 1
            let key = "$\(frame.unkeyed)"
            return (tree.add(to: frame.node, key: key), .named(key, parent: frame.path))
        }
    }

    /// Adds a value that is stored in the field itself.
    private func putInline(in slot: Slot, _ set: (Int) -> Void) throws(TransformerError) {
        let node = try add(slot).node
        set(node)
        tree.makeInline(node)
    }

    func put(_ flag: Bool, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, .boolean, payload: flag ? 1 : 0) }
    }

    func put(_ number: some FixedWidthInteger, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, to: Int128(number)) }
    }

    func put(_ number: Double, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, .real, payload: number.bitPattern) }
    }

    func put(_ bytes: UnsafeRawBufferPointer, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, to: bytes, as: .data) }
    }

    /// Adds a string that is stored in the field itself, as some of Apple's classes do.
    func putInline(_ text: String, in slot: Slot) throws(TransformerError) {
        try putInline(in: slot) { tree.set($0, to: text) }
    }

    func put(_ object: Any?, in slot: Slot) throws {
        let (node, path) = try add(slot)
        try put(object, at: node, path: path)
    }

    /// Adds a reference that is nil unless the object is also encoded in another way.
    func putConditional(_ object: Any?, in slot: Slot) throws {
        let (node, path) = try add(slot)
        tree.set(node, .none)
        guard let original = try object.map({ try bridged($0, path) }), let object = replacement(of: original) else {
            return
        }
        retained.append(object)
        conditionals.append((node, object))
    }

    /// Adds a list of objects to a field of a collection.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - slot: The field.
    ///   - names: The name of each object in the collection. By default, its index.
    /// - Throws: Any error thrown while an object is added.
    func put(_ objects: [Any], listIn slot: Slot, names: [String]? = nil) throws {
        let list = try add(slot).node
        let collection = frames.last?.path ?? .top
        tree.set(list, .list)
        for (position, object) in objects.enumerated() {
            let name = names.map { CodingPath.named($0[position], parent: collection) }
            try put(object, at: tree.add(to: list), path: name ?? .index(position, parent: collection))
        }
    }
}
