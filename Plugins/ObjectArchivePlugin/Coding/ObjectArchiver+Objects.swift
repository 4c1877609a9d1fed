internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

/// Objects to be archived. Each is written once, and referred to elsewhere.
extension ObjectArchiver {
    /// Writes an archive.
    ///
    /// - Parameters:
    ///   - object: The top-level object.
    ///   - key: The name of the object.
    ///   - format: The format of the property list.
    /// - Returns: The archive.
    /// - Throws: The first error that occurs.
    func archive(_ object: NSObject, key: String, format: KeyedArchiveFormat) throws(TransformerError) -> Data {
        let root = tree.add()
        attempt { try put(object, at: root, path: .top) }
        if let failure { throw failure }
        for (node, object) in conditionals {
            guard let target = nodes[ObjectIdentifier(object)] else { continue }
            tree.refer(node, to: target)
        }
        return try ArchiveWriter.write(tree, root: root, key: key, format: format, depth: depth)
    }

    /// Adds an object, or a value that represents one.
    func put(_ value: Any?, at node: Int, path: CodingPath) throws {
        tree.set(node, .none)
        guard let value, let object = replacement(of: try bridged(value, path)) else { return }
        if let known = nodes[ObjectIdentifier(object)] {
            tree.refer(node, to: known)
        } else if try !putScalar(object, at: node) {
            nodes[ObjectIdentifier(object)] = node
            retained.append(object)
            try putObject(object, at: node, path: path)
        }
    }

    /// Returns the Foundation object for a Swift value.
    func bridged(_ value: Any, _ path: CodingPath) throws(TransformerError) -> NSObject {
        let value: Any =
            switch value {
            case let point as CGPoint: NSValue(point: point)
            case let size as CGSize: NSValue(size: size)
            case let rect as CGRect: NSValue(rect: rect)
            case let range as NSRange: NSValue(range: range)
            case let insets as NSEdgeInsets: NSValue(edgeInsets: insets)
            default: value
            }
        guard let object = value as AnyObject as? NSObject else { throw .notCodable(type(of: value), at: path) }
        return object
    }

    /// Returns the object to archive in place of an object, or nil to archive nothing.
    func replacement(of object: NSObject) -> NSObject? {
        let id = ObjectIdentifier(object)
        if let known = replacements[id] { return known }
        let replacement = object.replacementObject(for: self)
        if let same = replacement as? NSObject, same === object { return object }
        let substitute = replacement.flatMap { $0 as AnyObject as? NSObject }
        retained.append(object)
        replacements[id] = .some(substitute)
        return substitute
    }

    /// Adds a string or a number, which are values instead of objects.
    private func putScalar(_ object: NSObject, at node: Int) throws -> Bool {
        switch object {
        case let decimal as NSDecimalNumber:
            try tree.set(node, to: decimal.decimalValue)
        case let number as NSNumber:
            tree.set(node, to: number)
        case let text as NSString where FoundationClass.exactly(text.classForCoder)?.type == NSString.self:
            tree.set(node, to: String(text))
        default:
            return false
        }
        return true
    }

    private func putObject(_ object: NSObject, at node: Int, path: CodingPath) throws {
        guard frames.count < depth else { throw TransformerError.tooDeep(depth) }
        let type = type(of: object)
        if !checkedClasses.contains(ObjectIdentifier(type)) {
            if let known = FoundationClass.of(type) { return try put(object, known, at: node, path: path) }
            try CodedClass.check(type, at: path)
            checkedClasses.insert(ObjectIdentifier(type))
        }
        guard let coded = object as? any NSSecureCoding else { throw TransformerError.notCodable(type, at: path) }
        tree.set(node, to: try archivedClass(of: object.classForKeyedArchiver ?? type))
        encode(in: Frame(node: node, path: path)) { coded.encode(with: self) }
        if let failure { throw failure }
    }

    private func put(_ object: NSObject, _ known: FoundationClass, at node: Int, path: CodingPath) throws {
        tree.set(node, to: known.archivedClass)
        try encode(in: Frame(node: node, path: path)) { try known.encode(object, self) }
    }

    /// Lets an object encode itself.
    ///
    /// If a key occurs more than once, the last field is used.
    private func encode(in frame: Frame, _ body: () throws -> Void) rethrows {
        frames.append(frame)
        defer { frames.removeLast() }
        try body()
        tree.removeDuplicateKeys(of: frame.node)
    }

    /// Returns a class and its superclasses, as named in archives.
    private func archivedClass(of type: AnyClass) throws(TransformerError) -> ArchivedClass {
        if let known = archivedClasses[ObjectIdentifier(type)] { return known }
        let chain = sequence(first: type) { CodedClass.superclass(of: $0) }.map { classes.name(of: $0) }
        guard !chain[0].contains("(unknown context") else { throw .privateClass(type) }
        let fallbacks = (type as? NSObject.Type)?.classFallbacksForKeyedArchiver() ?? []
        let archivedClass = ArchivedClass(chain[0], chain: chain, fallbacks: fallbacks)
        archivedClasses[ObjectIdentifier(type)] = archivedClass
        return archivedClass
    }
}

extension ArchiveTree {
    /// Sets a node to a number: a Boolean, an integer, or a real number.
    fileprivate mutating func set(_ index: Int, to number: NSNumber) {
        if number === NSNumber(value: true) || number === NSNumber(value: false) {
            set(index, .boolean, payload: number.boolValue ? 1 : 0)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): set(index, .real, payload: number.doubleValue.bitPattern)
        case UInt8(ascii: "Q"): set(index, to: Int128(number.uint64Value))
        default: set(index, to: Int128(number.int64Value))
        }
    }
}
