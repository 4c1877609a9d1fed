import Foundation
import GeometryPlugin
import Testing
import Transformable
import TransformableTesting

@Suite struct GeometryLawTests {
    private static let numbers: [Double] = [
        0, -0.0, 1, -1, 0.1, 1.0 / 3, 1e-5, 1e16, .pi, .leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude, .infinity, -.infinity,
    ]
    private static let oddNumbers: [Double] = [.nan, -.nan, Double(nan: 42, signaling: false), .signalingNaN]

    /// Values with each number in each place.
    private static func values<Value: GeometryValue>(_ type: Value.Type, of numbers: [Double]) -> [Value] {
        numbers.indices.map { start in
            Value(numbers: (0..<Value.layout.count).map { numbers[(start + $0) % numbers.count] })
        }
    }

    private static func checkForms<Value: GeometryValue>(_ type: Value.Type) {
        var options = LawOptions()
        options.damagesPerValue = 96
        let all = values(type, of: numbers + oddNumbers)
        assertTransformerLaws(
            of: GeometryTransformer<Value>(),
            values: all,
            rejecting: ["", "{}", "{1}"],
            options: options
        ) {
            $0.numbers.map(\.bitPattern) == $1.numbers.map(\.bitPattern)
        }
        assertTransformerLaws(
            of: PackedGeometryTransformer<Value>(),
            values: all,
            rejecting: [Data()],
            options: options
        ) {
            $0.numbers.map(\.bitPattern) == $1.numbers.map(\.bitPattern)
        }
        assertTransformerLaws(
            of: GeometryTransformer<Value>(style: .apple),
            values: values(type, of: numbers),
            options: options
        ) {
            $0.numbers == $1.numbers
        }
    }

    @Test func pointsObeyTheLaws() { Self.checkForms(CGPoint.self) }

    @Test func sizesObeyTheLaws() { Self.checkForms(CGSize.self) }

    @Test func rectsObeyTheLaws() { Self.checkForms(CGRect.self) }

    @Test func vectorsObeyTheLaws() { Self.checkForms(Vector.self) }

    @Test func insetsObeyTheLaws() { Self.checkForms(NSEdgeInsets.self) }

    @Test func affineTransformsObeyTheLaws() { Self.checkForms(AffineTransform.self) }

    @Test func rangesObeyTheLaws() {
        let values = [NSRange(location: 0, length: 0), NSRange(location: NSNotFound, length: 0), NSRange(2..<7)]
        let refused = [NSRange(location: 0, length: -1), NSRange(location: .max, length: 1)]
        assertTransformerLaws(of: RangeTransformer(), values: values, refusing: refused, rejecting: ["{1}", "{1, -1}"])
        assertTransformerLaws(of: PackedRangeTransformer(), values: values, refusing: refused)
    }

    @Test func swiftRangesObeyTheLaws() {
        let values = [0..<0, -5..<7, Int.max..<Int.max, Int.min..<0.advanced(by: -1), 0..<Int.max]
        assertTransformerLaws(of: RangeTransformer(), values: values, refusing: [Int.min..<Int.max])
        assertTransformerLaws(of: PackedRangeTransformer(), values: values, refusing: [Int.min..<Int.max])
    }

    /// Rects have no order of their own; a measure gives them one.
    @Test func measuresObeyTheLaws() {
        let rects = Self.values(CGRect.self, of: Self.numbers) + [CGRect.null, .infinite, .zero]
        check(GeometryMeasure<CGRect>.width, rects) { covered($0).width < covered($1).width }
        check(GeometryMeasure<CGRect>.maxX, rects) { covered($0).maxX < covered($1).maxX }
        let points = Self.values(CGPoint.self, of: Self.numbers)
        check(GeometryMeasure<CGPoint>.x, points) { $0.x < $1.x }
        check(RangeMeasure<Range<Int>>.end, [0..<0, -5..<7, Int.max..<Int.max]) { $0.upperBound < $1.upperBound }
    }

    /// Foundation treats every rect with an infinite origin as the null rect.
    private func covered(_ rect: CGRect) -> CGRect { rect.isNull ? .null : rect }

    private func check<Value: Equatable>(
        _ measure: some OneWayTransformer<Value, some Any>,
        _ values: [Value],
        by areInIncreasingOrder: @escaping (Value, Value) -> Bool
    ) {
        var laws = TransformerLaws(of: measure, values: values)
        laws.areInIncreasingOrder = areInIncreasingOrder
        #expect(laws.violations().map(\.description) == [])
    }
}
