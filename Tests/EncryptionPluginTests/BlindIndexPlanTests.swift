import EncryptionPlugin
import Testing
import Transformable

@Suite struct BlindIndexPlanTests {
    /// By hand: of a million, 2^19 numbers are shared by 1.9 values each and 2^18 by 3.8; 2^9 by 1,953, which is
    /// more than the root, and 2^10 by 977.
    @Test(arguments: [(1_000_000, 10...18), (4, 1...1), (100, 4...5), (65_536, 8...15)])
    func recommendsNumbersOfBits(values: Int, bits: ClosedRange<Int>) {
        #expect(BlindIndexPlan(distinctValues: values).suitableBits == bits)
    }

    @Test(arguments: [-1, 0, 1, 3]) func recommendsNothingForAHandfulOfValues(values: Int) {
        #expect(BlindIndexPlan(distinctValues: values).suitableBits == nil)
    }

    @Test func rejectsIdentifyingIndexes() throws {
        let plan = BlindIndexPlan(distinctValues: 1_000_000)
        try plan.verify(bits: 18)
        try plan.verify(bits: 32, allowingIdentification: true)
        let error = #expect(throws: TransformerError.self) { try plan.verify(bits: 32) }
        #expect(error?.code == .identifyingIndex)
        #expect(error?.message.contains("10 to 18 bits") == true)
        #expect(plan.sharing(bits: 18) > 3.8 && plan.sharing(bits: 18) < 3.9)
    }
}
