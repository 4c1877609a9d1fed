import Foundation
import GeometryPlugin
import Testing

@Suite struct VectorTests {
    /// `CGVector` is coded as an array of dx and dy.
    @Test func isEncodedAsTwoNumbers() throws {
        let json = try JSONEncoder().encode(Vector(dx: 1.5, dy: -2))
        #expect(String(decoding: json, as: UTF8.self) == "[1.5,-2]")
        #expect(try JSONDecoder().decode(Vector.self, from: json) == Vector(dx: 1.5, dy: -2))
    }
}
