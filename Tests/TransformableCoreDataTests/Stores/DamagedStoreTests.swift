import Foundation
import GRDB
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore
import _HostileInputs

/// Stores whose bytes were damaged: they are read or refused, without a trap and without waiting forever.
struct DamagedStoreTests {
    private static let damageCount = 120

    @Test(arguments: [1, 2, 3] as [UInt64])
    func readsOrRefusesDamagedFiles(seed: UInt64) async throws {
        let fixture = try StoreFixture.library(Self.rows)
        defer { fixture.remove() }
        let path = fixture.url.path
        // A trap would end the process of the tests.
        await #expect(processExitsWith: .success) { [path = path as String, seed = seed as UInt64] in
            var generator = SeededGenerator(seed: seed)
            let whole = try Data(contentsOf: URL(filePath: path))
            for _ in 0..<Self.damageCount {
                try Self.damaged(whole, &generator).write(to: URL(filePath: path))
                Self.use(path)
            }
        }
    }

    private static var rows: [String] {
        (1...40)
            .flatMap { number in
                [
                    "INSERT INTO ZTAG VALUES (\(number), 5, 1, 'tag \(number)')",
                    """
                    INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZNOTES, ZOWNER) VALUES
                    (\(number), 1, 1, 'Book \(number)', zeroblob(\(number * 300)), \(number % 3))
                    """,
                    "INSERT INTO Z_1TAGS VALUES (\(number), \(number))",
                ]
            }
    }

    /// Changes bytes, replaces a page with another, or ends the file early.
    private static func damaged(_ whole: Data, _ generator: inout SeededGenerator) -> Data {
        var bytes = whole
        let (size, count) = (4096, whole.count / 4096)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            for _ in 0..<8 {
                let place = Int.random(in: 0..<whole.count, using: &generator)
                bytes[place] = .random(in: .min ... .max, using: &generator)
            }
        case 1:
            let from = Int.random(in: 0..<count, using: &generator)
            let to = Int.random(in: 0..<count, using: &generator)
            bytes.replaceSubrange(to * size..<(to + 1) * size, with: whole[from * size..<(from + 1) * size])
        default: bytes = whole.prefix(Int.random(in: 0..<whole.count, using: &generator))
        }
        return bytes
    }

    /// Reads everything.
    ///
    /// Whatever is wrong must be an error of this library.
    private static func use(_ path: String) {
        do {
            let options = CoreDataStore.Options(acceptsDifferences: true)
            let store = try CoreDataStore(at: URL(filePath: path), model: StoreFixture.model, options: options)
            _ = try store.adopt(
                as: StoreAdoptionTests.model,
                into: URL(filePath: "\(path).adopted"),
                transformers: TransformerRegistry {},
                options: CoreDataStore.AdoptionOptions(rehearsing: true)
            )
        } catch {
            precondition(error is CoreDataError || error is StoreError, "\(error)")
        }
    }

    @Test func endsOnAnEndlessTable() throws {
        let fixture = try StoreFixture.library(["INSERT INTO ZTAG VALUES (1, 5, 1, 'tag')"])
        defer { fixture.remove() }
        let root = try DatabaseQueue(path: fixture.url.path)
            .read { database in
                try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'")
            }
        // An interior page of a table whose 400 children are all this page itself.
        let page = try #require(root)
        var bytes = try Data(contentsOf: fixture.url)
        let start = (page - 1) * 4096
        let child = [UInt8(page >> 24 & 255), UInt8(page >> 16 & 255), UInt8(page >> 8 & 255), UInt8(page & 255)]
        var content = [UInt8](repeating: 0, count: 4096)
        content.replaceSubrange(0..<12, with: [5, 0, 0, 1, 0x90, 0x08, 0, 0] + child)
        for cell in 0..<400 {
            let place = 4096 - (cell + 1) * 5
            content.replaceSubrange(12 + cell * 2..<14 + cell * 2, with: [UInt8(place >> 8), UInt8(place & 255)])
            content.replaceSubrange(place..<place + 5, with: child + [UInt8(cell & 127)])
        }
        bytes.replaceSubrange(start..<start + 4096, with: content)
        try bytes.write(to: fixture.url)
        let error = #expect(throws: CoreDataError.self) {
            let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
            try store.forEachRow(of: "Tag") { _ in }
        }
        #expect(error?.code == .damagedStore)
    }
}
