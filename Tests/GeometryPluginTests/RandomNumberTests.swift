import Foundation
import GeometryPlugin
import Testing
import Transformable
import _HostileInputs

/// A million numbers, a hundred thousand of each class, four to a rect.
@Suite struct RandomNumberTests {
    private static let count = 100_000

    private static func rects(_ numbers: DoubleClass) -> [CGRect] {
        var generator = SeededGenerator(seed: 20_010_101)
        return (0..<count / 4)
            .map { _ in CGRect(numbers: (0..<4).map { _ in numbers.number(&generator) }) }
    }

    private static func bits(_ rects: [CGRect]) -> [UInt64] {
        rects.flatMap { $0.numbers.map(\.bitPattern) }
    }

    @Test(arguments: DoubleClass.allCases)
    func roundTripAsTextBitForBit(numbers: DoubleClass) throws {
        let rects = Self.rects(numbers)
        let transformer = GeometryTransformer<CGRect>()
        let read = try rects.map { try transformer.decode(transformer.encode($0)) }
        #expect(Self.bits(read) == Self.bits(rects))
    }

    @Test(arguments: DoubleClass.allCases)
    func roundTripAsPackedBytesBitForBit(numbers: DoubleClass) throws {
        let rects = Self.rects(numbers)
        let transformer = PackedGeometryTransformer<CGRect>()
        let read = try rects.map { try transformer.decode(transformer.encode($0)) }
        #expect(Self.bits(read) == Self.bits(rects))
    }

    /// The C library's own words, and back from them; only NaNs lose their signs and payloads.
    @Test(arguments: DoubleClass.allCases)
    func areWrittenInAppleStyleLikeC(numbers: DoubleClass) throws {
        let transformer = GeometryTransformer<CGRect>(style: .apple)
        for rect in Self.rects(numbers).prefix(5_000) {
            let text = try transformer.encode(rect)
            let printed = String(format: "{{%.17g, %.17g}, {%.17g, %.17g}}", arguments: rect.numbers)
            #expect(text == printed.replacing("-nan", with: "nan"))
            let read = try transformer.decode(text).numbers
            #expect(zip(read, rect.numbers).allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN })
        }
    }

    /// Foundation writes the shortest digits too, but forgets a NaN's payload and leaves `.0` at whole numbers.
    @Test(arguments: DoubleClass.allCases.filter { !$0.isNaN })
    func areWrittenLikeFoundation(numbers: DoubleClass) throws {
        for rect in Self.rects(numbers).prefix(2_000) where rect.numbers.allSatisfy({ !$0.isNaN }) {
            let text = NSStringFromRect(rect).replacing(".0,", with: ",").replacing(".0}", with: "}")
            #expect(try GeometryTransformer<CGRect>().encode(rect) == text)
        }
    }
}
