import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct MappingTests {
    /// Mantle's sample.
    private static let signs = "map(pairs: [[-1, negative], [0, zero], [1, positive]]"

    @Test(arguments: [(-1, "negative"), (0, "zero"), (1, "positive")])
    func mapsInBothDirections(value: Int, word: String) throws {
        #expect(try encode("\(Self.signs))", value, to: String.self) == word)
        #expect(try decode("\(Self.signs))", word, as: Int.self) == value)
    }

    @Test func supportsADefaultInEachDirection() throws {
        expectFailure(.invalidValue) { try encode("\(Self.signs))", 2, to: String.self) }
        expectFailure(.invalidData) { try decode("\(Self.signs))", "none", as: Int.self) }
        let withDefaults = "\(Self.signs), defaultValue: 0, defaultEncoded: unknown)"
        #expect(try encode(withDefaults, 2, to: String.self) == "unknown")
        #expect(try decode(withDefaults, "none", as: Int.self) == 0)
    }

    @Test func mapsTextToNumbers() throws {
        let expression = "map(pairs: [[\"low\", 1], [\"high\", 2]])"
        #expect(try encode(expression, "high", to: Int64.self) == 2)
        #expect(try encode("\(expression) | uint8", "high", to: Data.self) == Data([2]))
        let resolved = try standardRegistry().resolve(expression, ending: .column)
        #expect(resolved.expression.description == expression)
        #expect(resolved.valueType is String.Type)
    }

    @Test(arguments: [
        "map(pairs: [[1, a], [1, b]])", "map(pairs: [[1, a], [2, a]])", "map(pairs: [[1, a], [b, c]])",
        "map(pairs: [[1, a], [2, 3]])", "map(pairs: [[1, a, b]])", "map(pairs: [1])",
    ])
    func rejectsInvalidTables(expression: String) {
        expectFailure(.invalidArgument) { try standardRegistry().resolve(expression) }
    }

    @Test func rejectsADefaultThatDoesNotFit() throws {
        let expression = "map(pairs: [[1, a], [2, b]], defaultValue: 300)"
        expectFailure(.invalidArgument) { try standardRegistry().resolve(expression, for: UInt8.self) }
        #expect(try standardRegistry().resolve(expression, for: UInt16.self).valueType is UInt16.Type)
    }
}
