import Testing

// Lists of sections are otherwise made by fetches, which take longer than their comparison.
@testable import TransformableStore

@Suite struct SectionDifferenceTests {
    private static let count = 200_000

    private func list(_ tokens: Range<Int>) -> SectionList {
        SectionList(tokens.map { SectionList.Section(token: $0, row: nil) }, versions: [:])
    }

    /// If each section were searched for among all others, this would take several minutes.
    @Test(.timeLimit(.minutes(1))) func comparesManySections() {
        let (old, new) = (list(0..<Self.count), list(1..<Self.count + 1))
        let changes = SectionDifference(from: old, to: new).changes()
        #expect(changes.deletedSections == [0])
        #expect(changes.insertedSections == [Self.count - 1])
    }
}
