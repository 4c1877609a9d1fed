import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

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
