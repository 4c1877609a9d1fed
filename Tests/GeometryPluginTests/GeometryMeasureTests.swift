import Foundation
import GeometryPlugin
import Testing
import Transformable

@Suite struct GeometryMeasureTests {
    /// From (1, 2) to the left and down: 3 wide, 4 high.
    private static let rect = CGRect(x: 1, y: 2, width: -3, height: -4)

    @Test(arguments: [
        ("rect-min-x", -2.0), ("rect-mid-x", -0.5), ("rect-max-x", 1.0), ("rect-min-y", -2.0), ("rect-mid-y", 0.0),
        ("rect-max-y", 2.0), ("rect-width", 3.0), ("rect-height", 4.0), ("rect-area", 12.0),
    ])
    func measuresRects(name: String, expected: Double) throws {
        let measure = try registry().projection(name, for: CGRect.self, to: Double.self)
        #expect(try measure.encode(Self.rect) == expected)
        #expect(measure.traits.contains(.ordered))
    }

    @Test func measuresTheOthers() throws {
        let registry = try registry()
        let x = try registry.projection("point-x", for: CGPoint.self, to: Double.self)
        #expect(try x.encode(CGPoint(x: 3, y: 4)) == 3)
        let area = try registry.projection("size-area", for: CGSize.self, to: Double.self)
        #expect(try area.encode(CGSize(width: 3, height: -4)) == 12)
        let length = try registry.projection("vector-length", for: Vector.self, to: Double.self)
        #expect(try length.encode(Vector(dx: 3, dy: -4)) == 5)
    }

    @Test func measuresRangesOfBothTypes() throws {
        let registry = try registry()
        let end = try registry.projection("range-end", for: NSRange.self, to: Int64.self)
        #expect(try end.encode(NSRange(location: 2, length: 5)) == 7)
        let length = try registry.projection("range-length", for: Range<Int>.self, to: Int64.self)
        #expect(try length.encode(-2..<5) == 7)
    }

    @Test func givesEqualValuesEqualBits() throws {
        let zero = try GeometryMeasure<CGPoint>.x.encode(CGPoint(x: -0.0, y: 0))
        #expect(zero.bitPattern == 0)
    }

    @Test func keepsNaN() throws {
        #expect(try GeometryMeasure<CGSize>.area.encode(CGSize(width: Double.nan, height: 1)).isNaN)
    }

    private func registry() throws -> TransformerRegistry {
        try TransformerRegistry { GeometryPlugin() }
    }
}
