import Foundation
import GeometryPlugin
import Testing
import Transformable

@Suite struct GeometrySampleTests {
    @Test func landingPage() throws {
        let registry = try TransformerRegistry {
            GeometryPlugin()
        }
        let bed = try registry.transformer("rect", for: CGRect.self)
        let bytes = try bed.encode(CGRect(x: 1, y: 2, width: 3, height: 4))  // the UTF-8 of {{1, 2}, {3, 4}}
        let rect = try bed.decode(Data("{{1,2}, {3e0,4}}".utf8))  // the same rect
        #expect(bytes == Data("{{1, 2}, {3, 4}}".utf8))
        #expect(rect == CGRect(x: 1, y: 2, width: 3, height: 4))
    }
}
