import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct KeyUsageTests {
    /// The values of one attribute.
    private struct Source: StoredValueSource {
        let expression: String
        let counts: [Data?: Int]

        func countValues(
            byFirst byteCount: Int,
            where isIncluded: (ResolvedTransformer?) -> Bool
        ) throws -> [StoredValueCounts] {
            let transformer = try TransformerRegistry { EncryptionPlugin() }.resolve(expression)
            guard isIncluded(transformer) else { return [] }
            return [StoredValueCounts(name: "Patient.ssn", transformer: transformer, counts: counts)]
        }

        func indexKeys() -> [String: [String]] { [:] }
    }

    /// The layout is fixed: 8f 54 46 53, version, suite, flags, binding, and the identifier.
    private static func header(_ key: UInt8) -> Data {
        Data([0x8F, 0x54, 0x46, 0x53, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, key])
    }

    // A dictionary has a different order in each run, and 64 keys make it unlikely that the missing value comes last.
    @Test func aMissingValueLeavesTheOthersCounted() throws {
        var counts: [Data?: Int] = [nil: 2]
        for key in 1...64 as ClosedRange<UInt8> { counts[Self.header(key)] = Int(key) }
        let usage = try KeyUsage(of: [Source(expression: "sealed", counts: counts)])
        #expect(usage.values.count == 64)
        let last = try #require(KeyID("0000000000000040"))
        #expect(usage.values[last] == 64)
        #expect(usage.unknown == ["Patient.ssn"])
    }

    /// Only the key of the outermost seal can be seen.
    @Test func aValueThatIsSealedTwiceMayNeedAnyKey() throws {
        let expression = "sealed(key: \"b\") | sealed(key: \"a\")"
        let usage = try KeyUsage(of: [Source(expression: expression, counts: [Self.header(1): 3])])
        let outer = try #require(KeyID("0000000000000001"))
        let inner = try #require(KeyID("0000000000000002"))
        #expect(usage.values == [outer: 3])
        #expect(usage.need(of: inner)?.contains("Patient.ssn, whose keys are not known") == true)
        let unused = try KeyUsage(of: [Source(expression: expression, counts: [:])])
        #expect(unused.need(of: inner) == nil)
    }
}
