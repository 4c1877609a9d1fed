import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable
import _HostileInputs

/// Damaged archives of objects are objects or typed errors, whatever the damage.
@Suite struct HostileObjectTests {
    static let seeds: [Data] = {
        let boxes = FoundationClassTests.cases.map { Box($0.object) }
        let whole = NSArray(array: boxes)
        return [
            try? ObjectArchiveTransformer<NSArray>(classes: [Box.self]).encode(whole),
            try? ObjectArchiveTransformer<Everything>().encode(.sample()),
            try? ObjectArchiveTransformer<Everything>(format: .xml).encode(.sample()),
            try? ObjectArchiveTransformer<Node>().encode(Node("root", [Node("a", [Node("c")]), Node("b")])),
        ]
        .compactMap { $0 } + boxes.compactMap { try? ObjectArchiveTransformer<Box>().encode($0) }
    }()

    static func read(_ data: Data) {
        func attempt<Value>(_ type: Value.Type) where Value: NSObject & NSSecureCoding {
            do {
                _ = try ObjectArchiveTransformer<Value>(classes: [Box.self, Node.self]).decode(data)
            } catch let error as TransformerError {
                #expect(!error.message.isEmpty)
            } catch {
                Issue.record("an error that is no TransformerError: \(error)")
            }
        }
        attempt(Everything.self)
        attempt(Node.self)
        attempt(Box.self)
        attempt(NSArray.self)
    }

    private static func reference(_ number: Int) -> String {
        "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }

    /// A box with an array of objects of one class, which all refer to the same plain data, along with references to the
    /// data itself.
    private static func sharing(_ data: Data, _ name: String, _ fields: String, count: Int, plain: Int = 0) -> Data {
        func described(_ name: String) -> String { "<dict><key>$classname</key><string>\(name)</string></dict>" }
        let members = (Array(repeating: 3, count: plain) + (7..<7 + count)).map(reference).joined()
        let object = "<dict><key>$class</key>\(reference(6))\(fields)\(reference(3))</dict>"
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict><key>root</key>\(reference(1))</dict><key>$objects</key><array><string>$null</string>
            <dict><key>$class</key>\(reference(4))<key>content</key>\(reference(2))</dict>
            <dict><key>$class</key>\(reference(5))<key>NS.objects</key><array>\(members)</array></dict>
            <data>\(data.base64EncodedString())</data>\(described(String(reflecting: Box.self)))
            \(described("NSArray"))\(described(name))\(String(repeating: object, count: count))</array></dict></plist>
            """
        return Data(text.utf8)
    }

    /// Returns the objects themselves, of which Foundation's own access would return Swift values.
    private static func members(_ archive: Data) throws -> [NSObject] {
        let box = try ObjectArchiveTransformer<Box>().decode(archive)
        let array = try #require(box.content as? NSArray)
        return Mirror(reflecting: array).children.compactMap { $0.value as AnyObject as? NSObject }
    }

    @Test func dataWithTheSameBytesIsCreatedOnce() throws {
        let bytes = Data(repeating: 7, count: 1_000)
        let members = try Self.members(Self.sharing(bytes, "NSData", "<key>NS.data</key>", count: 2, plain: 2))
        #expect(members.map { ($0 as? NSData).map { Data(referencing: $0) } } == Array(repeating: bytes, count: 4))
        #expect(Set(members.map { ObjectIdentifier($0) }).count == 1)
    }

    @Test func mutableDataWithTheSameBytesIsCopied() throws {
        let bytes = Data(repeating: 7, count: 1_000_000)
        let few = try Self.members(Self.sharing(bytes, "NSMutableData", "<key>NS.data</key>", count: 3))
        #expect(Set(few.map { ObjectIdentifier($0) }).count == 3)
        #expect(few.allSatisfy { ($0 as? NSMutableData)?.length == 1_000_000 })
        let error = #expect(throws: TransformerError.self) {
            try Self.members(Self.sharing(bytes, "NSMutableData", "<key>NS.data</key>", count: 50))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func sharedIntegersAreAnError() throws {
        let fields = "<key>NSIndexPathLength</key><integer>10000</integer><key>NSIndexPathData</key>"
        let data = Data(repeating: 1, count: 10_000)
        #expect(try Self.members(Self.sharing(data, "NSIndexPath", fields, count: 20)).count == 20)
        let error = #expect(throws: TransformerError.self) {
            try Self.members(Self.sharing(data, "NSIndexPath", fields, count: 200))
        }
        #expect(error?.code == .limitExceeded)
    }

    /// A bit for each character of all planes.
    @Test func sharedBitmapsAreAnError() throws {
        let planes = (1...16).map { [UInt8($0)] + [UInt8](repeating: 0, count: 8192) }
        let bitmap = Data(repeating: 0, count: 8192) + Data(planes.joined())
        let field = "<key>NSBitmap</key>"
        #expect(try Self.members(Self.sharing(bitmap, "NSCharacterSet", field, count: 2)).count == 2)
        let error = #expect(throws: TransformerError.self) {
            try Self.members(Self.sharing(bitmap, "NSCharacterSet", field, count: 200))
        }
        #expect(error?.code == .limitExceeded)
    }

    /// A sample: `make fuzz` reads millions, in a release build.
    @Test(arguments: 0..<4)
    func mutationsAreObjectsOrTypedErrors(seed: Int) {
        var mutator = ByteMutator(seed: UInt64(seed) &+ 1000)
        for round in 0..<400 {
            Self.read(Data(mutator.mutated(Array(Self.seeds[round % Self.seeds.count]))))
        }
    }
}
