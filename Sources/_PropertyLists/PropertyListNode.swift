/// An object of a property list, in sixteen bytes without references to memory.
///
/// Tables of such nodes are created, copied, and freed at the speed of memory.
package struct PropertyListNode: Sendable {
    package enum Kind: UInt8, Sendable {
        case null
        case boolean
        /// `payload` is an `Int64`.
        case integer
        /// Sixteen bytes, big-endian two's complement, at `payload`.
        case wideInteger
        /// `payload` contains the bits of a `Double`.
        case real
        /// `payload` contains the bits of a `Double`: seconds since January 1, 2001, in UTC.
        case date
        case data
        case asciiString
        case utf8String
        /// `count` is the number of 16-bit code units, which are big-endian.
        case utf16String
        /// `payload` is a `UInt32`, which is the number of an object in a keyed archive.
        case uid
        case array
        case orderedSet
        case set
        /// The references from `payload` on are `count` keys, followed by as many values.
        case dictionary

        // Declared here, because the generic implementation for raw values would slow down loops over nodes.
        @inlinable @inline(__always)
        package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    }

    package var kind: Kind
    /// The text of a string, or the class of an archived object, if it is one of the known names.
    package var symbol: ArchiveSymbol?
    /// The number of bytes, 16-bit code units, elements, or pairs.
    package var count: UInt32
    /// The value, or the index of the first byte or reference.
    package var payload: UInt64

    @inlinable
    package init(_ kind: Kind, count: Int = 0, payload: UInt64 = 0, symbol: ArchiveSymbol? = nil) {
        self.kind = kind
        self.symbol = symbol
        self.count = UInt32(truncatingIfNeeded: count)
        self.payload = payload
    }

    @inlinable @inline(__always)
    package var isString: Bool {
        kind == .asciiString || kind == .utf8String || kind == .utf16String
    }

    @inlinable @inline(__always)
    package var isContainer: Bool {
        kind.rawValue >= Kind.array.rawValue
    }

    /// The index of the first byte or reference.
    ///
    /// It has no meaning for kinds without bytes and references.
    @inlinable @inline(__always)
    package var start: Int { Int(truncatingIfNeeded: payload) }

    @inlinable @inline(__always)
    package var number: Int64 { Int64(bitPattern: payload) }

    @inlinable
    package var double: Double { Double(bitPattern: payload) }

    /// The name of the kind, for messages.
    package var kindName: String {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .wideInteger: "an integer"
        case .real: "a real number"
        case .date: "a date"
        case .data: "data"
        case .asciiString, .utf8String, .utf16String: "a string"
        case .uid: "a reference"
        case .array: "an array"
        case .orderedSet, .set: "a set"
        case .dictionary: "a dictionary"
        }
    }
}
