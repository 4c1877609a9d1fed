import Foundation
import GeometryPlugin
import Testing
import Transformable
import _HostileInputs

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

    @Test func measuresOtherTypes() throws {
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

    @Test func equalValuesHaveEqualBits() throws {
        let zero = try GeometryMeasure<CGPoint>.x.encode(CGPoint(x: -0.0, y: 0))
        #expect(zero.bitPattern == 0)
    }

    @Test func preservesNaN() throws {
        #expect(try GeometryMeasure<CGSize>.area.encode(CGSize(width: Double.nan, height: 1)).isNaN)
        let rect = CGRect(x: 1, y: 2, width: Double.nan, height: 3)
        #expect(try GeometryMeasure<CGRect>.area.encode(rect).isNaN)
        #expect(try GeometryMeasure<CGRect>.maxX.encode(rect).isNaN)
        #expect(try GeometryMeasure<CGRect>.maxY.encode(rect) == 5)
    }

    /// A rect with negative sizes equals its standardized form, and every measure of both is the same.
    @Test(arguments: GeometryMeasureTests.rectMeasures)
    func equalRectsHaveEqualMeasures(name: String) throws {
        let measure = try registry().projection(name, for: CGRect.self, to: Double.self)
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<1500 {
            let numbers = (0..<4).map { _ in Double.random(in: -1000...1000, using: &generator) }
            let rect = CGRect(x: numbers[0], y: numbers[1], width: -numbers[2].magnitude, height: numbers[3])
            #expect(rect == rect.standardized)
            #expect(try measure.encode(rect).bitPattern == measure.encode(rect.standardized).bitPattern, "\(rect)")
        }
    }

    private static let rectMeasures = [
        "rect-min-x", "rect-mid-x", "rect-max-x", "rect-min-y", "rect-mid-y", "rect-max-y", "rect-width",
        "rect-height", "rect-area",
    ]

    @Test func findsTheCenterOfHugeRects() throws {
        let rect = CGRect(x: 1e308, y: -1e308, width: 1e308, height: 1e308)
        #expect(try GeometryMeasure<CGRect>.midX.encode(rect) == 1.5e308)
        #expect(try GeometryMeasure<CGRect>.midY.encode(rect) == -0.5e308)
        #expect(try GeometryMeasure<CGRect>.maxX.encode(rect) == .infinity)
        #expect(try GeometryMeasure<CGRect>.area.encode(rect) == .infinity)
    }

    @Test func theNullRectIsEmptyAndAtInfinity() throws {
        let rect = CGRect(x: Double.infinity, y: 1, width: 2, height: 3)
        #expect(try GeometryMeasure<CGRect>.minY.encode(rect) == .infinity)
        #expect(try GeometryMeasure<CGRect>.maxX.encode(rect) == .infinity)
        #expect(try GeometryMeasure<CGRect>.area.encode(rect) == 0)
    }

    private func registry() throws -> TransformerRegistry {
        try TransformerRegistry { GeometryPlugin() }
    }
}
