internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

/// Objects to be decoded. Each is created once, however often it is referred to.
extension ObjectUnarchiver {
    /// Decodes the top-level object.
    ///
    /// - Parameters:
    ///   - key: The name of the object.
    ///   - type: The class that it must have.
    /// - Returns: The object.
    /// - Throws: The first error that occurs.
    func unarchive(_ key: String, as type: NSObject.Type) throws -> NSObject {
        let index = try storage.rootIndex(key)
        let object = attempt(nil) { try self.object(at: index, allowed: AllowedClasses([type]), path: .top) }
        if let failure { throw failure }
        guard let object else { throw TransformerError.unreadable(.top, "it is nil") }
        return object
    }

    /// Returns the object that a node is or refers to, or nil for the null reference.
    func object(at index: Int, allowed: AllowedClasses, path: CodingPath) throws -> NSObject? {
        guard let node = storage.resolve(index) else { return nil }
        if let known = made[node] {
            try check(type(of: known), allowed, path)
            return known
        }
        guard !unfinished.contains(node) else { throw TransformerError.cycle(at: path) }
        guard let archivedClass = storage.archivedClass(at: node) else {
            let object = try scalar(node, path)
            try check(type(of: object), allowed, path)
            made[node] = object
            return object
        }
        let coded = try codedClass(archivedClass, allowed, path)
        guard allowed.contains(coded.type) else {
            throw TransformerError.unexpectedClass(archivedClass.name, at: path, allowed: allowed.description)
        }
        return try make(coded, at: node, allowed, path)
    }

    /// Returns the objects of a list.
    ///
    /// The null reference, which collections cannot contain, becomes a null object.
    func objects(
        at elements: some Collection<UInt32>,
        _ allowed: AllowedClasses,
        _ path: CodingPath
    ) throws -> [NSObject] {
        try charge(elements.count)
        var objects: [NSObject] = []
        objects.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            let path = CodingPath.index(position, parent: path)
            objects.append(try object(at: Int(element), allowed: allowed, path: path) ?? NSNull())
        }
        return objects
    }

    private func check(_ type: NSObject.Type, _ allowed: AllowedClasses, _ path: CodingPath) throws {
        guard allowed.contains(type) else {
            throw TransformerError.unexpectedClass(classes.name(of: type), at: path, allowed: allowed.description)
        }
    }

    /// Returns a string, a number, or data that has no class in the archive.
    private func scalar(_ node: Int, _ path: CodingPath) throws -> NSObject {
        switch storage.table.nodes[node].kind {
        case .boolean: return NSNumber(value: storage.table.nodes[node].payload == 1)
        case .integer: return NSNumber(value: storage.table.nodes[node].number)
        case .wideInteger: return NSNumber(value: try decoding.integer(UInt64.self, node, path: path))
        case .real: return NSNumber(value: storage.table.nodes[node].double)
        case .asciiString, .utf8String, .utf16String: return NSString(string: try storage.string(node))
        case .data: return NSData(data: try storage.data(node))
        case .date: return NSDate(timeIntervalSinceReferenceDate: storage.table.nodes[node].double)
        default: throw TransformerError.unreadable(path, "it is not an object")
        }
    }

    /// Returns the class to use for a class in the archive.
    ///
    /// It is the class itself, or the first of its fallbacks that is known and allowed.
    private func codedClass(
        _ archivedClass: ArchivedClass,
        _ allowed: AllowedClasses,
        _ path: CodingPath
    ) throws -> CodedClass {
        var unwanted: CodedClass?
        for name in [archivedClass.name] + archivedClass.fallbacks {
            guard let coded = try codedClass(named: name, allowed, path) else { continue }
            if allowed.contains(coded.type) { return coded }
            unwanted = unwanted ?? coded
        }
        guard let unwanted else { throw TransformerError.unknownClass(archivedClass.name, at: path) }
        return unwanted
    }

    /// Returns the class for a name in the archive, or nil if it is not known.
    private func codedClass(
        named name: String,
        _ allowed: AllowedClasses,
        _ path: CodingPath
    ) throws -> CodedClass? {
        if let known = FoundationClass.named(name) { return .foundation(known) }
        if let known = codedClasses[name] { return .own(known) }
        guard let found = classes[name] ?? named(name, among: allowed) else { return nil }
        let substitute = found.classForKeyedUnarchiver() as? ArchiveClasses.Coded ?? found
        if let known = FoundationClass.of(substitute) { return .foundation(known) }
        try CodedClass.check(substitute, at: path)
        codedClasses[name] = substitute
        return .own(substitute)
    }

    /// Returns a class from among those that a call has named.
    private func named(_ name: String, among allowed: AllowedClasses) -> ArchiveClasses.Coded? {
        guard isOpen else { return nil }
        for type in allowed.classes {
            guard let coded = type as? ArchiveClasses.Coded else { continue }
            let isNamed = (coded as? any KeyedArchiveNamed.Type)?.isNamed(name) ?? false
            if isNamed || classes.name(of: coded).isIdentical(to: name) { return coded }
        }
        return nil
    }

    private func make(
        _ coded: CodedClass,
        at node: Int,
        _ allowed: AllowedClasses,
        _ path: CodingPath
    ) throws -> NSObject {
        guard frames.count < storage.limits.depth else {
            throw TransformerError.tooDeep(storage.limits.depth, offset: storage.table.offset(of: node))
        }
        unfinished.insert(node)
        defer { unfinished.remove(node) }
        let object: NSObject
        switch coded {
        case .foundation(let known):
            frames.append(Frame(node: node, path: path, allowed: allowed.withPropertyLists))
            defer { frames.removeLast() }
            object = try known.decode(self)
            if let size = frames.last?.size, size > 1 { sizes[ObjectIdentifier(object)] = size }
        case .own(let type):
            frames.append(Frame(node: node, path: path, allowed: AllowedClasses(classes.all, includesValues: true)))
            defer { frames.removeLast() }
            object = try make(type, path)
        }
        made[node] = object
        for finish in waiting.removeValue(forKey: node) ?? [] {
            finish(object)
        }
        return object
    }

    private func make(_ type: ArchiveClasses.Coded, _ path: CodingPath) throws -> NSObject {
        let object = type.init(coder: self)
        if let failure { throw failure }
        guard let object else { throw TransformerError.refused(type, at: path) }
        guard let awakening = object as? any ArchiveAwakening else { return object }
        let substitute = awakening.awakeAfter(using: self)
        if let failure { throw failure }
        guard let substitute = substitute.flatMap({ $0 as AnyObject as? NSObject }) else {
            throw TransformerError.refused(type, at: path)
        }
        return substitute
    }
}
