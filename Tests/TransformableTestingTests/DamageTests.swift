import Foundation
import Testing
import _HostileInputs

@Suite struct DamageTests {
    @Test func bytesAreTruncatedAndFlippedEverywhere() {
        let bytes = Data([1, 2, 3])
        let damages = bytes.damages(limit: 100, seed: 1)
        let cut = damages.filter { $0.kind == .truncation }.map { $0.make() }
        let flipped = damages.filter { $0.kind == .flip }.map { $0.make() }
        #expect(cut == [Data(), Data([1]), Data([1, 2])])
        #expect(Set(flipped).count == 24)
        #expect(!flipped.contains(bytes))
        #expect(damages.contains { $0.kind == .oversize && $0.make().count >= 1 << 18 })
    }

    @Test func slicesAreDamagedLikeCopies() {
        let bytes = Data([9, 1, 2, 3, 9])
        let slice = bytes[1..<4].damages(limit: 100, seed: 1).map { $0.make() }
        #expect(slice == Data([1, 2, 3]).damages(limit: 100, seed: 1).map { $0.make() })
    }

    @Test func largeFormsAreSampledAtBothEnds() {
        let damages = Data(count: 100_000).damages(limit: 64, seed: 1)
        let lengths = damages.filter { $0.kind == .truncation }.map { $0.make().count }
        #expect(lengths.count == 64)
        #expect(lengths.prefix(16) == Array(0..<16)[...])
        #expect(lengths.suffix(16) == Array(99_984..<100_000)[...])
    }

    @Test func textIsTruncatedByScalarAndStaysText() {
        let damages = "a👍e\u{301}".damages(limit: 100, seed: 1)
        let cut = damages.filter { $0.kind == .truncation }.map { $0.make() }
        let flipped = damages.filter { $0.kind == .flip }.map { $0.make() }
        #expect(cut == ["", "a", "a👍", "a👍e"])
        #expect(flipped.count == 4)
        #expect(flipped.allSatisfy { !$0.utf8.elementsEqual("a👍e\u{301}".utf8) })
    }

    @Test func numbersHaveEachBitFlipped() {
        #expect(Set(Int64(0).damages(limit: 1, seed: 1).map { $0.make() }).count == 64)
        #expect(1.5.damages(limit: 1, seed: 1).map { $0.make() }.contains(-1.5))
    }

    @Test func emptyFormsGrow() {
        #expect(Data().damages(limit: 10, seed: 1).contains { $0.kind == .mutation && !$0.make().isEmpty })
        #expect("".damages(limit: 10, seed: 1).contains { $0.kind == .mutation && !$0.make().isEmpty })
    }

    @Test(arguments: [1, 2, 99])
    func equalSeedsGiveEqualMutations(seed: UInt64) {
        let input = Array("{\"a\": [1, 2, 3]}".utf8)
        var first = ByteMutator(seed: seed)
        var second = ByteMutator(seed: seed)
        #expect((0..<50).map { _ in first.mutated(input) } == (0..<50).map { _ in second.mutated(input) })
        var text = TextMutator(seed: seed)
        var sameText = TextMutator(seed: seed)
        #expect((0..<50).map { _ in text.mutated("abc") } == (0..<50).map { _ in sameText.mutated("abc") })
    }

    @Test func mutationsStayWithinTheirLimit() {
        var mutator = ByteMutator(seed: 5, maximumCount: 40)
        let input = [UInt8](0..<40)
        let mutated = (0..<2000).map { _ in mutator.mutated(input) }
        #expect(mutated.allSatisfy { $0.count <= 40 })
        #expect(Set(mutated).count > 1500)
    }
}
