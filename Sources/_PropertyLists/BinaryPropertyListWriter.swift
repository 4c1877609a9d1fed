package import Foundation

/// Writes a table as Apple's binary property list, `bplist00`.
///
/// Every node is written, in the order of the table. Nodes that are shared in the table are shared in the file.
package struct BinaryPropertyListWriter {
    private let table: PropertyListTable
    private let referenceWidth: Int
    /// The pieces that are complete.
    ///
    /// Only the last piece can be in memory twice.
    private var data = Data()
    private var output: [UInt8] = Array("bplist00".utf8)

    private static let piece = 1 << 16

    package static func write(_ table: PropertyListTable) -> Data {
        var writer = Self(table)
        writer.writeAll()
        return writer.data
    }

    private init(_ table: PropertyListTable) {
        self.table = table
        referenceWidth = Self.width(of: table.nodes.count - 1)
        let estimate = table.bytes.count + table.nodes.count * 9 + table.references.count * referenceWidth + 64
        output.reserveCapacity(min(estimate, 2 * Self.piece))
        // Memory that is never touched costs nothing, whereas growing would temporarily require twice the memory.
        if estimate > Self.piece { data.reserveCapacity(estimate) }
    }

    /// The number of bytes that were written.
    private var count: Int { data.count + output.count }

    private mutating func flush() {
        data.append(contentsOf: output)
        output.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count < Self.piece else {
            flush()
            data.append(contentsOf: bytes)
            return
        }
        output.append(contentsOf: bytes)
    }

    /// Returns the number of bytes that a number takes: 1, 2, 4, or 8, as written by Apple's frameworks.
    private static func width(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }

    private mutating func writeAll() {
        var offsets: [Int] = []
        offsets.reserveCapacity(table.nodes.count)
        for node in table.nodes {
            offsets.append(count)
            write(node)
            if output.count >= Self.piece { flush() }
        }
        let start = count
        let width = Self.width(of: start)
        for offset in offsets {
            append(UInt64(offset), width: width)
            if output.count >= Self.piece { flush() }
        }
        output += [0, 0, 0, 0, 0, 0, UInt8(width), UInt8(referenceWidth)]
        append(UInt64(table.nodes.count), width: 8)
        append(UInt64(table.root), width: 8)
        append(UInt64(start), width: 8)
        flush()
    }

    private mutating func write(_ node: PropertyListNode) {
        switch node.kind {
        case .null: output.append(0x00)
        case .boolean: output.append(0x08 | UInt8(node.payload & 1))
        case .integer: append(node.number)
        case .wideInteger: appendBytes(of: node, marker: 0x14, count: 16)
        case .real: append(node.payload, marker: 0x23, width: 8)
        case .date: append(node.payload, marker: 0x33, width: 8)
        case .uid: appendUID(node.payload)
        case .data: appendCounted(node, marker: 0x40, width: 1)
        case .asciiString: appendCounted(node, marker: 0x50, width: 1)
        case .utf16String: appendCounted(node, marker: 0x60, width: 2)
        case .utf8String: appendUTF16(node)
        case .array: appendContainer(node, marker: 0xA0, perElement: 1)
        case .orderedSet: appendContainer(node, marker: 0xB0, perElement: 1)
        case .set: appendContainer(node, marker: 0xC0, perElement: 1)
        case .dictionary: appendContainer(node, marker: 0xD0, perElement: 2)
        }
    }

    /// Appends the low bytes of a number, with the most significant byte first.
    private mutating func append(_ number: UInt64, width: Int) {
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    private mutating func append(_ number: UInt64, marker: UInt8, width: Int) {
        output.append(marker)
        append(number, width: width)
    }

    /// Appends an integer, which is unsigned if it has one, two, or four bytes, and signed if it has eight.
    private mutating func append(_ number: Int64) {
        switch number {
        case 0...0xFF: append(UInt64(number), marker: 0x10, width: 1)
        case 0x100...0xFFFF: append(UInt64(number), marker: 0x11, width: 2)
        case 0x1_0000...0xFFFF_FFFF: append(UInt64(number), marker: 0x12, width: 4)
        default: append(UInt64(bitPattern: number), marker: 0x13, width: 8)
        }
    }

    private mutating func appendUID(_ number: UInt64) {
        let width = Self.width(of: Int(number))
        append(number, marker: 0x80 | UInt8(width - 1), width: width)
    }

    private mutating func appendCount(_ count: Int, marker: UInt8) {
        if count < 0x0F {
            output.append(marker | UInt8(count))
        } else {
            output.append(marker | 0x0F)
            append(Int64(count))
        }
    }

    private mutating func appendBytes(of node: PropertyListNode, marker: UInt8, count: Int) {
        output.append(marker)
        let start = node.start
        append(table.bytes[start..<start + count])
    }

    private mutating func appendCounted(_ node: PropertyListNode, marker: UInt8, width: Int) {
        appendCount(Int(node.count), marker: marker)
        let start = node.start
        append(table.bytes[start..<start + Int(node.count) * width])
    }

    private mutating func appendUTF16(_ node: PropertyListNode) {
        let start = node.start
        let units = String(decoding: table.bytes[start..<start + Int(node.count)], as: UTF8.self).utf16
        appendCount(units.count, marker: 0x60)
        for unit in units {
            append(UInt64(unit), width: 2)
        }
    }

    private mutating func appendContainer(_ node: PropertyListNode, marker: UInt8, perElement: Int) {
        appendCount(Int(node.count), marker: marker)
        let start = node.start
        for reference in table.references[start..<start + Int(node.count) * perElement] {
            append(UInt64(reference), width: referenceWidth)
        }
    }
}
