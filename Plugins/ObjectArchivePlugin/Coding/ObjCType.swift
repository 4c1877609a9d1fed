internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

/// The C types with a single letter in Objective-C type encodings.
///
/// `l` and `L` have 32 bits in archives, as on the machines that the format comes from.
private enum ObjCType: Character {
    case char = "c"
    case unsignedChar = "C"
    case short = "s"
    case unsignedShort = "S"
    case int = "i"
    case unsignedInt = "I"
    case long = "l"
    case unsignedLong = "L"
    case longLong = "q"
    case unsignedLongLong = "Q"
    case float = "f"
    case double = "d"
    case bool = "B"
    case object = "@"

    var size: Int {
        switch self {
        case .char, .unsignedChar, .bool: 1
        case .short, .unsignedShort: 2
        case .int, .unsignedInt, .long, .unsignedLong, .float: 4
        case .longLong, .unsignedLongLong, .double: 8
        case .object: MemoryLayout<Any?>.size
        }
    }

    /// The maximum length of a type encoding in bytes.
    private static let longest = 64

    /// Parses a type encoding: a letter, or an array such as `[4i]`.
    static func parse(_ text: String) throws(TransformerError) -> (type: Self, count: Int?) {
        // Many values can refer to the same text.
        guard text.utf8.count <= longest else {
            throw unsupported(String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…")
        }
        if text.count == 1, let type = Self(rawValue: text[text.startIndex]) { return (type, nil) }
        let inner = text.dropFirst().dropLast()
        if text.hasPrefix("["), text.hasSuffix("]"), let letter = inner.last, let type = Self(rawValue: letter),
            let count = Int(inner.dropLast()), count >= 0
        {
            return (type, count)
        }
        throw unsupported(text)
    }

    static func unsupported(_ encoding: String) -> TransformerError {
        TransformerError(.unsupported, "values of the C type “\(encoding)” cannot be archived")
    }
}

// Callers of these NSCoder methods guarantee that the address contains a value of the type, or has space for one.
extension ObjectArchiver {
    func put(_ encoding: String, at address: UnsafeRawPointer) throws {
        let (type, count) = try ObjCType.parse(encoding)
        if let count { return try put(type, count: count, at: address) }
        try put(type, at: address)
    }

    func put(_ encoding: String, count: Int, at address: UnsafeRawPointer) throws {
        try put(ObjCType.parse(encoding).type, count: count, at: address)
    }

    private func put(_ type: ObjCType, count: Int, at address: UnsafeRawPointer) throws {
        let (node, path) = try add(.next)
        tree.set(node, to: ArchivedClass.oldStyleArray)
        frames.append(Frame(node: node, path: path))
        defer { frames.removeLast() }
        try put(count, in: .key("NS.count"))
        try put(type.size, in: .key("NS.size"))
        try put(Int(type.rawValue.asciiValue ?? 0), in: .key("NS.type"))
        for position in 0..<count {
            try put(type, at: address + position * type.size)
        }
    }

    private func put(_ type: ObjCType, at address: UnsafeRawPointer) throws {
        switch type {
        case .char: try put(address.loadUnaligned(as: Int8.self), in: .next)
        case .unsignedChar: try put(address.loadUnaligned(as: UInt8.self), in: .next)
        case .short: try put(address.loadUnaligned(as: Int16.self), in: .next)
        case .unsignedShort: try put(address.loadUnaligned(as: UInt16.self), in: .next)
        case .int, .long: try put(address.loadUnaligned(as: Int32.self), in: .next)
        case .unsignedInt, .unsignedLong: try put(address.loadUnaligned(as: UInt32.self), in: .next)
        case .longLong: try put(address.loadUnaligned(as: Int64.self), in: .next)
        case .unsignedLongLong: try put(address.loadUnaligned(as: UInt64.self), in: .next)
        case .float: try put(Double(address.loadUnaligned(as: Float.self)), in: .next)
        case .double: try put(address.loadUnaligned(as: Double.self), in: .next)
        case .bool: try put(address.loadUnaligned(as: UInt8.self) != 0, in: .next)
        case .object: try put(address.assumingMemoryBound(to: Any?.self).pointee, in: .next)
        }
    }
}

extension ObjectUnarchiver {
    func value(_ encoding: String, into address: UnsafeMutableRawPointer) throws {
        let (type, count) = try ObjCType.parse(encoding)
        if let count { return try values(type, count: count, into: address) }
        try value(type, into: address)
    }

