import Foundation
import Testing
import Transformable

struct ByteTextTests {
    // RFC 4648, section 10.
    @Test(arguments: [("", ""), ("f", "66"), ("fo", "666F"), ("foobar", "666F6F626172")])
    func readsAndWritesHexadecimalDigits(text: String, digits: String) {
        #expect(HexadecimalText.text(of: text.utf8, uppercase: true) == digits)
        #expect(HexadecimalText.text(of: text.utf8) == digits.lowercased())
        #expect(HexadecimalText.bytes(of: digits.utf8) == Array(text.utf8))
        #expect(HexadecimalText.bytes(of: digits.lowercased().utf8) == Array(text.utf8))
    }

    @Test(arguments: ["6", "6g", "+f", " 66", "６６"])
    func rejectsWhatIsNotPairsOfHexadecimalDigits(digits: String) {
        #expect(HexadecimalText.bytes(of: digits.utf8) == nil)
    }

    // RFC 4648, section 10.
    @Test(arguments: [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), (" Zm9v\r\n\tYmFy ", "foobar")])
    func readsBase64(text: String, bytes: String) {
        #expect(Base64Text.bytes(of: text.utf8) == Data(bytes.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "=", "====", "Zg=v", "Zg==Zm9v", "Zm9v=", "Zm9v==", "Zm9v====", "Zm-_"])
    func rejectsBase64WithoutTheExactPadding(text: String) {
        #expect(Base64Text.bytes(of: text.utf8) == nil)
    }
}
