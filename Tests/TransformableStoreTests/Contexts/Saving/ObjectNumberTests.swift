import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The numbers of new objects, in files whose record of them was edited.
@Suite struct ObjectNumberTests {
    private static let ways = ["write", "context", "bulk", "pending bulk"]
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let store = try open()
        try store.write { context in
            for _ in 0..<3 { try context.insert("Note").setValue("a", for: "text") }
        }
        try store.close()
    }

    private func open() throws -> Store {
        try Store(
            at: folder.file(),
            model: Model(entities: [EntityDescription("Note", attributes: [.string("text")])]),
            transformers: TransformerRegistry {}
        )
    }

    private func record(_ number: String) throws {
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE sqlite_sequence SET seq = \(number) WHERE name = 'Note'")
        }
    }

    /// Inserts objects in one of the ways, and returns the number of the first.
    private func insert(_ count: Int, _ way: String) throws -> Int64 {
        let store = try open()
        let fill: @Sendable (ManagedObject, Int) throws -> Void = { note, _ in try note.setValue("b", for: "text") }
        switch way {
        case "write":
            return try store.write { context in
                try (0..<count).map { try context.insert("Note", filledBy: fill, $0) }[0]
            }
        case "bulk": return try store.insert(many: 0..<count, into: "Note", fill: fill).lowerBound
        default:
            let context = store.makeContext()
            let first =
                try way == "context"
                ? (0..<count).map { try context.insert("Note", filledBy: fill, $0) }[0]
                : context.insert(many: 0..<count, into: "Note", fill: fill).lowerBound
            try context.save()
            return first
        }
    }

    @Test(arguments: ways, ["9223372036854775807", "9223372036854775806", "9223372036854775743"])
    func exhaustedNumbersAreAnError(way: String, last: String) throws {
        try record(last)
        let error = #expect(throws: StoreError.self) { try insert(100, way) }
        #expect(error?.code == .limitExceeded)
        let store = try open()
        #expect(try store.read { try $0.count("Note") } == 3)
        #expect(try store.verify().isSound)
    }

    // A range of numbers must have an upper bound.
    @Test(arguments: ways) func theHighestIntegerIsNotUsed(way: String) throws {
        try record("9223372036854775806")
        let error = #expect(throws: StoreError.self) { try insert(1, way) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: ways, ["0", "1", "-1000", "'abc'", "NULL"])
    func aRecordThatIsTooLowIsIgnored(way: String, last: String) throws {
        try record(last)
        #expect(try insert(2, way) == 4)
        #expect(try open().read { try $0.ids("Note").map(\.number) } == [1, 2, 3, 4, 5])
    }

    @Test(arguments: ways) func aMissingRecordIsIgnored(way: String) throws {
        try shell(folder.file()) { try $0.execute(sql: "DELETE FROM sqlite_sequence") }
        #expect(try insert(2, way) == 4)
        #expect(try open().read { try $0.count("Note") } == 5)
    }

    /// Writes an export without objects that states a last number, and forgets it in the store.
    private func export(statingLast number: Int64) throws -> URL {
        let export = folder.url.appending(path: "export")
        try shell(folder.file()) { try $0.execute(sql: "DELETE FROM Note") }
        try record("\(number)")
        try open().export(to: export)
        // The record in the destination store is too low.
        try record("-50")
        return export
    }

    @Test func anExportCanStateTheLastNumber() throws {
        let url = try export(statingLast: 1 << 62)
        #expect(try open().importExport(from: url).objectCount == 0)
        #expect(try insert(1, "write") == (1 << 62) + 1)
    }

    @Test(arguments: [Int64.max, Int64(1 << 62) + 1]) func anExportCannotExhaustTheNumbers(last: Int64) throws {
        let url = try export(statingLast: last)
        let store = try open()
        let error = #expect(throws: StoreError.self) { try store.importExport(from: url) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.entity == "Note")
        #expect(try insert(1, "write") == 1)
    }
}

extension StoreContext {
    fileprivate func insert(
        _ entity: String,
        filledBy fill: (ManagedObject, Int) throws -> Void,
        _ element: Int
    ) throws -> Int64 {
        let object = try insert(entity)
        try fill(object, element)
        return object.id.number
    }
}