    func values(_ encoding: String, count: Int, into address: UnsafeMutableRawPointer) throws {
        try values(ObjCType.parse(encoding).type, count: count, into: address)
    }

    /// Fills an array.
    ///
    /// The archived array must have the same length and type.
    private func values(_ type: ObjCType, count: Int, into address: UnsafeMutableRawPointer) throws {
        let path = try frame().path
        guard let index = try field(.next), let node = storage.resolve(index) else { return }
        guard storage.archivedClass(at: node)?.name == ArchivedClass.oldStyleArray.name,
            frames.count < storage.limits.depth
        else { throw TransformerError.unreadable(path, "expected an array of C values") }
        frames.append(Frame(node: node, path: path, allowed: AllowedClasses([])))
        defer { frames.removeLast() }
        guard try integer(.key("NS.count")) == count, try integer(.key("NS.type")) == type.rawValue.asciiValue else {
            throw TransformerError.unreadable(path, "expected an array of \(count) C values of the same type")
        }
        for position in 0..<count {
            try value(type, into: address + position * type.size)
        }
    }

    private func value(_ type: ObjCType, into address: UnsafeMutableRawPointer) throws {
        switch type {
        case .char: try store(Int8.self, into: address)
        case .unsignedChar: try store(UInt8.self, into: address)
        case .short: try store(Int16.self, into: address)
        case .unsignedShort: try store(UInt16.self, into: address)
        case .int, .long: try store(Int32.self, into: address)
        case .unsignedInt, .unsignedLong: try store(UInt32.self, into: address)
        case .longLong: try store(Int64.self, into: address)
        case .unsignedLongLong: try store(UInt64.self, into: address)
        case .float: address.storeBytes(of: try float(.next) ?? 0, as: Float.self)
        case .double: address.storeBytes(of: try double(.next) ?? 0, as: Double.self)
        case .bool: address.storeBytes(of: try boolean(.next) ?? false, as: Bool.self)
        case .object: address.assumingMemoryBound(to: Any?.self).pointee = try object(.next)
        }
    }

    private func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.storeBytes(of: try integer(.next) ?? Number.zero, as: type)
    }
}

/// An `NSValue` of plain C values: the text of their type, followed by the values.
extension ObjectArchiver {
    func put(_ value: NSValue) throws {
        let encoding = String(cString: value.objCType)
        let (type, count) = try ObjCType.parse(encoding)
        guard type != .object else { throw ObjCType.unsupported(encoding) }
        try put(encoding as NSString, in: .next)
        var bytes = [UInt8](repeating: 0, count: type.size * (count ?? 1))
        try bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            // The value has the type that it declares, and the buffer has the size of that type.
            value.getValue(start)
            try put(encoding, at: start)
        }
    }
}

extension ObjectUnarchiver {
    func typedValue() throws -> NSValue {
        guard let encoding = try text(.next) else { throw broken(NSValue.self) }
        let (type, count) = try ObjCType.parse(encoding)
        guard type != .object else { throw ObjCType.unsupported(encoding) }
        // An array with this number of values has the same number of fields.
        guard let node = try find("$1", in: frame()).flatMap(storage.resolve), count ?? 1 > 0,
            count ?? 1 <= max(1, Int(storage.table.nodes[node].count))
        else { throw broken(NSValue.self) }
        var bytes = [UInt8](repeating: 0, count: type.size * (count ?? 1))
        return try bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { throw broken(NSValue.self) }
            try value(encoding, into: start)
            // Foundation crashes if a type is not encoded as it expects.
            return NSValue(bytes: start, objCType: count.map { "[\($0)\(type.rawValue)]" } ?? String(type.rawValue))
        }
    }
}

extension ArchivedClass {
    /// The class that archivers use for arrays of C values.
    fileprivate static let oldStyleArray = Self("_NSKeyedCoderOldStyleArray")
}
