import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct StoreOpeningTests {
    private func open(
        _ url: URL,
        model: Model? = nil,
        _ transformers: Transformers = Transformers(),
        options: Store.Options = .createIfMissing
    ) throws -> Store {
        try Store(at: url, model: model, transformers: transformers.registry(), options: options)
    }

    @Test(arguments: [Store.Options.mustExist, .readOnly])
    func requiresAnExistingFileOnRequest(options: Store.Options) throws {
        let folder = try Folder()
        let model = try Models.person()
        #expect(throws: StoreError(code: .noSuchFile)) { try open(folder.file(), model: model, options: options) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func requiresAModelForANewFile() throws {
        let folder = try Folder()
        #expect(throws: StoreError(code: .noSuchFile)) { try open(folder.file()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func doesNotReplaceAnExistingFile() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        #expect(throws: StoreError(code: .fileExists)) {
            try open(folder.file(), model: Models.person(), options: .create)
        }
        try open(folder.file(), options: .mustExist).close()
    }

    // For example, if a program starts while the file is being restored.
    @Test(arguments: [false, true]) func doesNotRemoveTheLogOfAMissingFile(isLinked: Bool) throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        _ = try store.addPerson("Ada")
        let place = try Folder()
        let file = place.file()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file().path + suffix, toPath: file.path + suffix)
        }
        try store.close()
        let aside = place.file("aside.sqlite")
        try FileManager.default.moveItem(at: file, to: aside)
        let link = place.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.lastPathComponent)
        let error = #expect(throws: StoreError(code: .fileExists)) {
            try open(isLinked ? link : file, model: Models.person())
        }
        #expect(error?.message.contains("\(file.lastPathComponent)-wal”") == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.moveItem(at: aside, to: file)
        #expect(try Store.people(in: place).read { try $0.count("Person") } == 1)
    }

    @Test func doesNotReportAFailedStatementAsDamage() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { database in
            let body = "BEGIN SELECT json_extract(new.name, '$.x'); END"
            try database.execute(sql: "CREATE TRIGGER strange BEFORE INSERT ON Person \(body)")
        }
        #expect(throws: StoreError(code: .statementFailed)) { try Store.people(in: folder).addPerson("Ada") }
    }

    // Root can open anything, but a folder in place of SQLite's file also prevents opening.
    @Test func reportsThatAFileCannotBeOpened() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        let log = folder.file("test.sqlite-wal")
        try FileManager.default.createDirectory(at: log, withIntermediateDirectories: false)
        #expect(throws: StoreError(code: .cannotOpen)) { try open(folder.file(), options: .mustExist) }
    }

    @Test func rejectsAMissingFolder() throws {
        let folder = try Folder()
        #expect(throws: StoreError(code: .cannotCreate)) {
            try open(folder.file("none/x.sqlite"), model: Models.person())
        }
    }

    @Test(arguments: [
        (Data("this is not a database, it is some text of a certain length".utf8), StoreError.Code.notAStore),
        (Data(), .notAStore),
    ])
    func rejectsOtherFiles(content: Data, code: StoreError.Code) throws {
        let folder = try Folder()
        try content.write(to: folder.file())
        #expect(throws: StoreError(code: code)) { try open(folder.file()) }
        #expect(try Data(contentsOf: folder.file()).starts(with: content))
    }

    @Test func rejectsADatabaseOfAnotherProgram() throws {
        let folder = try Folder()
        try shell(folder.file()) { try $0.execute(sql: "CREATE TABLE t (x)") }
        #expect(throws: StoreError(code: .notAStore)) { try open(folder.file(), model: Models.person()) }
    }

    @Test func rejectsANewerFormat() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { try $0.execute(sql: "PRAGMA user_version = 2") }
        #expect(throws: StoreError(code: .newerFormat)) { try open(folder.file()) }
    }

    @Test func rejectsADifferentModelOfTheSameVersion() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        let other = try Model(entities: [
            EntityDescription("Person", attributes: [.string("name", .indexed), .string("x")])
        ])
        let error = #expect(throws: StoreError.self) { try open(folder.file(), model: other) }
        #expect(error?.code == .modelMismatch)
        #expect(
            error?.faults == [
                "Person.age was removed", "Person.box was removed", "Person.secret was removed", "Person.x was added",
            ]
        )
    }

    @Test func rejectsAnOlderModel() throws {
        let folder = try Folder()
        let newer = try Model(version: 2, entities: Models.person().entities)
        try open(folder.file(), model: newer).close()
        #expect(throws: StoreError(code: .newerModel)) { try open(folder.file(), model: Models.person()) }
    }

    @Test func enforcesTheSchemaLock() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        let model = try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [
                    .string("name", .indexed), .integer("age", .optional),
                    .transformed("box", "box", as: Box.self, .optional, .projected("area", as: "area")),
                    .transformed(
                        "secret",
                        "text | bound(key: 7)",
                        as: String.self,
                        .optional,
                        .projected("text | blind")
                    ),
                ]
            )
        ])
        let error = #expect(throws: StoreError.self) { try open(folder.file(), model: model) }
        #expect(error?.code == .signatureMismatch)
        #expect(error?.entity == "Person")
        #expect(error?.attribute == "secret")
        #expect(error?.message.contains("bound/1(key: 42)") == true)
        #expect(error?.message.contains("bound/1(key: 7)") == true)
    }

    @Test func aChangedSignatureKeepsTheBytesOnRequest() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder, Transformers(boxVersion: 2))
        let id = try store.addPerson("Ada", age: 1, box: Box(width: 1, height: 2))
        try store.close()
        let sentence =
            "Person.box: the column was written by “box/2 | text/1(encoding: utf-8)”, but the model now says "
            + "“box/1 | text/1(encoding: utf-8)”; open it with the transformer that wrote it, or re-encode the column"
        let error = #expect(throws: StoreError.self) { try Store.people(in: folder) }
        #expect(error?.description == sentence)
        let lenient = try open(
            folder.file(),
            model: Models.person(),
            options: Store.Options(unresolved: .keepBytes)
        )
        try lenient.write { context in
            let person = try context.object(id)
            #expect(throws: StoreError(code: .signatureMismatch)) { try person.value("box", as: Box.self) }
            #expect(throws: StoreError(code: .signatureMismatch)) {
                try person.setValue(Box(width: 9, height: 9), for: "box")
            }
            #expect(try person.encodedBytes("box") == Data("1x2".utf8))
            try person.setValue(2, for: "age")
        }
        try lenient.close()
        let again = try Store.people(in: folder, Transformers(boxVersion: 2))
        #expect(try again.names(where: Condition("age = 2 and area = 2 and box = '1x2'")) == ["Ada"])
    }

    @Test func aNewerStageReadsOlderValuesAndExcludesOlderPrograms() throws {
        let folder = try Folder()
        let old = try Store.people(in: folder)
        try old.addPerson("Ada", box: Box(width: 1, height: 2))
        try old.close()
        let new = try Store.people(in: folder, Transformers(boxVersion: 2))
        #expect(try new.names(where: Field("box") == Box(width: 1, height: 2)) == ["Ada"])
        try new.close()
        #expect(throws: StoreError(code: .signatureMismatch)) { try Store.people(in: folder) }
    }

    @Test func errorsNameAllMissingTransformers() throws {
        let model = try Model(entities: [
            EntityDescription(
                "A",
                attributes: [
                    .transformed("x", "nothing"), .transformed("y", "area"), .transformed("z", "box", as: Int.self),
                ]
            )
        ])
        let registry = try Transformers().registry()
        let error = #expect(throws: StoreError.self) { try Store.validate(model, transformers: registry) }
        #expect(error?.code == .unresolvedTransformer)
        #expect(error?.faults.count == 3)
        #expect(throws: StoreError(code: .unresolvedTransformer)) {
            try Store.inMemory(model: model, transformers: registry)
        }
    }

    @Test func keepsTheBytesOfAMissingTransformer() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("Ada", age: 1, box: Box(width: 1, height: 2))
        try store.close()
        let poor = Transformers(hasBox: false)
        #expect(throws: StoreError(code: .unresolvedTransformer)) { try open(folder.file(), poor, options: .mustExist) }
        let lenient = try open(folder.file(), poor, options: Store.Options(opening: .mustExist, unresolved: .keepBytes))
        #expect(try lenient.attribute("box", of: "Person").failure?.code == .unresolvedTransformer)
        try lenient.write { context in
            let person = try context.object(id)
            #expect(try person.value("name", as: String.self) == "Ada")
            #expect(throws: StoreError(code: .unresolvedTransformer)) { try person.anyValue("box") }
            #expect(throws: StoreError(code: .unresolvedTransformer)) { try person.setValue(text: "1x1", for: "box") }
            #expect(try person.encodedBytes("box") == Data("1x2".utf8))
            #expect(throws: StoreError(code: .unresolvedTransformer)) {
                try context.count("Person", where: Condition("box == \"1x2\""))
            }
            try person.setValue(2, for: "age")
        }
        try lenient.close()
        #expect(try Store.people(in: folder).names(where: Condition("age = 2 and area = 2 and box = '1x2'")) == ["Ada"])
    }

    private func open(_ url: URL, _ transformers: Transformers, options: Store.Options) throws -> Store {
        try open(url, model: nil, transformers, options: options)
    }

    @Test func doesNotWriteIfOpenedAsReadOnly() throws {
        let folder = try Folder()
        let writer = try Store.people(in: folder)
        try writer.addPerson("Ada")
        let reader = try open(folder.file(), options: .readOnly)
        #expect(try reader.names(where: .all) == ["Ada"])
        #expect(throws: StoreError(code: .readOnly)) { try reader.write { _ in } }
        try writer.addPerson("Bea")
        #expect(try reader.names(where: .all) == ["Ada", "Bea"])
    }

    @Test(arguments: [
        "DROP TABLE Person", "ALTER TABLE Person DROP COLUMN age", "DELETE FROM _transformable_store",
        "DROP TABLE _transformable_model", "UPDATE _transformable_model SET json = '{}'",
        "UPDATE _transformable_store SET uuid = 'x'", "UPDATE _transformable_attribute SET id = -1 WHERE id = 1",
        "DELETE FROM _transformable_entity", "UPDATE _transformable_attribute SET signature = '|' WHERE id = 3",
    ])
    func survivesForgedMetadata(sql: String) throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { try $0.execute(sql: sql) }
        let error = #expect(throws: StoreError.self) {
            let store = try open(folder.file(), options: .mustExist)
            _ = try store.read { try $0.fetch("Person").count }
        }
        let code: StoreError.Code = sql.contains("signature") ? .signatureMismatch : .corruptFile
        #expect(error?.code == code, "\(String(describing: error))")
    }

    @Test func reportsDamage() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        try store.write { context in
            for number in 0..<2000 { try context.insert("Person").setValue("name \(number)", for: "name") }
        }
        try store.close()
        var bytes = try Data(contentsOf: folder.file())
        for offset in stride(from: 4096 * 12, to: bytes.count, by: 7) { bytes[offset] = 0xA5 }
        try bytes.write(to: folder.file())
        let error = #expect(throws: StoreError.self) {
            try Store.people(in: folder).read { try $0.fetch("Person").map { try $0.value("name", as: String.self) } }
        }
        #expect([.corruptFile, .undecodable].contains(error?.code))
    }

    @Test func waitsForAnotherWriterAndThenThrows() throws {
        let folder = try Folder()
        let options = Store.Options(busyTimeout: .milliseconds(50))
        let store = try open(folder.file(), model: Models.person(), options: options)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.file().path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(throws: StoreError(code: .busy)) { try store.addPerson("Ada") }
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        try store.addPerson("Ada")
    }
}
