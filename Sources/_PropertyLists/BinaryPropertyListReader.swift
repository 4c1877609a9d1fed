internal import Foundation
internal import Transformable

/// Reads Apple's binary property list, `bplist00`.
///
/// The format is the one in CoreFoundation's `CFBinaryPList.c`: an eight-byte header, the objects, a table of
/// their offsets, and a 32-byte trailer. All numbers are big-endian. Each object is read once, in the order of the
/// table, without recursion. Only the contents of strings and data are copied.
struct BinaryPropertyListReader {
    private static let magic = Array("bplist".utf8)
    private static let headerCount = 8
    private static let trailerCount = 32

    private let objectsEnd: Int
    private let offsets: PropertyListOffsets
    private let referenceWidth: Int
    private let objectCount: Int
    /// The number of bytes that the remaining objects can take.
    ///
    /// Together, objects take no more bytes than there are. Otherwise, they would overlap, and a small file could
    /// contain the same large object a thousand times.
    private var bytesLeft: Int
    private var table: PropertyListTable

    static func recognizes(_ data: Data) -> Bool {
        data.starts(with: magic)
    }

    static func read(_ data: Data, limits: PropertyListLimits) throws(TransformerError) -> PropertyListTable {
        var reader = try Self(data, limits: limits)
        try reader.readObjects(data.span)
        try reader.table.checkKeys()
        try reader.table.checkNesting()
        return reader.table
    }

    /// Reads the header and the trailer.
    private init(_ data: Data, limits: PropertyListLimits) throws(TransformerError) {
        let bytes = data.span
        let trailer = bytes.count - Self.trailerCount
        guard trailer > Self.headerCount else {
            throw .invalidData("the binary property list is truncated: its trailer is missing", offset: bytes.count)
        }
        guard bytes[6] == UInt8(ascii: "0") else {
            throw .invalidData("the version of the binary property list is unknown", offset: 6)
        }
        table = PropertyListTable(sourceCount: bytes.count)
        let offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetWidth, 1...8 ~= referenceWidth else {
            throw .invalidData(
                "the sizes of offsets and references in the trailer must be between 1 and 8",
                offset: trailer + 6
            )
        }
        let count = bytes.unsigned(at: trailer + 8, width: 8)
        let top = bytes.unsigned(at: trailer + 16, width: 8)
        let start = bytes.unsigned(at: trailer + 24, width: 8)
        guard start > UInt64(Self.headerCount), start < UInt64(trailer) else {
            throw .invalidData("the table of offsets is outside the property list", offset: trailer + 24)
        }
        guard count > 0, count <= UInt64(trailer - Int(start)) / UInt64(offsetWidth) else {
            throw .invalidData("the table of offsets is longer than the property list", offset: trailer + 8)
        }
        guard count <= UInt64(limits.objects) else { throw .tooManyObjects(limits.objects, offset: trailer + 8) }
        guard top < count else {
            throw .invalidData("the top object in the trailer does not exist", offset: trailer + 16)
        }
        objectsEnd = Int(start)
        objectCount = Int(count)
        bytesLeft = Int(start) - Self.headerCount
        offsets = PropertyListOffsets(data, start: Int(start), width: offsetWidth)
        table.root = Int(top)
        table.offsets = offsets
    }

    private mutating func readObjects(_ bytes: Span<UInt8>) throws(TransformerError) {
        table.nodes.reserveCapacity(objectCount)
        table.bytes.reserveCapacity(objectsEnd)
        for index in 0..<objectCount {
            let offset = bytes.unsigned(at: offsets.start + index * offsets.width, width: offsets.width)
            guard offset >= UInt64(Self.headerCount), offset < UInt64(objectsEnd) else {
                let place = offsets.start + index * offsets.width
                throw .invalidData("object \(index) is outside the property list", offset: place)
            }
            table.nodes.append(try readObject(at: Int(offset), in: bytes))
        }
    }

