package import Foundation
package import TransformableModel

/// A type whose values are sent and received in PostgreSQL's binary format.
///
/// The formats are those of the `typsend` and `typreceive` functions in PostgreSQL's `src/backend/utils/adt`. All
/// integers are big-endian.
package protocol PostgresCodable {
    /// The type of a parameter that takes such a value.
    static var postgresType: PostgresType { get }
    /// Returns a Boolean value that indicates whether a column of a type contains such values.
    static func canRead(_ type: UInt32) -> Bool
    /// Reads a value, which a hostile server may have made up.
    @unsafe init(wire bytes: UnsafeRawBufferPointer) throws(StoreError)
    /// Appends the value without its length.
    ///
    /// A value that may be large first requires room in the buffer.
    func write(to buffer: inout WireBuffer) throws(StoreError)
}

extension PostgresCodable {
    package static func canRead(_ type: UInt32) -> Bool {
        type == postgresType.rawValue
    }

    /// Checks the length of a value of a fixed length.
    fileprivate static func check(_ count: Int, _ expected: Int) throws(StoreError) {
        guard count == expected else { throw .malformedValue(postgresType) }
    }
}

extension FixedWidthInteger {
    /// Reads a big-endian integer from the start of the bytes, which must be long enough.
    @unsafe init(bigEndianBytes bytes: UnsafeRawBufferPointer) {
        self = unsafe Self(bigEndian: bytes.loadUnaligned(as: Self.self))
    }
}

extension Bool: PostgresCodable {
    package static var postgresType: PostgresType { .bool }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try Self.check(bytes.count, 1)
        self = unsafe bytes[0] != 0
    }

    package func write(to buffer: inout WireBuffer) {
        buffer.append(UInt8(self ? 1 : 0))
    }
}

extension Int16: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try Self.check(bytes.count, 2)
        unsafe self.init(bigEndianBytes: bytes)
    }

    package func write(to buffer: inout WireBuffer) {
        buffer.append(self)
    }
}

extension Int32: PostgresCodable {
    package static var postgresType: PostgresType { .int4 }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try Self.check(bytes.count, 4)
        unsafe self.init(bigEndianBytes: bytes)
    }

    package func write(to buffer: inout WireBuffer) {
        buffer.append(self)
    }
}

extension Int64: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }

    package static func canRead(_ type: UInt32) -> Bool {
        switch PostgresType(rawValue: type) {
        case .int2, .int4, .int8: true
        default: false
        }
    }

    /// Reads an integer of any width.
    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        switch bytes.count {
        case 8: unsafe self.init(bigEndianBytes: bytes)
        case 4: self = unsafe Int64(Int32(bigEndianBytes: bytes))
        case 2: self = unsafe Int64(Int16(bigEndianBytes: bytes))
        default: throw .malformedValue(.int8)
        }
    }

    package func write(to buffer: inout WireBuffer) {
        buffer.append(self)
    }
}

extension Double: PostgresCodable {
    package static var postgresType: PostgresType { .float8 }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try Self.check(bytes.count, 8)
        unsafe self.init(bitPattern: UInt64(bigEndianBytes: bytes))
    }

    package func write(to buffer: inout WireBuffer) {
        buffer.append(bitPattern)
    }
}

extension String: PostgresCodable {
    package static var postgresType: PostgresType { .text }

    /// The types whose binary format is text: `name`, `text`, `bpchar`, and `varchar`.
    package static func canRead(_ type: UInt32) -> Bool {
        switch type {
        case 19, 25, 1042, 1043: true
        default: false
        }
    }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw .malformedValue(.text) }
        self = text
    }

    package func write(to buffer: inout WireBuffer) throws(StoreError) {
        try buffer.requireRoom(for: utf8.count)
        var text = self
        let isStorable = text.withUTF8 { utf8 in
            if let base = utf8.baseAddress, unsafe memchr(base, 0, utf8.count) != nil { return false }
            unsafe buffer.append(UnsafeRawBufferPointer(utf8))
            return true
        }
        guard isStorable else { throw .nulInText }
    }
}

extension Data: PostgresCodable {
    package static var postgresType: PostgresType { .bytea }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) {
        unsafe self.init(bytes)
    }

    package func write(to buffer: inout WireBuffer) throws(StoreError) {
        try buffer.requireRoom(for: count)
        unsafe withUnsafeBytes { unsafe buffer.append($0) }
    }
}

extension UUID: PostgresCodable {
    package static var postgresType: PostgresType { .uuid }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try Self.check(bytes.count, 16)
        unsafe self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    package func write(to buffer: inout WireBuffer) {
        unsafe withUnsafeBytes(of: uuid) { unsafe buffer.append($0) }
    }
}

extension [Int64]: PostgresCodable {
    package static var postgresType: PostgresType { .int8Array }

    private static let headerSize = 20
    private static let elementSize = 12

    /// Reads an array of one dimension without NULL.
    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count >= 12 else { throw .malformedValue(.int8Array) }
        if unsafe Int32(bigEndianBytes: bytes) == 0, bytes.count == 12 {
            self = []
            return
        }
        let (count, rest) = (bytes.count - Self.headerSize).quotientAndRemainder(dividingBy: Self.elementSize)
        guard bytes.count >= Self.headerSize, rest == 0, unsafe Int32(bigEndianBytes: bytes) == 1,
            unsafe Int(Int32(bigEndianBytes: .init(rebasing: bytes[12...]))) == count
        else { throw .malformedValue(.int8Array) }
        self = []
        reserveCapacity(count)
        for index in 0..<count {
            let start = Self.headerSize + index * Self.elementSize
            let element = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.elementSize])
            guard unsafe Int32(bigEndianBytes: element) == 8 else { throw .malformedValue(.int8Array) }
            unsafe append(Int64(bigEndianBytes: .init(rebasing: element[4...])))
        }
    }

    /// Writes the number of dimensions, whether there are NULLs, the type, the count, the lower bound, and the elements.
    package func write(to buffer: inout WireBuffer) throws(StoreError) {
        try buffer.requireRoom(for: count * Self.elementSize)
        buffer.append(Int32(1))
        buffer.append(Int32(0))
        buffer.append(PostgresType.int8.rawValue)
        buffer.append(Int32(count))
        buffer.append(Int32(1))
        for element in self {
            buffer.append(Int32(8))
            buffer.append(element)
        }
    }
}

extension StoreError {
    static func malformedValue(_ type: PostgresType) -> Self {
        Self(.corruptFile, "the server sent a value that is not in the binary format of the type \(type)")
    }

    static var nulInText: Self {
        Self(.invalidValue, "the text contains U+0000, which PostgreSQL cannot store; remove it, or store bytes")
    }

    static var largeValue: Self {
        Self(.limitExceeded, "a value exceeds PostgreSQL's limit of a gigabyte")
    }

    static var largeMessage: Self {
        let problem = "the values of a row or statement exceed PostgreSQL's limit of a gigabyte"
        return Self(.limitExceeded, "\(problem); store large values externally, or write fewer values at once")
    }
}
