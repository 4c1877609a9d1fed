internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

/// Fields of the object that is being decoded.
extension ObjectUnarchiver {
    /// The location of a value.
    enum Slot {
        case key(String)
        /// The next value without a key.
        case next
    }

    private static let manyFields = 16

    /// Returns the frame of the object that is being decoded.
    func frame() throws(TransformerError) -> Frame {
        guard let frame = frames.last else {
            throw .invalidData("a coder was used after its object was decoded")
        }
        return frame
    }

    /// Returns the node of a field's value, or nil if there is no such field.
    func field(_ slot: Slot) throws(TransformerError) -> Int? {
        let frame = try frame()
        switch slot {
        case .key(let key):
            return find(key.escapedFieldName, in: frame)
        case .next:
            frames[frames.count - 1].unkeyed += 1
            return find("$\(frame.unkeyed)", in: frame)
        }
    }

    /// Returns the node of a field's value by the field's name in the archive.
    func find(_ name: String, in frame: Frame) -> Int? {
        let node = storage.table.nodes[frame.node]
        guard node.count > Self.manyFields else { return storage.table.value(named: name, in: node) }
        if let fields = frame.fields { return fields[name] }
        let names = storage.table.keys(of: node).map { storage.table.repairedText(storage.table.nodes[Int($0)]) }
        let values = storage.table.values(of: node).map { Int($0) }
        let fields = Dictionary(zip(names, values)) { first, _ in first }
        frames[frames.count - 1].fields = fields
        return fields[name]
    }

    /// Returns the path of a field's value.
    func path(_ slot: Slot) throws(TransformerError) -> CodingPath {
        let frame = try frame()
        switch slot {
        case .key(let key): return .named(key, parent: frame.path)
        case .next: return .named("$\(frame.unkeyed - 1)", parent: frame.path)
        }
    }

    /// Reads a field's value, unless it is absent or the null reference.
    private func read<Value>(_ slot: Slot, _ body: (Int, CodingPath) throws -> Value) throws -> Value? {
        guard let index = try field(slot), storage.resolve(index) != nil else { return nil }
        return try body(index, try path(slot))
    }

    func boolean(_ slot: Slot) throws -> Bool? {
        try read(slot) { try decoding.boolean($0, path: $1) }
    }

    func integer<Number: FixedWidthInteger>(_ slot: Slot) throws -> Number? {
        try read(slot) { try decoding.integer(Number.self, $0, path: $1) }
    }

    func double(_ slot: Slot) throws -> Double? {
        try read(slot) { try decoding.double($0, path: $1) }
    }

    func text(_ slot: Slot) throws -> String? {
        try read(slot) { try decoding.string($0, path: $1) }
    }

    func bytes(_ slot: Slot) throws -> Data? {
        try read(slot) { try decoding.data($0, path: $1) }
    }

    /// Decodes an object.
    ///
    /// By default, its class must be one of those that are allowed for the current object.
    func object(_ slot: Slot, allowed: AllowedClasses? = nil) throws -> NSObject? {
        guard let index = try field(slot) else { return nil }
        return try object(at: index, allowed: allowed ?? frame().allowed, path: path(slot))
    }

    /// Decodes the objects of a list in a field, or of an array that it refers to, or returns nil if there is none.
    func objects(_ slot: Slot, allowed: AllowedClasses) throws -> [NSObject]? {
        guard let index = try field(slot) else { return nil }
        let path = try path(slot)
        if storage.table.nodes[index].kind == .array {
            return try objects(at: storage.table.elements(of: storage.table.nodes[index]), allowed, path)
        }
        let array = try object(at: index, allowed: AllowedClasses([NSArray.self] + allowed.classes), path: path)
        return try (array as? NSArray)?.enumerated()
            .map { position, element in
                guard let object = element as AnyObject as? NSObject, allowed.contains(type(of: object)) else {
                    let path = CodingPath.index(position, parent: path)
                    let name = "\(type(of: element))"
                    throw TransformerError.unexpectedClass(name, at: path, allowed: allowed.description)
                }
                return object
            }
    }
}
