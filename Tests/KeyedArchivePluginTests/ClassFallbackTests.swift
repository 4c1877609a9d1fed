import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Classes that an archive names in place of one that is not known.
@Suite struct ClassFallbackTests {
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

    @Test func theFirstKnownFallbackIsRead() throws {
        let bytes = try #require(Self.pythonString)
        #expect(try ArchivedValueTransformer().decode(bytes) == "KeyArchive UID Test")
        #expect(try KeyedArchiveTransformer<String>().decode(bytes) == "KeyArchive UID Test")
        let archivedClass = try #require(Archive(bytes)["root"]?.archivedClass)
        #expect(archivedClass.name == "OC_BuiltinPythonUnicode")
        #expect(archivedClass.fallbacks == ["OC_PythonString", "NSString"])
    }

    private func object(_ fallbacks: [String]) -> ArchivedValue {
        let archivedClass = ArchivedClass("Acme.New", fallbacks: fallbacks)
        return .object(ArchivedInstance(archivedClass, fields: ["title": .object("x")]))
    }

    @Test(arguments: KeyedArchiveFormat.allCases)
    func fallbacksOfAnUnknownClassAreKept(format: KeyedArchiveFormat) throws {
        let transformer = ArchivedValueTransformer(format: format)
        let value = object(["Acme.Old", "Acme.Older"])
        #expect(try transformer.decode(transformer.encode(value)) == value)
        #expect(try ArchivedValue(json: Data(value.json.utf8)) == value)
        #expect(value != object([]))
        #expect(try Archive(transformer.encode(value)).json.contains(#""$fallbacks": ["Acme.Old", "Acme.Older"]"#))
    }

    @Test func aCodableTypeIsFoundByAFallback() throws {
        struct Titled: Codable, KeyedArchiveNamed {
            static let archiveClassName = "Acme.Old"
            var title: String
        }
        let bytes = try ArchivedValueTransformer().encode(object(["Acme.Old"]))
        #expect(try KeyedArchiveTransformer<Titled>().decode(bytes).title == "x")
        let listed = try TransformerRegistry { KeyedArchivePlugin() }
            .transformer("keyed-archive(classes: \"Acme.Old\")", for: ArchivedValue.self)
        #expect(throws: Never.self) { try listed.decode(bytes) }
    }

    @Test(arguments: ["<integer>1</integer>", "<string>Acme.Old</string>", "<array><integer>1</integer></array>"])
    func rejectsAnythingButAListOfNames(hints: String) {
        let archive = """
            <plist version="1.0"><dict>
            <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
            <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
            <key>$objects</key><array><string>$null</string>
            <dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
            <dict><key>$classname</key><string>Acme.New</string><key>$classhints</key>\(hints)</dict>
            </array></dict></plist>
            """
        let error = #expect(throws: TransformerError.self) { try Archive(Data(archive.utf8)) }
        #expect(error?.code == .invalidData)
        #expect(error?.message.contains("fallback classes of “Acme.New”") == true)
    }
}
