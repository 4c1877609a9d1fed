import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct ExternalBlobTests {
    private let folder: Folder
    private let store: Store

    init() throws {
        folder = try Folder()
        store = try Store.documents(in: folder)
    }

    private static let large = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })

    @discardableResult
    private func add(_ name: String, data: Data? = nil, sealed: Data? = nil) throws -> ObjectID {
        try store.addDocument(name, data: data, sealed: sealed)
    }

    private func cell(_ column: String, _ id: ObjectID) throws -> String? {
        try shell(folder.file()) {
            try String.fetchOne(
                $0,
                sql: "SELECT CASE typeof(\(column)) WHEN 'text' THEN \(column) ELSE typeof(\(column)) END "
                    + "FROM Document WHERE _id = ?",
                arguments: [id.number]
            )
        }
    }

    @Test(arguments: [(0, false), (1000, false), (1001, true), (100_000, true)])
    func theThresholdDeterminesTheLocation(count: Int, isExternal: Bool) throws {
        let bytes = Self.large.prefix(count)
        let id = try add("a", data: bytes)
        #expect(try store.read { try $0.object(id).value("data", as: Data.self) } == bytes)
        let names = try folder.blobs()
        #expect(names.count == (isExternal ? 1 : 0))
        #expect(try cell("data", id) == (names.first.map { "blob:\($0)" } ?? "blob"))
        if let name = names.first {
            #expect(try Data(contentsOf: folder.blob(name)) == bytes)
        }
        #expect(try store.verify().faults.isEmpty)
    }

    @Test func aShellToolComputesTheChecksum() throws {
        try add("a", data: Data("abc".utf8) + Data(count: 2000))
        let checksum = try shell(folder.file()) {
            try String.fetchOne($0, sql: "SELECT lower(hex(checksum)) FROM _transformable_blob")
        }
        // printf 'abc' and 2,000 zeros | b2sum -l 256
        #expect(checksum == "14539bea2c0bf99889fc676cb75600a2d7f8cf324e935678af03341694d6e6f2")
    }

    // Otherwise, a service could not read what an administrator has re-encoded as root.
    @Test(.enabled(if: getuid() == 0, "only root can set the owner of a file"))
    func whatRootWritesBelongsToTheOwnerOfTheDatabase() throws {
        try store.close()
        let file = folder.file().path
        try #require(chown(file, 12345, 23456) == 0 && chmod(file, 0o600) == 0)
        try Store.documents(in: folder).addDocument("a", data: Self.large)
        let blob = folder.blob(try #require(try folder.blobs().first))
        for url in [folder.blobFolder, folder.blobFolder.appending(path: "unfinished"), blob] {
            var status = stat()
            lstat(url.path, &status)
            #expect(status.st_uid == 12345 && status.st_gid == 23456)
            #expect(status.st_mode & 0o777 == (url == blob ? 0o600 : 0o700))
        }
    }

    // The writer is not in the group of the database, and its own group may not read the database.
    @Test(.enabled(if: getuid() == 0, "only root can set the group of a file"))
    func aGroupThatMayNotReadTheDatabaseMayNotReadItsFiles() async throws {
        try store.close()
        let file = folder.file().path
        try #require(chown(folder.url.path, 65_534, 65_534) == 0)
        try #require(chown(file, 65_534, 23456) == 0 && chmod(file, 0o640) == 0)
        await #expect(processExitsWith: .success) { [file = file as String] in
            guard setgroups(0, nil) == 0, setgid(65_534) == 0, setuid(65_534) == 0 else { exit(3) }
            let store = try Store(at: URL(filePath: file), transformers: Transformers().registry())
            try store.addDocument("a", data: Data.large)
            try store.close()
        }
        var status = stat()
        lstat(folder.blob(try #require(try folder.blobs().first)).path, &status)
        #expect(status.st_uid == 65_534 && status.st_gid == 65_534)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func anUnchangedValueChangesNothing() throws {
        let id = try add("a", data: Self.large, sealed: Self.large)
        let names = try folder.blobs()
        try store.write { context in
            let document = try context.object(id)
            try document.setValue(Self.large, for: "data")
            try document.setValue(Self.large, for: "sealed")
        }
        #expect(try folder.blobs() == names)
        #expect(names.count == 2)
    }

    @Test func aReplacedValueLeavesNoFiles() throws {
        let id = try add("a", data: Self.large)
        let first = try folder.blobs()
        try store.write { try $0.object(id).setValue(Self.large.dropLast(), for: "data") }
        let second = try folder.blobs()
        #expect(second.count == 1 && second != first)
        try store.write { try $0.object(id).setValue(Data(), for: "data") }
        #expect(try folder.blobs().isEmpty)
        #expect(try cell("data", id) == "blob")
    }

    /// A store from an untrusted source can contain links to any folder.
    @Test func filesBehindALinkAreKept() throws {
        try add("a", data: Self.large)
        try store.close()
        let other = folder.url.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        let names = ["thesis.tex", UUID().uuidString, "\(UUID().uuidString).session"]
        for name in names { try Data(name.utf8).write(to: other.appending(path: name)) }
        let link = folder.blobFolder.appending(path: "unfinished")
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: other)
        #expect(throws: StoreError(code: .cannotCreate)) {
            try Store.documents(in: folder).addDocument("b", data: Self.large)
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: other.path)) == Set(names))
    }

    /// A folder in place of the file cannot be removed like one.
    @Test func aFileThatCannotBeRemovedIsRemovedLater() throws {
        try store.addDocument("a", data: Data(repeating: 7, count: 5000))
        let file = folder.blob(try #require(try folder.blobs().first))
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        try store.write { _ = try $0.delete("Document", where: .all) }
        try store.close()
        try FileManager.default.removeItem(at: file)
        try Data([7]).write(to: file)
        try Store.documents(in: folder).close()
        #expect(try folder.blobs() == [])
        #expect(try folder.unfinished() == [])
    }

    @Test func aDeletionByConditionLeavesNoFiles() throws {
        for number in 0..<5 { try add("\(number)", data: Self.large) }
        _ = try store.write { try $0.delete("Document", where: Condition("name < \"3\"")) }
        #expect(try folder.blobs().count == 2)
        #expect(try store.verify().faults.isEmpty)
    }

    @Test func anotherProgramsDeletionLeavesGarbageThatTheNextOpeningRemoves() throws {
        try add("a", data: Self.large)
        try add("b", data: Self.large)
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: "DELETE FROM Document WHERE name = 'a'") }
        #expect(try folder.blobs().count == 2)
        try Store.documents(in: folder).close()
        #expect(try folder.blobs().count == 1)
    }

    @Test func aCascadeLeavesNoFiles() throws {
        let ids = try store.write { context in
            let shelf = try context.insert("Shelf")
            for number in 0..<3 {
                let document = try context.insert("Document")
                try document.setValue("\(number)", for: "name")
                try document.setValue(Self.large, for: "data")
                try shelf.add(document, to: "documents")
            }
            return shelf.id
        }
        #expect(try folder.blobs().count == 3)
        try store.write { try $0.delete($0.object(ids)) }
        #expect(try folder.blobs().isEmpty)
    }

    @Test func aFailedWriteLeavesNoFiles() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try store.write { context in
                let document = try context.insert("Document")
                try document.setValue("a", for: "name")
                try document.setValue(Self.large, for: "data")
                try context.save()
                throw Refusal()
            }
        }
        #expect(try folder.blobs().isEmpty)
        #expect(try folder.unfinished().isEmpty)
        try add("b", data: Self.large)
        #expect(try folder.blobs().count == 1)
    }

    /// Rows that are not unique at first are written later, along with their blobs.
    @Test func aRowThatIsWrittenLaterLeavesNoFiles() throws {
        let folder = try Folder()
        var data = AttributeDescription.data("data", .optional)
        data.externalThreshold = 1000
        let model = try Model(entities: [EntityDescription("Page", attributes: [.string("name", .unique), data])])
        let store = try Store(at: folder.file(), model: model, transformers: Transformers().registry())
        func add(_ name: String, _ byte: UInt8, in context: StoreContext) throws -> ManagedObject {
            let page = try context.insert("Page")
            try page.setValue(name, for: "name")
            try page.setValue(Data(repeating: byte, count: 2000), for: "data")
            return page
        }
        let first = try store.write { try add("a", 1, in: $0).id }
        try store.write { context in
            let page = try add("a", 2, in: context)
            for _ in 0..<3 { #expect(try context.count("Page") == 2) }
            #expect(throws: StoreError(code: .notUnique)) { try context.save() }
            try page.setValue("b", for: "name")
        }
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try folder.blobs().count == 2)
        // Swapping names takes two steps.
        try store.write { context in
            let pages = try context.fetch("Page")
            for (page, name) in zip(pages, ["b", "a"]) {
                try page.setValue(name, for: "name")
                try page.setValue(Data(repeating: 3, count: 3000), for: "data")
            }
        }
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try folder.blobs().count == 2)
        #expect(try store.read { try $0.object(first).value("data", as: Data.self) } == Data(repeating: 3, count: 3000))
    }

    /// A row of a bulk insertion that is not unique.
    @Test func aDiscardedRowLeavesNoFiles() throws {
        let folder = try Folder()
        var data = AttributeDescription.data("data", .optional)
        data.externalThreshold = 1000
        let model = try Model(entities: [EntityDescription("Page", attributes: [.string("name", .unique), data])])
        let store = try Store(at: folder.file(), model: model, transformers: Transformers().registry())
        try store.write { context in
            _ = #expect(throws: StoreError(code: .notUnique)) {
                try context.insert(many: ["a", "a"], into: "Page") { page, name in
                    try page.setValue(name, for: "name")
                    try page.setValue(Data(repeating: 1, count: 2000), for: "data")
                }
            }
        }
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try folder.blobs().count == 1)
    }

    @Test func aReaderKeepsItsSnapshot() throws {
        let id = try add("a", data: Self.large)
        // Another connection, because blocks cannot be nested.
        let other = try Store.documents(in: folder)
        try store.read { context in
            let document = try context.object(id)
            try other.write { try $0.delete($0.object(id)) }
            #expect(try other.removeOrphanedBlobs() == nil)
            #expect(try document.value("data", as: Data.self) == Self.large)
        }
        try other.close()
        #expect(try store.removeOrphanedBlobs() == 1)
        #expect(try folder.blobs().isEmpty)
    }

    @Test func textThatLooksLikeABlobIsText() throws {
        let text = "blob:\(UUID().uuidString)"
        let id = try add(text, data: Data(text.utf8))
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == text)
        #expect(try store.read { try $0.object(id).value("data", as: Data.self) } == Data(text.utf8))
        try store.write { try $0.delete($0.object(id)) }
        #expect(try store.verify().faults.isEmpty)
    }

    @Test(arguments: ["DELETE FROM _transformable_blob", "UPDATE _transformable_blob SET object = 77"])
    func aBlobBelongsToItsCell(sql: String) throws {
        let id = try add("a", data: Self.large)
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: sql) }
        let reopened = try Store.documents(in: folder)
        let error = #expect(throws: StoreError.self) {
            try reopened.read { try $0.object(id).value("data", as: Data.self) }
        }
        #expect(error?.code == .missingBlob)
        #expect(error?.attribute == "data")
        #expect(error?.object == id)
    }

    @Test(arguments: Harm.allCases)
    func damageIsFoundAndTheCellIsKept(harm: Harm) throws {
        let id = try add("a", data: Self.large)
        let before = try cell("data", id)
        try harm.apply(to: folder.blob(#require(try folder.blobs().first)))
        try store.write { context in
            let document = try context.object(id)
            let error = #expect(throws: StoreError.self) { try document.value("data", as: Data.self) }
            #expect(error?.code == harm.code)
            try document.setValue("b", for: "name")
        }
        #expect(try cell("data", id) == before)
        let faults = try store.verify().faults
        #expect(faults.map(\.code) == [harm.code])
        #expect(faults.first?.object == id)
    }

    @Test(arguments: [Harm.removed, .shortened])
    func storedBytesThatAreMissingHaveALocation(harm: Harm) throws {
        let id = try add("a", data: Self.large)
        try harm.apply(to: folder.blob(#require(try folder.blobs().first)))
        let error = #expect(throws: StoreError.self) { try store.read { try $0.object(id).encodedBytes("data") } }
        #expect(error?.code == harm.code)
        #expect(error?.attribute == "data")
        #expect(error?.object == id)
        #expect(error?.message.hasSuffix("restore it from a backup") == true)
    }

    enum Harm: CaseIterable {
        case removed, shortened, flipped, link, pipe

        var code: StoreError.Code { [.removed, .link, .pipe].contains(self) ? .missingBlob : .damagedBlob }

        func apply(to url: URL) throws {
            var bytes = try Data(contentsOf: url)
            switch self {
            case .removed: try FileManager.default.removeItem(at: url)
            case .shortened: try bytes.dropLast().write(to: url)
            case .flipped:
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: url)
            case .link:
                let target = url.deletingLastPathComponent().appending(path: "target")
                try FileManager.default.moveItem(at: url, to: target)
                try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
            case .pipe:
                try FileManager.default.removeItem(at: url)
                mkfifo(url.path, 0o600)
            }
        }
    }

    @Test func aStoreInMemoryKeepsItInTheCell() throws {
        let store = try Store.inMemory(model: Models.documents(), transformers: Transformers().registry())
        let id = try store.addDocument("a", data: Self.large, sealed: Self.large)
        #expect(try store.read { try $0.object(id).value("sealed", as: Data.self) } == Self.large)
        #expect(try store.read { try $0.object(id).stream("data")?.rest() } == Self.large)
        #expect(try store.read { try $0.object(id).fileURL("data") } == nil)
    }

    @Test func conditionsReadExternalValues() throws {
        try add("a", data: Self.large)
        try add("b", data: Data([1]))
        let found = try store.read { try $0.fetch("Document", where: Field("data") == Self.large).map(\.id.number) }
        #expect(found == [1])
        #expect(try store.read { try $0.count("Document", where: Condition("data == null")) } == 0)
        #expect(throws: StoreError(code: .unsupported)) {
            try store.read { _ = try $0.fetch("Document", sortedBy: [.ascending("data")]) }
        }
    }

    @Test func anotherThresholdRequiresNoNewVersion() throws {
        let id = try add("a", data: Self.large)
        try store.close()
        let plain = try Store(
            at: folder.file(),
            model: Models.documents(threshold: nil),
            transformers: Transformers().registry()
        )
        #expect(try plain.read { try $0.object(id).value("data", as: Data.self) } == Self.large)
        #expect(try plain.read { try $0.count("Document", where: Field("data") == Self.large) } == 1)
        try plain.write { try $0.object(id).setValue(Self.large + [1], for: "data") }
        #expect(try cell("data", id) == "blob")
        #expect(try folder.blobs().isEmpty)
    }

    @Test func aCopyIncludesValuesAddedSinceTheStoreWasOpened() throws {
        let url = folder.file("plain.sqlite")
        let plain = try Store(at: url, model: Models.documents(threshold: nil), transformers: Transformers().registry())
        let id = try plain.addDocument("a")
        let row = "'\(UUID().uuidString)', e.id, a.id, \(id.number), 5000, x'00'"
        try shell(url) { database in
            try database.execute(
                sql: """
                    INSERT INTO _transformable_blob SELECT \(row) FROM _transformable_entity AS e
                    JOIN _transformable_attribute AS a ON a.entity = e.id WHERE e.name = 'Document' AND a.name = 'data'
                    """
            )
        }
        let faults = try plain.copy(to: folder.file("copy.sqlite"))
        #expect(faults.map(\.code) == [.missingBlob])
        #expect(faults.map(\.attribute) == ["data"])
        #expect(faults.map(\.object) == [id])
    }

    @Test func aMigrationKeepsBlobsAndTheirTriggers() throws {
        let id = try add("a", data: Self.large)
        try add("b", data: Self.large)
        try store.close()
        let migrated = try Store(
            at: folder.file(),
            model: Models.documents(version: 2, data: "contents"),
            transformers: Transformers().registry()
        )
        #expect(try migrated.read { try $0.object(id).value("contents", as: Data.self) } == Self.large)
        try migrated.write { try $0.object(id).setValue(Data([1]), for: "contents") }
        #expect(try folder.blobs().count == 1)
        _ = try migrated.write { try $0.delete("Document", where: .all) }
        #expect(try folder.blobs().isEmpty)
    }

    // Anyone who can write to the file can put the name there.
    @Test(arguments: [false, true]) func valuesInUseAreNotRemovedAsGarbage(isLowercase: Bool) throws {
        try add("a", data: Self.large)
        try add("b", data: Self.large)
        let names = try folder.blobs()
        try shell(folder.file()) { database in
            let name = isLowercase ? "lower(uuid)" : "uuid"
            try database.execute(
                sql: "INSERT INTO _transformable_garbage SELECT \(name), 0 FROM _transformable_blob WHERE object = 1"
            )
        }
        try store.write { context in
            try context.delete(context.object(ObjectID(entity: "Document", number: 2)))
        }
        #expect(try folder.blobs().count == 1)
        #expect(try Set(names).isSuperset(of: folder.blobs()))
        #expect(try store.verify().isSound)
        #expect(try store.read { try $0.first("Document")?.value("data", as: Data.self) } == Self.large)
    }
}
