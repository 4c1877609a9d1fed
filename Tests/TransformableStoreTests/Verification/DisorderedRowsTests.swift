import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

/// Files with swapped pages, so that rows are not in the order of their numbers.
@Suite struct DisorderedRowsTests {
    private static let pageSize = 4096

    /// A store of notes in which two leaf pages of the table are swapped.
    private func fixture() throws -> ReencodingFixture {
        let fixture = try ReencodingFixture()
        let store = try fixture.open(ReencodingFixture.text("text"))
        try store.addNotes((0..<3000).map { "a note of a certain length, number \($0)" })
        try store.close()
        var bytes = try Data(contentsOf: fixture.folder.file())
        // Leaves of tables begin with 13 (sqlite.org/fileformat2.html, section 1.6).
        let leaves = stride(from: 0, to: bytes.count, by: Self.pageSize)
            .filter { bytes[$0] == 13 && bytes[$0..<$0 + Self.pageSize].range(of: Data("a note of".utf8)) != nil }
        let (first, last) = try (#require(leaves.dropFirst().first), #require(leaves.dropLast().last))
        let (left, right) = (first..<first + Self.pageSize, last..<last + Self.pageSize)
        let kept = Data(bytes[left])
        bytes.replaceSubrange(left, with: Data(bytes[right]))
        bytes.replaceSubrange(right, with: kept)
        try bytes.write(to: fixture.folder.file())
        return fixture
    }

    @Test(.timeLimit(.minutes(10)), arguments: [Reencoding.Target.same, .transformer("text | bound"), .plain])
    func reencodingFinishes(target: Reencoding.Target) throws {
        let fixture = try fixture()
        let store = try fixture.open(ReencodingFixture.text("text"))
        #expect(throws: StoreError(code: .corruptFile)) {
            try store.reencode(Reencoding("text", of: "Note", to: target, keepsUndecodable: true))
        }
    }

    @Test(.timeLimit(.minutes(10))) func verifyingFinishes() throws {
        let fixture = try fixture()
        let found = try fixture.open(ReencodingFixture.text("text")).verify()
        #expect(found.faults.contains { $0.code == .corruptFile && $0.entity == "Note" })
    }

    @Test(.timeLimit(.minutes(10))) func exportingFinishes() throws {
        let fixture = try fixture()
        let store = try fixture.open(ReencodingFixture.text("text"))
        let folder = fixture.folder.file("export")
        #expect(throws: StoreError(code: .corruptFile)) { try store.export(to: folder) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path)
                .allSatisfy { $0.hasPrefix("test") }
        )
    }
}
