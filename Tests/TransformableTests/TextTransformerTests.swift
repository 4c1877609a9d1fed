import Foundation
import Testing
import Transformable

@Suite struct TextTransformerTests {
    /// “é😀” is U+E9 U+1F600; the bytes were worked out by hand from RFC 3629 and RFC 2781.
    @Test(
        arguments: [
            (TextEncoding.utf8, [0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80]),
            (.utf16, [0xFE, 0xFF, 0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00]),
            (.utf16BigEndian, [0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00]),
            (.utf16LittleEndian, [0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE]),
        ] as [(TextEncoding, [UInt8])]
    )
    func writesTheBytesOfItsEncoding(encoding: TextEncoding, bytes: [UInt8]) throws {
        let transformer = TextTransformer(encoding: encoding)
        #expect(try transformer.encode("é😀") == Data(bytes))
        #expect(try transformer.decode(Data(bytes)) == "é😀")
    }

    @Test func writesLatin1() throws {
        let transformer = TextTransformer(encoding: .latin1)
        #expect(try transformer.encode("naïve\u{0}ÿ") == Data([0x6E, 0x61, 0xEF, 0x76, 0x65, 0x00, 0xFF]))
        #expect(try transformer.decode(Data(0...255)).unicodeScalars.map(\.value) == Array(0...255))
    }

    @Test func rejectsCharactersThatLatin1Lacks() {
        let error = #expect(throws: TransformerError.self) { try TextTransformer(encoding: .latin1).encode("1 €") }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("U+20AC") == true)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF], 1), ([0xC3], 0), ([0x61, 0xC3, 0x28], 1), ([0xC0, 0x80], 0), ([0xED, 0xA0, 0x80], 0),
            ([0xF4, 0x90, 0x80, 0x80], 0), ([0xE2, 0x82, 0xAC, 0x80], 3),
        ] as [([UInt8], Int)]
    )
    func errorsIncludeTheOffsetOfInvalidUTF8(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: TransformerError.self) { try TextTransformer().decode(Data(bytes)) }
        #expect(error?.code == .invalidData)
        #expect(error?.offset == offset)
    }

    @Test(
        arguments: [
            (TextEncoding.utf16BigEndian, [0x00]), (.utf16BigEndian, [0xD8, 0x3D]), (.utf16BigEndian, [0xDE, 0x00]),
            (.utf16LittleEndian, [0x3D, 0xD8, 0x41, 0x00]), (.utf16, [0xFF, 0xFE, 0x00]),
        ] as [(TextEncoding, [UInt8])]
    )
    func rejectsInvalidUTF16(encoding: TextEncoding, bytes: [UInt8]) {
        #expect(throws: TransformerError.invalidData("")) {
            try TextTransformer(encoding: encoding).decode(Data(bytes))
        }
    }

    @Test func readsEitherByteOrderByItsMark() throws {
        let transformer = TextTransformer(encoding: .utf16)
        #expect(try transformer.decode(Data([0xFF, 0xFE, 0x41, 0x00])) == "A")
        #expect(try transformer.decode(Data([0xFE, 0xFF, 0x00, 0x41])) == "A")
        #expect(try transformer.decode(Data([0x00, 0x41])) == "A")
    }

    @Test func preservesNormalization() throws {
        let decomposed = "e\u{301}"
        let bytes = try TextTransformer().encode(decomposed)
        #expect(bytes == Data([0x65, 0xCC, 0x81]))
        #expect(try TextTransformer().decode(bytes).unicodeScalars.count == 2)
        #expect(!TextTransformer().traits.contains(.canonical))
    }

    @Test func readsASlice() throws {
        let bytes = Data([0xFF, 0xFF, 0xC3, 0xA9, 0xFF]).dropFirst(2).dropLast()
        #expect(try TextTransformer().decode(bytes) == "é")
        #expect(try TextTransformer(encoding: .utf16BigEndian).decode(bytes).unicodeScalars.map(\.value) == [0xC3A9])
        let broken = Data([0x41, 0x41, 0xFF]).dropFirst()
        let error = #expect(throws: TransformerError.self) { try TextTransformer().decode(broken) }
        #expect(error?.offset == 1)
    }
}
