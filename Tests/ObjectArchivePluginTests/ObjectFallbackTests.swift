import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

/// Classes that an archive names in place of one that is not known, when objects are created.
@Suite struct ObjectFallbackTests {
    /// A string of PyObjC's on a Mac, from the tests of CPython's plistlib (PSF License).
    static let pythonString = Data(
        base64Encoded: """
            YnBsaXN0MDDUAQIDBAUGHB1YJHZlcnNpb25YJG9iamVjdHNZJGFyY2hpdmVyVCR0b3ASAAGGoKMHCA9VJG51bGzTCQoLDA0OVnB5dHlwZVYk\
            Y2xhc3NZTlMuc3RyaW5nEAGAAl8QE0tleUFyY2hpdmUgVUlEIFRlc3TTEBESExQZWiRjbGFzc25hbWVYJGNsYXNzZXNbJGNsYXNzaGludHNf\
            EBdPQ19CdWlsdGluUHl0aG9uVW5pY29kZaQVFhcYXxAXT0NfQnVpbHRpblB5dGhvblVuaWNvZGVfEBBPQ19QeXRob25Vbmljb2RlWE5TU3Ry\
            aW5nWE5TT2JqZWN0ohobXxAPT0NfUHl0aG9uU3RyaW5nWE5TU3RyaW5nXxAPTlNLZXllZEFyY2hpdmVy0R4fVHJvb3SAAQAIABEAGgAjAC0A\
            MgA3ADsAQQBIAE8AVgBgAGIAZAB6AIEAjACVAKEAuwDAANoA7QD2AP8BAgEUAR0BLwEyATcAAAAAAAACAQAAAAAAAAAgAAAAAAAAAAAAAAAA\
            AAABOQ==
            """
    )

    private func object(_ fallbacks: [String]) -> ArchivedValue {
        let archivedClass = ArchivedClass("Acme.New", fallbacks: fallbacks)
        return .object(ArchivedInstance(archivedClass, fields: ["title": .object("x")]))
    }

    @Test func theFirstKnownFallbackIsDecoded() throws {
        let bytes = try #require(Self.pythonString)
        #expect(try ObjectArchiveTransformer<NSString>().decode(bytes) == "KeyArchive UID Test")
    }

    @Test func theFirstAllowedFallbackIsDecoded() throws {
        var classes = ArchiveClasses()
        classes.add(Node.self, as: "Acme.Old")
        let bytes = try ArchivedValueTransformer().encode(object(["Acme.Other", "Acme.Old"]))
        #expect(try ObjectArchiveTransformer<Node>(classes: classes).decode(bytes).title == "x")
        let mixed = try ArchivedValueTransformer().encode(object(["NSString", "Acme.Old"]))
        #expect(try ObjectArchiveTransformer<Node>(classes: classes).decode(mixed).title == "x")
        let error = #expect(throws: TransformerError.self) { try ObjectArchiveTransformer<Node>().decode(bytes) }
        #expect(error?.code == .unexpectedClass)
        #expect(error?.message.contains("Acme.New") == true)
    }

    @Test func aClassDeclaresItsFallbacks() throws {
        let bytes = try ObjectArchiveTransformer<Successor>().encode(Successor())
        #expect(try Archive(bytes)["root"]?.archivedClass?.fallbacks == ["Acme.Predecessor"])
        let foundation = try NSKeyedArchiver.archivedData(withRootObject: Successor(), requiringSecureCoding: false)
        #expect(try Archive(foundation)["root"]?.archivedClass?.fallbacks == ["Acme.Predecessor"])
    }
}

/// Says which class an older program may make in its place.
final class Successor: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
    override class func classFallbacksForKeyedArchiver() -> [String] { ["Acme.Predecessor"] }
}
