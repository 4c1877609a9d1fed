import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct StoreLogTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func logsContainOnlyNamesAndNumbers() throws {
        try Store.documents(in: folder).addDocument("a", data: Data.large)
        let store = try Store.people(in: try Folder())
        try store.close()
        let recorder = LogRecorder()
        let other = try Folder()
        let people = try Store(
            at: other.file(),
            model: Models.person(),
            transformers: Transformers().registry(),
            options: Store.Options(quarantine: .report, logger: recorder.logger)
        )
        let id = try people.addPerson("a", secret: "alpha")
        try people.close()
        try shell(other.file()) { try $0.execute(sql: "UPDATE Person SET secret = x'414243'") }
        let reopened = try Store(
            at: other.file(),
            transformers: Transformers().registry(),
            options: Store.Options(quarantine: .report, logger: recorder.logger)
        )
        #expect(try reopened.read { try $0.object(id).failure(of: "secret")?.code } == .undecodable)
        #expect(recorder.lines.count == 1)
        let line = try #require(recorder.lines.first)
        #expect(line.contains("\"attribute\": secret") && line.contains("undecodable"))
        #expect(!line.contains("ABC") && !line.contains("alpha"))
    }

    @Test func migrationsAndSweepsAreLogged() throws {
        let recorder = LogRecorder()
        func store(_ version: Int, _ name: String) throws -> Store {
            try Store(
                at: folder.file(),
                model: Models.documents(version: version, data: name),
                transformers: Transformers().registry(),
                options: Store.Options(logger: recorder.logger)
            )
        }
        let first = try store(1, "data")
        let id = try first.addDocument("a name", data: Data.large, sealed: Data.large)
        try first.write { try $0.object(id).setValue(nil as Data?, for: "data") }
        try first.close()
        #expect(recorder.lines == ["info removed the files of unreferenced blobs [\"count\": 1]"])
        try store(2, "contents").close()
        #expect(recorder.lines.count == 2)
        let line = try #require(recorder.lines.last)
        #expect(line.contains("migrated") && line.contains("\"from\": 1") && line.contains("\"to\": 2"))
        #expect(!recorder.lines.joined().contains("a name"))
    }
}
