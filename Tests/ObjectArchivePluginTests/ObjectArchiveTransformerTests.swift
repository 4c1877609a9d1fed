import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

@Suite struct ObjectArchiveTransformerTests {
    @Test(arguments: KeyedArchiveFormat.allCases)
    func roundTrips(format: KeyedArchiveFormat) throws {
        let transformer = ObjectArchiveTransformer<Everything>(format: format)
        let object = try transformer.decode(transformer.encode(.sample()))
        #expect(object.isEqual(Everything.sample()))
    }

    @Test func writesTheSameBytesEachTime() throws {
        let transformer = ObjectArchiveTransformer<Everything>()
        #expect(try transformer.encode(.sample()) == transformer.encode(.sample()))
    }

    @Test func foundationReadsOurArchives() throws {
        let bytes = try ObjectArchiveTransformer<Everything>().encode(.sample())
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: Everything.self, from: bytes)
        #expect(read?.isEqual(Everything.sample()) == true)
    }

    @Test func weReadFoundationsArchives() throws {
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: Everything.sample(), requiringSecureCoding: true)
        let read = try ObjectArchiveTransformer<Everything>().decode(bytes)
        #expect(read.isEqual(Everything.sample()))
    }

    @Test func scalarsAreStoredInTheirFields() throws {
        let archive = try Archive(ObjectArchiveTransformer<Everything>().encode(.sample()))
        let root = try #require(archive["root"])
        #expect(root.archivedClass?.name == "ObjectArchivePluginTests.Everything")
        #expect(root.archivedClass?.chain == ["ObjectArchivePluginTests.Everything", "NSObject"])
        #expect(root["number"]?.number == nil)
        #expect(root["number"]?.integer == -5)
        #expect(root["bytes"]?.data == Data([0, 255]))
        #expect(root["missing"]?.kind == .null)
    }

    @Test func preservesIdentityAndCycles() throws {
        let shared = Leaf("shared")
        let tree = Node("root", [Node("a", [shared]), Node("b")])
        tree.children[1].friend = shared
        shared.friend = tree
        let transformer = ObjectArchiveTransformer<Node>(classes: [Leaf.self])
        let read = try transformer.decode(transformer.encode(tree))
        #expect(read.children.map(\.title) == ["a", "b"])
        #expect(read.children[0].parent === read)
        #expect(read.children[0].children[0] is Leaf)
        #expect(read.children[1].friend === read.children[0].children[0])
        #expect(read.children[1].friend?.friend === read)
        read.children[1].friend?.friend = nil
        shared.friend = nil
    }

    @Test func preservesIdentityAndMutabilityInCollections() throws {
        let inner = NSMutableArray(array: ["a"])
        let outer = NSArray(array: [inner, NSDictionary(dictionary: ["k": inner]), NSSet(array: [inner])])
        let transformer = ObjectArchiveTransformer<Box>()
        let archive = try Archive(transformer.encode(Box(outer)))
        #expect(archive.classes.map(\.name).contains("NSMutableArray"))
        let members = try #require(archive["root"]?["content"]?["NS.objects"]?.elements)
        #expect(members[1]["NS.objects"]?[0]?.number == members[0].number)
        #expect(members[2]["NS.objects"]?[0]?.number == members[0].number)
    }

    @Test func conditionalObjectsAreNilUnlessOthersEncodeThem() throws {
        let tree = Node("root", [Node("child")])
        let transformer = ObjectArchiveTransformer<Node>()
        let child = try transformer.decode(transformer.encode(tree.children[0]))
        #expect(child.parent == nil)
        let archive = try Archive(transformer.encode(tree.children[0]))
        #expect(archive["root"]?["parent"]?.kind == .null)
    }
}
