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
            let registry = try TransformerRegistry {
                EncryptionPlugin()
                Registration("reversed", FunctionTransformer<Data, Data>(bothWays: { Data($0.reversed()) }))
                Registration("acme.secret", TextTransformer().then(SealedTransformer(keys: .empty)))
            }
            let transformer = try registry.resolve(expression)
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

    // A plugin can combine transformers in code. Its values need their keys, too.
    @Test(arguments: ["acme.secret", "acme.secret | reversed"])
    func findsSealsWithinATransformer(expression: String) throws {
        let usage = try KeyUsage(of: [Source(expression: expression, counts: [Self.header(1): 3])])
        let id = try #require(KeyID("0000000000000001"))
        #expect(usage.values == (expression.contains("|") ? [:] : [id: 3]))
        #expect(usage.unknown == (expression.contains("|") ? ["Patient.ssn"] : []))
        #expect(usage.need(of: id) != nil)
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

    /// Resealing the values again would not help.
    @Test(
        arguments: [
            ("sealed | reversed", "may be needed by Patient.ssn"), ("sealed", "is needed by 3 values"),
        ] as [(String, String)]
    )
    func saysWhetherResealingHelps(expression: String, need: String) throws {
        let ring = try KeyRing.empty.addingKey().rotatingKey()
        let id = ring.generations(of: "default")[0].id
        let number = try #require(UInt64("\(id)", radix: 16))
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        let header = Data(Self.header(0).prefix(8) + bytes)
        let source = Source(expression: expression, counts: [header: 3])
        let error = #expect(throws: TransformerError(.keyInUse, "")) { try ring.retiring(id, checking: [source]) }
        #expect(error?.message.hasPrefix("the key with the id \(id) \(need)") == true)
        #expect(error?.message.contains("--unchecked") == need.hasPrefix("may"))
    }
}
