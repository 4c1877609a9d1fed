import Testing
import Transformable

@Suite struct MappingTransformerTests {
    enum Severity: Sendable {
        case low
        case high
        case unheardOf
    }

    let strict = MappingTransformer([Severity.low: "L", .high: "H"])
    let lenient = MappingTransformer([Severity.low: "L", .high: "H"], defaultValue: .unheardOf, defaultEncoded: "?")

    @Test func looksUpInBothDirections() throws {
        #expect(try strict.encode(.low) == "L")
        #expect(try strict.decode("H") == .high)
        #expect(strict.traits == .plain)
    }

    @Test func rejectsUnknownValues() {
        let unencodable = #expect(throws: TransformerError.self) { try strict.encode(.unheardOf) }
        #expect(unencodable?.code == .invalidValue)
        #expect(unencodable?.message.contains("unheardOf") == true)
        let unreadable = #expect(throws: TransformerError.self) { try strict.decode("X") }
        #expect(unreadable?.code == .invalidData)
        #expect(unreadable?.message.contains("X") == true)
    }

    @Test func fallsBackToDefaults() throws {
        #expect(try lenient.encode(.unheardOf) == "?")
        #expect(try lenient.decode("X") == .unheardOf)
        #expect(try lenient.decode("L") == .low)
        #expect(lenient.traits.contains(.lossy))
    }

    @Test func rejectsAmbiguousPairsAtRunTime() {
        #expect(throws: TransformerError(.invalidArgument, "")) {
            try MappingTransformer(validating: [(1, "a"), (2, "a")])
        }
        #expect(throws: TransformerError(.invalidArgument, "")) {
            try MappingTransformer(validating: [(1, "a"), (1, "b")])
        }
    }

    @Test func trapsOnAmbiguousLiterals() async {
        await #expect(processExitsWith: .failure) {
            _ = MappingTransformer([1: "a", 2: "a"])
        }
    }
}
