import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct BinaryPropertyListTests {
    typealias Names = BinaryPropertyListBuilder.Names

    /// An archive of an array of one object, which is given.
    private func archive(_ object: BinaryPropertyListBuilder.Object) -> BinaryPropertyListBuilder {
        .archive { names in
            let next = names.next
            let extra: [BinaryPropertyListBuilder.Object] = [
                .uid(3), .uid(2), .array([next + 1]), .dictionary([(Names.isa, next), (Names.members, next + 2)]),
                object,
            ]
            return ([next + 3, next + 4, Names.arrayClass], extra)
        }
    }

    @Test(arguments: 1...8, 2...8)
    func readsEveryWidth(referenceWidth: Int, offsetWidth: Int) throws {
        var builder = archive(.string("x"))
        builder.referenceWidth = referenceWidth
        builder.offsetWidth = offsetWidth
        #expect(try ArchivedValueTransformer().decode(builder.data()) == ["x"])
    }

    @Test(
        arguments: [
            ([0x10, 0xFF], .integer(255)),
            ([0x11, 0xFF, 0xFE], .integer(65_534)),
            ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
            ([0x13] + Array(repeating: 0xFF, count: 8), .integer(-1)),
            ([0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8), .integer(Int128(UInt64.max))),
            ([0x14] + Array(repeating: 0xFF, count: 16), .integer(-1)),
            ([0x14, 0x7F] + Array(repeating: 0xFF, count: 15), .integer(.max)),
            ([0x22, 0x3F, 0xC0, 0, 0], .real(1.5)),
            ([0x23, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0], .real(-1)),
            ([0x33, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .date(Date(timeIntervalSinceReferenceDate: 1.5))),
            ([0x42, 0xAB, 0xCD], .data(Data([0xAB, 0xCD]))),
            ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .string("😀")),
            ([0x5F, 0x10, 0x01, 0x61], .string("a")),
            ([0x08], .boolean(false)),
            ([0x09], .boolean(true)),
        ] as [([UInt8], ArchivedValue)]
    )
    func readsScalars(bytes: [UInt8], value: ArchivedValue) throws {
        #expect(try ArchivedValueTransformer().decode(archive(.bytes(bytes)).data()) == .array([value]))
    }

    @Test(arguments: [
        [0x15] as [UInt8], [0x24], [0x30], [0x01], [0x70], [0x90], [0xE0], [0xF0], [0x51, 0x80],
        [0x5F, 0x10, 0xFF, 0x61], [0x5F, 0x50, 0x61], [0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0x88, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0x84, 1, 0, 0, 0, 0], [0x62, 0xD8, 0x00, 0x00, 0x41], [0xA1, 0xFF],
        [0xAF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF], [0xD1, 0x02, 0x02], [0x80, 99], [0xA0], [0x00],
    ])
    func rejectsMalformedObjects(bytes: [UInt8]) {
        let error = #expect(throws: TransformerError.self) {
            try ArchivedValueTransformer().decode(archive(.bytes(bytes)).data())
        }
        #expect(error?.code == .invalidData)
    }

    @Test func rejectsContainersThatContainThemselves() {
        var builder = archive(.string("x"))
        builder.objects.append(.array([builder.objects.count]))
        let error = #expect(throws: TransformerError.self) { try Archive(builder.data()) }
        #expect(error?.code == .invalidData)
    }

    /// A hundred objects that all claim the same array of a thousand elements.
    @Test func rejectsOverlappingObjects() {
        var builder = archive(.string("x"))
        builder.referenceWidth = 2
        let first = builder.objects.count
        builder.objects.append(.array(Array(repeating: 0, count: 1_000)))
        var shared: [Int: Int] = [:]
        for index in 1...100 {
            builder.objects.append(.string(""))
            shared[first + index] = first
        }
        let error = #expect(throws: TransformerError.self) { try Archive(builder.data(sharing: shared)) }
        #expect(error?.code == .invalidData)
        #expect(error?.message == "objects of the property list overlap")
    }

    /// The widths, and the most significant bytes of the count, the top object and the table's place.
    ///
    /// An error about a width has the place of the first one.
    @Test(arguments: [(26, 26), (25, 26), (24, 24), (16, 16), (8, 8)])
    func rejectsHostileTrailers(distanceFromEnd: Int, reported: Int) {
        let data = archive(.string("x")).data()
        for byte: UInt8 in [0x7F, 0xFF, 0x80] {
            var broken = data
            broken[broken.count - distanceFromEnd] = byte
            let error = #expect(throws: TransformerError.self) { try Archive(broken) }
            #expect(error?.code == .invalidData)
            #expect(error?.offset == broken.count - reported)
        }
    }

    @Test func readsSlices() throws {
        let data = Data([1, 2, 3]) + archive(.string("x")).data()
        #expect(try ArchivedValueTransformer().decode(data.dropFirst(3)) == ["x"])
    }
}
