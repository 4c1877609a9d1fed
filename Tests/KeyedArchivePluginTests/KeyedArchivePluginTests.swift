import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct KeyedArchivePluginTests {
    private func registry() throws -> TransformerRegistry {
        try TransformerRegistry { KeyedArchivePlugin() }
    }

    @Test func supportsAnyCodableType() throws {
        let transformer = try registry().transformer("keyed-archive(format: xml)", for: [String: Int].self)
        let bytes = try transformer.encode(["a": 1])
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("<?xml"))
        #expect(try transformer.decode(bytes) == ["a": 1])
    }

    @Test func decodesArchivedValuesIfNoTypeIsRequested() throws {
        let resolved = try registry().resolve("keyed-archive")
        #expect(resolved.valueType is ArchivedValue.Type)
        let form = try #require(resolved.form)
        let bytes = try resolved.encode(any: form.parse(Data(#"{"a": {"$set": [1, 1.0]}}"#.utf8)), in: .none)
        let printed = try form.print(resolved.decode(any: bytes, in: .none), nil)
        #expect(String(decoding: printed, as: UTF8.self) == "{\n  \"a\": {\"$set\": [1, 1.0]}\n}\n")
    }

    /// An archive of a megabyte can repeat its text thousands of times.
    @Test func refusesJSONThatIsOutOfProportion() throws {
        let text = ArchivedValue.string(String(repeating: "x", count: 1 << 20))
        let form = try #require(try registry().resolve("keyed-archive").form)
        let value = ArchivedValue.array(ArchivedArray(Array(repeating: ["a": text], count: 1024)))
        let error = #expect(throws: TransformerError.self) { try form.print(value, nil) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func rejectsOtherTypes() {
        struct Opaque {}
        let error = #expect(throws: TransformerError.self) {
            try registry().transformer("keyed-archive", for: Opaque.self)
        }
        #expect(error?.code == .unsupportedType)
    }

    @Test func onlyTheRootIsInTheSignature() throws {
        let signature = try registry().resolve("keyed-archive(format: xml, root: \"$0\")").signature
        #expect(signature.description == "keyed-archive/1(root: \"$0\")")
    }

    @Test func errorsListTheTopLevelObjects() throws {
        let bytes = try ArchivedValueTransformer(root: "first").encode(1)
        let error = #expect(throws: TransformerError.self) { try ArchivedValueTransformer().decode(bytes) }
        #expect(error?.code == .missingRoot)
        #expect(error?.message.contains("it has “first”") == true)
    }

    @Test func inspectsArchivesOfUnknownClasses() throws {
        let bytes = try ArchivedValueTransformer().encode(ArchivedValueTransformerTests.everything)
        let inspections = try registry().inspectors.compactMap { try $0.inspect(bytes) }
        let inspection = try #require(inspections.first)
        #expect(inspection.kind == "keyed archive")
        #expect(inspection.facts.first { $0.label == "classes" }?.value.contains("Acme.Thing") == true)
        #expect(inspection.details?.contains("Acme.Thing\n") == true)
    }

    @Test func listsAFewTopLevelObjects() throws {
        let names = [String(repeating: "x", count: 300)] + (1..<150).map { "object\($0)" }
        let pairs = names.map { "<key>\($0)</key><dict><key>CF$UID</key><integer>0</integer></dict>" }.joined()
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict>\(pairs)</dict><key>$objects</key><array><string>$null</string></array></dict></plist>
            """
        let inspections = try registry().inspectors.compactMap { try $0.inspect(Data(text.utf8)) }
        let top = try #require(inspections.first?.facts.first { $0.label == "top" }?.value)
        let shown = top.components(separatedBy: ", ")
        #expect(shown.count == 101)
        #expect(shown.first == String(repeating: "x", count: 200) + "…")
        #expect(Array(shown.suffix(2)) == ["object99", "…"])
        let error = #expect(throws: TransformerError.self) { try ArchivedValueTransformer().decode(Data(text.utf8)) }
        #expect(error?.message.contains("“object7”") == true)
        #expect(error?.message.contains("“object8”") == false)
    }

    @Test func inspectsPropertyLists() throws {
        let list: [String: Any] = ["a": [1, 2.5, true], "b": Data([1])]
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        let inspections = try registry().inspectors.compactMap { try $0.inspect(bytes) }
        #expect(inspections.map(\.kind) == ["property list"])
        #expect(
            inspections.first?.details
                == "dictionary of 2\n  a: array of 3\n    1\n    2.5\n    true\n  b: 1 byte: 01\n"
        )
    }

    @Test func keysAndTextWithNewlinesStayOnTheirLines() throws {
        let list = ["a\n  b": "c\n  d"]
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let inspections = try registry().inspectors.compactMap { try $0.inspect(bytes) }
        #expect(inspections.first?.details == "dictionary of 1\n  a\\n  b: “c\\n  d”\n")
    }

    @Test func namesOfTopLevelObjectsWithNewlinesStayOnTheirLines() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict><key>a\n  b</key><dict><key>CF$UID</key><integer>0</integer></dict></dict>
            <key>$objects</key><array><string>$null</string></array></dict></plist>
            """
        #expect(try Archive(Data(text.utf8)).description == "a\\n  b: nil\n")
    }

    @Test func ignoresOtherBytes() throws {
        for bytes in [Data(), Data([0x89, 0x50]), Data("hello".utf8)] {
            #expect(try registry().inspectors.allSatisfy { try $0.inspect(bytes) == nil })
        }
    }

    @Test func describesTheDamageOfPropertyLists() throws {
        let bytes = try ArchivedValueTransformer().encode(1).dropLast()
        #expect(throws: TransformerError.invalidData("")) {
            _ = try registry().inspectors.map { try $0.inspect(bytes) }
        }
    }
}
