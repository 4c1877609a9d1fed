import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct CrashTests {
    /// Writes ten people a transaction until the process is killed.
    private static func writeForever(_ url: URL) throws {
        let store = try Store(at: url, model: Models.person(), transformers: Transformers().registry())
        for round in 0..<Int.max {
            try store.write { context in
                for number in 0..<10 {
                    let person = try context.insert("Person")
                    try person.setValue("\(round)", for: "name")
                    try person.setValue(Box(width: round, height: number), for: "box")
                }
            }
        }
    }

    // The delay is the point here: the kill comes at any moment of opening, making tables and writing.
    @Test(arguments: [1, 5, 12, 20, 35, 60, 90, 150])
    func aKillLeavesOnlyWholeTransactions(milliseconds: UInt32) async throws {
        let folder = try Folder()
        let path = folder.file().path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, milliseconds = milliseconds as UInt32] in
            killThisProcess(after: milliseconds)
            try Self.writeForever(URL(filePath: path))
        }
        let store = try Store.people(in: folder)
        let names = try await store.read { context in
            try context.fetch("Person").map { try $0.value("name", as: String.self) }
        }
        #expect(names == (0..<names.count / 10).flatMap { Array(repeating: "\($0)", count: 10) })
        let areas = try await store.read { context in
            try context.fetch("Person")
                .map { person in
                    let box = try person.value("box", as: Box.self)
                    let ids = try context.ids(
                        "Person",
                        where: Field("_id") == person.id.number && Field("area") == box.width * box.height
                    )
                    return ids == [person.id]
                }
        }
        #expect(!areas.contains(false))
        try store.close()
        #expect(try shell(folder.file()) { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }
}
