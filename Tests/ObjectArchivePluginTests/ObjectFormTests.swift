import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

/// Classes that Apple's Foundation archives in another form than Foundation on Linux.
///
/// Both forms are read and written.
@Suite struct ObjectFormTests {
    private typealias Fields = [String: ArchivedInstance.FieldValue]

    private func read<Object>(_ type: Object.Type, _ name: String, _ fields: Fields) throws -> Object
    where Object: NSObject & NSSecureCoding {
        let instance = ArchivedInstance(ArchivedClass(name), fields: fields)
        return try ObjectArchiveTransformer<Object>().decode(ArchivedValueTransformer().encode(.object(instance)))
    }

    private func archived<Object>(_ object: Object) throws -> ArchivedObject
    where Object: NSObject & NSSecureCoding {
        try #require(Archive(ObjectArchiveTransformer<Object>().encode(object))["root"])
    }

    /// The scale, the translation, both, or everything: big-endian floats (IEEE 754, binary32).
    static let transforms: [([UInt8], [Double])] = [
        ([], [1, 0, 0, 1, 0, 0]),
        ([1, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0], [1, 0, 0, 1, 5, 6]),
        ([2, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0], [2, 0, 0, 3, 0, 0]),
        ([0x40, 0, 0, 0, 0x40, 0x40, 0, 0, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0], [2, 0, 0, 3, 5, 6]),
        (
            [0x3F, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0, 0x40, 0x80, 0, 0, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0],
            [1, 2, 3, 4, 5, 6]
        ),
    ]

    @Test(arguments: transforms)
    func readsAndWritesTransformsLikeApple(bytes: [UInt8], numbers: [Double]) throws {
        let field = "NSTransformStruct"
        let fields: Fields = bytes.isEmpty ? [:] : [field: .inline(.data(Data(bytes)))]
        let transform = try read(NSAffineTransform.self, "NSAffineTransform", fields)
        let parts = transform.transformStruct
        #expect([parts.m11, parts.m12, parts.m21, parts.m22, parts.tX, parts.tY] == numbers.map { CGFloat($0) })
        let written = try archived(transform)[field]?.data
        #expect(written == (bytes.isEmpty ? nil : Data(bytes)))
    }

    @Test(arguments: [[], [1, 2, 3], Array(repeating: 0, count: 25)] as [[UInt8]])
    func rejectsTransformsOfOtherLengths(bytes: [UInt8]) {
        let error = #expect(throws: TransformerError.self) {
            try read(NSAffineTransform.self, "NSAffineTransform", ["NSTransformStruct": .inline(.data(Data(bytes)))])
        }
        #expect(error?.code == .invalidData)
    }

    /// `-[NSPersonNameComponents encodeWithCoder:]` stores its parts in an object of a private class.
    @Test func readsAndWritesNamesLikeApple() throws {
        let parts = ArchivedInstance(
            ArchivedClass("_NSPersonNameComponentsData"),
            fields: ["NS.givenName": .object("Ada"), "NS.familyName": .object("Lovelace"), "NS.nickname": .object(nil)]
        )
        let name = try read(
            NSPersonNameComponents.self,
            "NSPersonNameComponents",
            ["NS.nameComponentsPrivate": .object(.object(parts))]
        )
        #expect(name.givenName == "Ada")
        #expect(name.familyName == "Lovelace")
        #expect(name.nickname == nil)
        let root = try archived(name)
        #expect(root["NS.givenName"]?.string == "Ada")
        #expect(root["NS.nameComponentsPrivate"]?.archivedClass?.name == "_NSPersonNameComponentsData")
        #expect(root["NS.nameComponentsPrivate"]?["NS.familyName"]?.string == "Lovelace")
    }

    /// The pronunciation is a name inside the object of the private class.
    @Test func readsAndWritesPhoneticNamesLikeApple() throws {
        func name(_ fields: Fields) -> ArchivedValue {
            let parts = ArchivedInstance(ArchivedClass("_NSPersonNameComponentsData"), fields: fields)
            let whole: Fields = ["NS.nameComponentsPrivate": .object(.object(parts))]
            return .object(ArchivedInstance(ArchivedClass("NSPersonNameComponents"), fields: whole))
        }
        let phonetic = name(["NS.givenName": .object("たろう"), "NS.phoneticRepresentation": .object(nil)])
        let value = name(["NS.givenName": .object("太郎"), "NS.phoneticRepresentation": .object(phonetic)])
        let transformer = ObjectArchiveTransformer<NSPersonNameComponents>()
        let read = try transformer.decode(ArchivedValueTransformer().encode(value))
        #expect(read.givenName == "太郎")
        #expect(read.phoneticRepresentation?.givenName == "たろう")
        let written = try #require(archived(read)["NS.nameComponentsPrivate"]?["NS.phoneticRepresentation"])
        #expect(written.archivedClass?.name == "NSPersonNameComponents")
        #expect(written["NS.nameComponentsPrivate"]?["NS.givenName"]?.string == "たろう")
        let again = try transformer.decode(transformer.encode(read))
        #expect(again.phoneticRepresentation?.givenName == "たろう")
    }

    @Test func rejectsNamesWithOtherParts() {
        let error = #expect(throws: TransformerError.self) {
            try read(
                NSPersonNameComponents.self,
                "NSPersonNameComponents",
                ["NS.nameComponentsPrivate": .object("Ada")]
            )
        }
        #expect(error?.code == .invalidData)
    }

    @Test(arguments: ["NS.leapMonth", "NS.isLeapMonth"], [ArchivedValue.integer(1), .boolean(true)])
    func readsAndWritesLeapMonthsLikeApple(field: String, flag: ArchivedValue) throws {
        let components = try read(NSDateComponents.self, "NSDateComponents", [field: .inline(flag)])
        #expect(components.isLeapMonth)
        let root = try archived(components)
        #expect(root["NS.leapMonth"]?.integer == 1)
        #expect(root["NS.isLeapMonth"]?.boolean == true)
        components.isLeapMonth = false
        let transformer = ObjectArchiveTransformer<NSDateComponents>()
        #expect(try transformer.decode(transformer.encode(components)).isLeapMonth == false)
    }
}
