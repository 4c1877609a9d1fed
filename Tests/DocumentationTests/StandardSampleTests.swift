import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct StandardSampleTests {
    @Test func landingPage() throws {
        let registry = try TransformerRegistry {
            StandardPlugin()
        }
        let settings = try registry.transformer("json | gzip", for: [String: [Int]].self)
        let bytes = try settings.encode(["widths": [3, 4]])  // a gzip file of {"widths":[3,4]}
        let value = try settings.decode(bytes)  // the same dictionary
        #expect(try CompressionTransformer(.gzip).decode(bytes) == Data(#"{"widths":[3,4]}"#.utf8))
        #expect(value == ["widths": [3, 4]])
    }
}
