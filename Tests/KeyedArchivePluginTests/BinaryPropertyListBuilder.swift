import Foundation

/// Writes a binary property list object by object, right or wrong, after CoreFoundation's description
/// of the format and apart from the writer under test.
struct BinaryPropertyListBuilder {
    enum Object {
        case bytes([UInt8])
        case string(String)
        case integer(Int)
        case uid(Int)
        case array([Int])
        case dictionary([(key: Int, value: Int)])
    }

    var objects: [Object]
    var top = 0
    var referenceWidth = 1
    var offsetWidth = 2

    private func number(_ value: Int, width: Int) -> [UInt8] {
        (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    private func counted(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 15, 0x13] + number(count, width: 8)
    }

    private func encode(_ object: Object) -> [UInt8] {
        switch object {
        case .bytes(let bytes): bytes
        case .string(let text): counted(0x50, text.utf8.count) + Array(text.utf8)
        case .integer(let value): [0x13] + number(value, width: 8)
        case .uid(let value): [0x83] + number(value, width: 4)
        case .array(let elements):
            counted(0xA0, elements.count) + elements.flatMap { number($0, width: referenceWidth) }
        case .dictionary(let pairs):
            counted(0xD0, pairs.count)
                + (pairs.map(\.key) + pairs.map(\.value)).flatMap { number($0, width: referenceWidth) }
        }
    }

    func data(sharing shared: [Int: Int] = [:]) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(shared[index].map { offsets[$0] } ?? bytes.count)
            if shared[index] == nil { bytes += encode(object) }
        }
        let table = bytes.count
        bytes += offsets.flatMap { number($0, width: offsetWidth) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
        bytes += [objects.count, top, table].flatMap { number($0, width: 8) }
        return Data(bytes)
    }

    /// An archive whose `$objects` are the given ones behind the null.
    ///
    /// - Parameters:
    ///   - root: The number of the root object.
    ///   - archived: Builds the objects; it is given the index in the property list of the first one.
    /// - Returns: A builder of the whole archive.
    static func archive(root: Int = 1, _ archived: (Names) -> (objects: [Int], extra: [Object])) -> Self {
        var builder = Self(objects: Names.fixed)
        let (objects, extra) = archived(Names())
        builder.objects += extra
        let base = builder.objects.count
        builder.objects += [
            .uid(root), .dictionary([(Names.root, base)]), .array([Names.null] + objects),
            .dictionary([
                (Names.version, Names.number), (Names.archiver, Names.name), (Names.top, base + 1),
                (Names.objectList, base + 2),
            ]),
        ]
        builder.top = base + 3
        return builder
    }

    /// The positions of archive names in the property list.
    struct Names {
        static let fixed: [Object] = [
            .string("$null"), .string("$version"), .integer(100_000), .string("$archiver"),
            .string("NSKeyedArchiver"), .string("$top"), .string("root"), .string("$objects"), .string("$class"),
            .string("NS.objects"), .string("$classname"), .string("NSArray"), .dictionary([(10, 11)]),
        ]
        static let (null, version, number, archiver, name, top, root, objectList) = (0, 1, 2, 3, 4, 5, 6, 7)
        static let (isa, members, className, arrayClass) = (8, 9, 10, 12)

        /// The index of the first object that is added.
        let next = fixed.count
    }
}