    private mutating func readObject(at offset: Int, in bytes: Span<UInt8>) throws(TransformerError) -> PropertyListNode
    {
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0x1: return try readInteger(at: offset, in: bytes)
        case 0x4: return try readBytes(.data, at: offset, in: bytes)
        case 0x5: return try readASCII(at: offset, in: bytes)
        case 0x6: return try readBytes(.utf16String, width: 2, at: offset, in: bytes)
        case 0x8: return try readUID(at: offset, in: bytes)
        case 0xA: return try readContainer(.array, at: offset, in: bytes)
        case 0xB: return try readContainer(.orderedSet, at: offset, in: bytes)
        case 0xC: return try readContainer(.set, at: offset, in: bytes)
        case 0xD: return try readContainer(.dictionary, at: offset, in: bytes)
        default: return try readConstantOrReal(marker, at: offset, in: bytes)
        }
    }

    private mutating func readConstantOrReal(
        _ marker: UInt8,
        at offset: Int,
        in bytes: Span<UInt8>
    ) throws(TransformerError) -> PropertyListNode {
        let end = try take(1, at: offset)
        switch marker {
        case 0x00:
            return PropertyListNode(.null)
        case 0x08, 0x09:
            return PropertyListNode(.boolean, payload: UInt64(marker & 1))
        case 0x22:
            try take(4, at: end)
            let float = Float(bitPattern: UInt32(bytes.unsigned(at: end, width: 4)))
            return PropertyListNode(.real, payload: Double(float).bitPattern)
        case 0x23, 0x33:
            try take(8, at: end)
            return PropertyListNode(marker == 0x23 ? .real : .date, payload: bytes.unsigned(at: end, width: 8))
        default:
            let name = "0x" + String(marker, radix: 16)
            throw .invalidData("an object begins with \(name), which is not a type of property lists", offset: offset)
        }
    }

    private mutating func readInteger(at offset: Int, in bytes: Span<UInt8>) throws(TransformerError)
        -> PropertyListNode
    {
        let exponent = Int(bytes[offset] & 0x0F)
        guard exponent <= 4 else {
            throw .invalidData("an integer has more than 16 bytes", offset: offset)
        }
        let start = try take(1, at: offset)
        try take(1 << exponent, at: start)
        if exponent == 4 {
            let high = bytes.unsigned(at: start, width: 8)
            let low = bytes.unsigned(at: start + 8, width: 8)
            let fits = high == (low >> 63 == 1 ? UInt64.max : 0)
            guard !fits else { return PropertyListNode(.integer, payload: low) }
            return PropertyListNode(.wideInteger, payload: UInt64(copy(16, from: start, of: bytes)))
        }
        return PropertyListNode(.integer, payload: bytes.unsigned(at: start, width: 1 << exponent))
    }

    private mutating func readUID(at offset: Int, in bytes: Span<UInt8>) throws(TransformerError) -> PropertyListNode {
        let width = Int(bytes[offset] & 0x0F) + 1
        let start = try take(1, at: offset)
        try take(width, at: start)
        let leading = max(0, width - 8)
        guard (start..<start + leading).allSatisfy({ bytes[$0] == 0 }),
            let number = UInt32(exactly: bytes.unsigned(at: start + leading, width: width - leading))
        else {
            throw .invalidData("a reference to an object does not fit in 32 bits", offset: offset)
        }
        return PropertyListNode(.uid, payload: UInt64(number))
    }

    private mutating func readASCII(at offset: Int, in bytes: Span<UInt8>) throws(TransformerError) -> PropertyListNode
    {
        var node = try readBytes(.asciiString, at: offset, in: bytes)
        let start = node.start
        let count = Int(node.count)
        var all: UInt8 = 0
        for index in start..<start + count {
            all |= table.bytes[index]
        }
        guard all < 0x80 else {
            throw .invalidData("an ASCII string contains other bytes", offset: offset)
        }
        node.symbol = ArchiveSymbol.find(table.bytes, from: start, count: count)
        return node
    }

    private mutating func readBytes(
        _ kind: PropertyListNode.Kind,
        width: Int = 1,
        at offset: Int,
        in bytes: Span<UInt8>
    ) throws(TransformerError) -> PropertyListNode {
        let (count, start) = try readCount(at: offset, width: width, in: bytes)
        try take(count * width, at: start)
        return PropertyListNode(kind, count: count, payload: UInt64(copy(count * width, from: start, of: bytes)))
    }

    /// Adds the bytes of a string or of data to the table, and returns the index of the first one.
    private mutating func copy(_ count: Int, from start: Int, of bytes: Span<UInt8>) -> Int {
        let index = table.bytes.count
        bytes.extracting(start..<start + count).withUnsafeBufferPointer { table.bytes.append(contentsOf: $0) }
        return index
    }

    private mutating func readContainer(
        _ kind: PropertyListNode.Kind,
        at offset: Int,
        in bytes: Span<UInt8>
    ) throws(TransformerError) -> PropertyListNode {
        let perElement = kind == .dictionary ? 2 : 1
        let (count, start) = try readCount(at: offset, width: perElement * referenceWidth, in: bytes)
        try take(count * perElement * referenceWidth, at: start)
        let first = table.references.count
        var place = start
        for _ in 0..<count * perElement {
            let reference = bytes.unsigned(at: place, width: referenceWidth)
            guard reference < UInt64(objectCount) else {
                throw .invalidData("a container refers to an object that does not exist", offset: place)
            }
            table.references.append(UInt32(truncatingIfNeeded: reference))
            place += referenceWidth
        }
        return PropertyListNode(kind, count: count, payload: UInt64(first))
    }

    /// Reads the number of elements that follow, from the marker or from an integer after it.
    ///
    /// The count is valid: the elements, each of the given width, end within the bytes of the objects.
    private mutating func readCount(
        at offset: Int,
        width: Int,
        in bytes: Span<UInt8>
    ) throws(TransformerError) -> (count: Int, start: Int) {
        var start = try take(1, at: offset)
        var count = UInt64(bytes[offset] & 0x0F)
        if count == 0x0F {
            guard start < objectsEnd, case let marker = bytes[start], marker & 0xFC == 0x10 else {
                throw .invalidData("a count is not an integer", offset: start)
            }
            let size = 1 << Int(marker & 0x0F)
            start = try take(1, at: start)
            try take(size, at: start)
            count = bytes.unsigned(at: start, width: size)
            start += size
        }
        guard count <= UInt64((objectsEnd - start) / width) else {
            throw .invalidData("an object is longer than the property list", offset: offset)
        }
        return (Int(count), start)
    }

    /// Counts the bytes of an object, and returns the offset after them.
    @discardableResult
    private mutating func take(_ count: Int, at offset: Int) throws(TransformerError) -> Int {
        guard count <= objectsEnd - offset else {
            throw .invalidData("an object extends beyond the property list", offset: offset)
        }
        bytesLeft -= count
        guard bytesLeft >= 0 else {
            throw .invalidData("objects of the property list overlap", offset: offset)
        }
        return offset + count
    }
}

extension Span<UInt8> {
    /// Reads an unsigned number of up to eight bytes, most significant byte first.
    @inline(__always)
    fileprivate func unsigned(at offset: Int, width: Int) -> UInt64 {
        // The most common widths of references and offsets.
        if width == 1 { return UInt64(self[offset]) }
        if width == 2 { return UInt64(self[offset]) << 8 | UInt64(self[offset + 1]) }
        var result: UInt64 = 0
        for index in offset..<offset + width {
            result = result << 8 | UInt64(self[index])
        }
        return result
    }
}
