import Foundation
import Testing

// The result of a round trip is otherwise only accessible in a report with many parts.
@testable import TransformableCommands

@Suite struct BitComparisonTests {
    enum Tree: Sendable, Equatable {
        case leaf(Double)
        case date(Date)
        case list([Tree])
        case table([String: Tree])
        case end
    }

    static let values: [Tree] = [
        .leaf(0), .leaf(-0.0), .leaf(.nan), .leaf(Double(nan: 7, signaling: false)), .leaf(1),
        .date(Date(timeIntervalSinceReferenceDate: 0.5)), .date(Date(timeIntervalSinceReferenceDate: 0)), .end,
        .list([]), .list([.leaf(.nan)]), .list([.leaf(.nan), .end]), .list([.leaf(Double(nan: 7, signaling: false))]),
        .table([:]), .table(["a": .leaf(0), "b": .end]), .table(["a": .leaf(-0.0), "b": .end]),
        .table(["a": .leaf(0), "c": .end]),
    ]

    @Test(arguments: values.indices, values.indices)
    func valuesWithTheSameBitsAreTheSame(left: Int, right: Int) {
        #expect(BitComparison.areSame(Self.values[left], Self.values[right]) == (left == right))
    }

    @Test func geometryIsComparedByNumbers() {
        let rect = CGRect(x: 0, y: 0, width: Double.nan, height: 1)
        #expect(BitComparison.areSame(rect, rect) == true)
        #expect(BitComparison.areSame(CGPoint(x: 0, y: 0), CGPoint(x: -0.0, y: 0)) == false)
        #expect(BitComparison.areSame("e\u{301}", "\u{E9}") == false)
        #expect(BitComparison.areSame(1, 1.0) == false)
        #expect(BitComparison.areSame([1, 2], [1, 2]) == true)
    }
}
