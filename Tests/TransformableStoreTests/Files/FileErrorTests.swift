import Foundation
import GRDB
import Glibc
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Errors about files, which name the file, the problem, and what to do.
@Suite struct FileErrorTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private var path: String { folder.file().path }

    private func expect(
        _ error: StoreError?,
        _ code: StoreError.Code,
        _ parts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code, sourceLocation: sourceLocation)
        for part in parts {
            #expect(error?.message.contains(part) == true, "\(error as Any)", sourceLocation: sourceLocation)
        }
    }

    private func open(_ options: Store.Options = .createIfMissing, at url: URL? = nil) throws -> Store {
        try Store(
            at: url ?? folder.file(),
            model: Models.documents(),
            transformers: Transformers().registry(),
            options: options
        )
    }

    @Test func errorsNameALockedFile() throws {
        let store = try open(Store.Options(busyTimeout: .zero))
        let queue = try DatabaseQueue(path: path)
        let error = try queue.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            defer { try? database.execute(sql: "ROLLBACK") }
            return #expect(throws: StoreError.self) { try store.addDocument("a") }
        }
        expect(error, .busy, "“\(path)”", "try again")
    }

    @Test func errorsNameAReadOnlyStore() throws {
        try open().close()
        let store = try open(.readOnly)
        let error = #expect(throws: StoreError.self) { try store.addDocument("a") }
        expect(error, .readOnly, "“\(path)”", "open it for writing")
    }

    @Test func errorsNameAMissingFolder() throws {
        let url = folder.url.appending(path: "missing/test.sqlite")
        expect(
            #expect(throws: StoreError.self) { try open(at: url) },
            .cannotCreate,
            "“\(url.path)”",
            "“\(folder.url.path)/missing”",
            "create the folder"
        )
        let store = try open()
        for body in [{ _ = try store.copy(to: url) }, { _ = try store.export(to: url) }] as [() throws -> Void] {
            expect(#expect(throws: StoreError.self) { try body() }, .cannotCreate, "“\(url.path)”", "create the folder")
        }
    }

    @Test func aFolderThatCannotBeSearchedIsNotSaidToBeMissing() throws {
        let url = folder.url.appending(path: "\(String(repeating: "a", count: 300))/test.sqlite")
        let error = #expect(throws: StoreError.self) { try open().copy(to: url) }
        expect(error, .cannotCreate, "“\(url.path)”", "too long")
    }

    @Test func errorsNameAFolderInPlaceOfTheFile() throws {
        let error = #expect(throws: StoreError.self) { try open(at: folder.url) }
        expect(error, .cannotCreate, "“\(folder.url.path)”", "choose another path")
    }

    @Test func errorsNameAnUnusableFolderOfValues() throws {
        let store = try open()
        try Data().write(to: folder.blobFolder)
        let error = #expect(throws: StoreError.self) {
            try store.addDocument("a", data: Data(repeating: 1, count: 400_000))
        }
        expect(error, .inputOutput, "“\(folder.blobFolder.path)", "try again")
    }

    // With this limit, no further file can be opened.
    @Test func aFileThatCannotBeOpenedIsReadAgain() async throws {
        let path = path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try Store(
                at: URL(filePath: path),
                model: Models.documents(),
                transformers: Transformers().registry()
            )
            let bytes = Data(repeating: 1, count: 400_000)
            let id = try store.addDocument("a", data: bytes)
            try store.read { context in
                let document = try context.object(id)
                guard try document.value("name", as: String.self) == "a" else { exit(3) }
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let former = limit.rlim_cur
                limit.rlim_cur = 3
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                do {
                    _ = try document.value("data", as: Data.self)
                    exit(4)
                } catch let error as StoreError {
                    guard error.code == .inputOutput, error.attribute == "data", error.object == id else { exit(5) }
                }
                limit.rlim_cur = former
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                guard try document.value("data", as: Data.self) == bytes else { exit(6) }
            }
        }
    }

    // A file size limit makes SQLite's own writes fail.
    @Test func errorsNameAFileThatCannotGrow() async throws {
        let path = path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try Store(
                at: URL(filePath: path),
                model: Models.documents(),
                transformers: Transformers().registry()
            )
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                for number in 0..<10_000 { try store.addDocument("\(number)", data: Data(repeating: 1, count: 900)) }
                exit(3)
            } catch let error as StoreError {
                guard error.code == .inputOutput else { exit(4) }
                guard error.message.contains("“\(path)”"), error.message.contains("try again") else { exit(5) }
            }
        }
    }

    // Otherwise, a copy would be reported as failed after it has appeared.
    @Test func aFolderThatTheSystemCannotFlushIsNoError() {
        #expect(throws: Never.self) { try FileSystem.synchronize(folder: "/proc") }
    }

    /// Lets the process open no further files once a result has its name.
    private struct LastFile: WorkingFolderWatch {
        func insert(_ path: String, _ make: () -> Bool) -> Bool { make() }
        func forget(_ path: String) {}

        func withoutInterruption<Result>(_ move: () throws -> Result) rethrows -> Result {
            defer { FileErrorTests.limitFiles(to: 3) }
            return try move()
        }
    }

    private static func limitFiles(to count: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(count, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    @Test func aCopyWhoseNameCannotBeFlushedIsReportedAsCreated() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            defer { withExtendedLifetime(folder) {} }
            let store = try Store.documents(in: folder)
            try store.addDocument("a")
            let copy = folder.file("copy.sqlite")
            do {
                _ = try store.copy(to: copy, watch: LastFile())
                exit(3)
            } catch let error as StoreError {
                FileErrorTests.limitFiles(to: .max)
                guard error.code == .inputOutput, error.message.hasPrefix("“\(copy.path)” was created") else { exit(4) }
            }
            let registry = try Transformers().registry()
            guard try Store(at: copy, transformers: registry).read({ try $0.count("Document") }) == 1 else { exit(5) }
        }
    }

    // The copy is built elsewhere, in a folder that no longer exists when somebody reads the error.
    @Test func errorsNameACopyThatCannotGrow() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            defer { withExtendedLifetime(folder) {} }
            let store = try Store.documents(in: folder)
            try store.write { context in
                for number in 0..<300 {
                    let document = try context.insert("Document")
                    try document.setValue("\(number)", for: "name")
                    try document.setValue(Data(repeating: 1, count: 900), for: "data")
                }
            }
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let copy = folder.file("copy.sqlite")
            do {
                try store.copy(to: copy)
                exit(3)
            } catch let error as StoreError {
                guard error.code == .inputOutput, error.message.contains("“\(copy.path)”") else { exit(4) }
            }
        }
    }

    // It is not the value that is at fault, although its stored bytes would fit.
    @Test func anExportEndsIfAFileCannotHoldAValue() async {
        await #expect(processExitsWith: .success) {
            let scans = try Scans()
            defer { withExtendedLifetime(scans.folder) {} }
            let store = try scans.store("gzip")
            try store.write { try $0.insert("Scan").setValue(Data(count: 400_000), for: "bytes") }
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                try store.export(to: scans.folder.url.appending(path: "export"))
                exit(3)
            } catch let error as StoreError {
                guard error.code == .limitExceeded, error.message.contains("“1.bytes”") else { exit(4) }
            }
        }
    }
}
