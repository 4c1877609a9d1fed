import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct ArchiveTests {
    private func archive() throws -> Archive {
        let url = ArchivedValue.url(ArchivedURL("foo.xml", bases: ["https://www.example.com"]))
        let thing = ArchivedInstance(ArchivedClass("Acme.Thing"), fields: ["size": .inline(2.5), "url": .object(url)])
        return try Archive(ArchivedValueTransformer().encode([.object(thing), url, "text"]))
    }

    @Test func showsClassesAndFields() throws {
        let archive = try archive()
        let root = try #require(archive["root"])
        #expect(root.archivedClass?.name == "NSArray")
        #expect(root.archivedClass?.chain == ["NSArray", "NSObject"])
        let thing = try #require(root["NS.objects"]?[0])
        #expect(thing.kind == .instance)
        #expect(thing["size"]?.real == 2.5)
        #expect(thing["size"]?.number == nil)
        #expect(thing["url"]?["NS.relative"]?.string == "foo.xml")
        #expect(thing["url"]?["NS.base"]?["NS.base"]?.kind == .null)
        #expect(Set(archive.classes.map(\.name)) == ["NSArray", "Acme.Thing", "NSURL"])
        #expect(archive["nothing"] == nil)
    }

    @Test func printsATree() throws {
        let expected = """
            root: #1 NSArray
              NS.objects: list of 3
                #2 Acme.Thing
                  size: 2.5
                  url: #3 NSURL
                    NS.base: #4 NSURL
                      NS.base: nil
                      NS.relative: #5 “https://www.example.com”
                    NS.relative: #7 “foo.xml”
                #9 NSURL
                  NS.base: #10 NSURL
                    NS.base: nil
                    NS.relative: #5 “https://www.example.com”
                  NS.relative: #7 “foo.xml”
                #11 “text”

            """
        #expect(try archive().description == expected)
    }

    @Test func printsJSON() throws {
        let json = try archive().json
        let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let objects = try #require(parsed?["$objects"] as? [Any])
        #expect(try objects.count == archive().count)
        #expect((parsed?["$top"] as? [String: [String: Int]])?["root"]?["$ref"] == 1)
        #expect((objects[2] as? [String: Any])?["$object"] as? String == "Acme.Thing")
    }
}
