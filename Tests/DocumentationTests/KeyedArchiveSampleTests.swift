import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct KeyedArchiveSampleTests {
    struct Settings: Codable {
        var name: String
        var sizes: [Double]
    }

    @Test func landingPage() throws {
        let registry = try TransformerRegistry {
            KeyedArchivePlugin()
        }
        let settings = try registry.transformer("keyed-archive", for: Settings.self)
        let bytes = try settings.encode(Settings(name: "Ada", sizes: [1, 2.5]))

        let anything = try registry.transformer("keyed-archive", for: ArchivedValue.self)
        let value = try anything.decode(bytes)
        let name = value["name"]?.string
        #expect(name == "Ada")

        let failure = ArchivedError(domain: "NSCocoaErrorDomain", code: 4, userInfo: ["NSFilePath": "/a"])
        let archived = try anything.encode(.error(failure))
        #expect(try anything.decode(archived) == .error(failure))

        let archive = try Archive(bytes)
        let keys = archive["root"]?["NS.keys"]?.elements.compactMap(\.string)
        #expect(keys == ["name", "sizes"])
    }
}
