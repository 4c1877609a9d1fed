import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct XMLPropertyListTests {
    /// An archive of one object, given as XML.
    private func archive(_ object: String, prolog: String = "<?xml version=\"1.0\"?>") -> Data {
        let text = """
            \(prolog)<plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$version</key><integer>100000</integer>
            <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
            <key>$objects</key><array><string>$null</string>\(object)</array></dict></plist>
            """
        return Data(text.utf8)
    }

    @Test(arguments: [
        ("<string>a&lt;&#65;&#x1F600;&amp;</string>", ArchivedValue.string("a<A😀&")),
        ("<string> <![CDATA[<b>]]> c<!-- d --></string>", " <b> c"),
        ("<string/>", ""),
        ("<integer> -12 </integer>", -12),
        ("<integer>0xFF</integer>", 255),
        ("<integer>-0x10</integer>", -16),
        ("<integer>18446744073709551615</integer>", .integer(Int128(UInt64.max))),
        ("<real>1e3</real>", 1_000.0),
        ("<real>-infinity</real>", .real(-.infinity)),
        ("<true/>", true),
        ("<false></false>", false),
        ("<data>\n\tAAEC\n\t</data>", .data(Data([0, 1, 2]))),
        ("<data/>", .data(Data())),
        ("<date>2008-05-11T20:05:12Z</date>", .date(Date(timeIntervalSince1970: 1_210_536_312))),
    ])
    func readsElements(element: String, value: ArchivedValue) throws {
        #expect(try ArchivedValueTransformer().decode(archive(element)) == value)
    }

    @Test(arguments: [
        "<string>&unknown;</string>", "<string>&#xD800;</string>", "<string>a", "<integer>1.5</integer>",
        "<integer></integer>", "<real>x</real>", "<data>A</data>", "<data>A?==</data>", "<date>today</date>",
        "<date>2008-13-11T20:05:12Z</date>", "<what/>", "<key>a</key>", "<dict><string>a</string></dict>",
        "<dict><key>a</key></dict>", "<array>", "</array>", "<string>a</integer>", "<plist><true/></plist>", "text",
        "<string>&#+65;</string>", "<string>&#x+41;</string>", "<integer>0x-5</integer>", "<integer>0x+5</integer>",
        "<integer>-0x-5</integer>", "<integer>0x</integer>", "<integer>-+5</integer>",
        "<date>2008-+5-11T20:05:12Z</date>", "<date>+2008-05-11T20:05:12Z</date>",
    ])
    func rejectsMalformedElements(element: String) {
        let error = #expect(throws: TransformerError.self) {
            try ArchivedValueTransformer().decode(archive(element))
        }
        #expect(error?.code == .invalidData)
    }

    @Test func readsUTF16AndByteOrderMarks() throws {
        let text = String(decoding: archive("<string>é</string>"), as: UTF8.self)
        let utf16 = try #require(text.data(using: .utf16))
        #expect(try ArchivedValueTransformer().decode(utf16) == "é")
        #expect(try ArchivedValueTransformer().decode(Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)) == "é")
    }

    @Test func rejectsEntityDeclarations() {
        let prolog = "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]>"
        #expect(throws: TransformerError(.unsupported, "")) {
            try Archive(archive("<string>&a;</string>", prolog: prolog))
        }
    }

    @Test func deepNestingIsAnError() {
        let data = Data(("<plist>" + String(repeating: "<array>", count: 100_000)).utf8)
        let error = #expect(throws: TransformerError.self) { try Archive(data) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [KeyedArchiveFormat.binary, .xml])
    func controlCharactersRoundTrip(format: KeyedArchiveFormat) throws {
        let value: ArchivedValue = "a\u{1}b\u{1F}"
        let transformer = ArchivedValueTransformer(format: format)
        #expect(try transformer.decode(transformer.encode(value)) == value)
    }
}

/// XML has no control characters, and Apple's property lists in XML have them all the same.
@Suite struct ControlCharacterTests {
    static let text = String(String.UnicodeScalarView((1..<0x20).compactMap { Unicode.Scalar($0) })) + "end"

    @Test func foundationReadsOurControlCharacters() throws {
        let bytes = try ArchivedValueTransformer(format: .xml).encode(.string(Self.text))
        let classes = [NSString.self]
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: bytes) as? String
        #expect(read == Self.text)
    }

    @Test func weReadFoundationsControlCharacters() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        archiver.encode(Self.text as NSString, forKey: "root")
        archiver.finishEncoding()
        #expect(try ArchivedValueTransformer().decode(archiver.encodedData) == .string(Self.text))
    }
}
