internal import Foundation
internal import Transformable
internal import TransformableSQLite
internal import TransformableStore

/// A copy of a store from a file to a database on a server, or back.
struct ServerCopy {
    let session: Session
    /// Whether the tables of a copy in a database are distributed over several servers.
    let isDistributed: Bool

    /// Copies a store to a database.
    func copy(
        _ file: StoreArgument,
        at source: StoreAddress,
        to servers: any StoreServers,
        _ address: String,
        _ schema: String
    ) throws {
        let store = try file.openForReading(session.keylessRegistry, session, at: source)
        defer { try? store.close() }
        let report = try showingProgress { progress in
            try servers.copy(store, to: address, schema: schema, isDistributed: isDistributed, progress: progress)
        }
        if report.isContinuation { session.tell("note: an unfinished copy of the store was completed") }
        tellWhatIsLeftOut(report)
        try finish(report, "copied “\(file.store)” to the schema “\(schema)” of “\(address)”")
    }

    private func tellWhatIsLeftOut(_ report: ServerCopyReport) {
        if !report.otherTables.isEmpty {
            session.tell("note: not copied, because they do not belong to the store: \(list(report.otherTables))")
        }
        if !report.omittedIndexes.isEmpty {
            session.tell("note: left out, because values are too long for them: \(list(report.omittedIndexes))")
        }
    }

    /// Creates a store in a database, by way of a temporary file that only its owner can access.
    ///
    /// It appears in the database as a whole or not at all.
    ///
    /// - Parameters:
    ///   - servers: The servers.
    ///   - address: The address of the database.
    ///   - schema: The schema that is to contain the store.
    ///   - registry: The transformers.
    ///   - body: A closure that creates the store in a file.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` if the schema contains anything, or if the database cannot hold a value, and errors
    ///   thrown by the closure.
    func create<Result>(
        in servers: any StoreServers,
        _ address: String,
        _ schema: String,
        _ registry: TransformerRegistry,
        _ body: (_ path: String) throws -> Result
    ) throws -> Result {
        try servers.requireRoom(address, schema: schema)
        let folder = try workingFolder()
        defer { withExtendedLifetime(folder) {} }
        let result = try body(folder.result)
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let store = try Store(at: URL(filePath: folder.result), transformers: registry, options: options)
        defer { try? store.close() }
        let report = try showingProgress { progress in
            try servers.copyAtOnce(store, to: address, schema: schema, progress: progress)
        }
        tellWhatIsLeftOut(report)
        return result
    }

    private func workingFolder() throws(CommandError) -> WorkingFolder {
        let parent = FileManager.default.temporaryDirectory.path
        guard let folder = WorkingFolder(in: parent, watch: session.temporaryFiles) else {
            throw CommandError.cannotCreate(parent, errno)
        }
        return folder
    }

    /// Copies a store in a database to a new file.
    func copy(
        from servers: any StoreServers,
        _ address: String,
        _ schema: String,
        to file: String
    ) throws {
        let report = try showingProgress { progress in
            try servers.copy(
                from: address,
                schema: schema,
                to: URL(filePath: file),
                session.keylessRegistry,
                watch: session.temporaryFiles,
                progress: progress
            )
        }
        try finish(report, "copied the schema “\(schema)” of “\(address)” to “\(file)”")
    }

    /// Copies a store from one database to another, by way of a temporary file that only its owner can access.
    func copy(
        _ file: StoreArgument,
        _ servers: any StoreServers,
        from source: (address: String, schema: String),
        to target: (address: String, schema: String)
    ) throws {
        let folder = try workingFolder()
        defer { withExtendedLifetime(folder) {} }
        // The second step finds and reports the same missing blobs.
        _ = try showingProgress { progress in
            try servers.copy(
                from: source.address,
                schema: source.schema,
                to: URL(filePath: folder.result),
                session.keylessRegistry,
                watch: session.temporaryFiles,
                progress: progress
            )
        }
        try copy(file, at: .file(folder.result), to: servers, target.address, target.schema)
    }

    private func showingProgress<Result>(_ body: (@escaping (Int) -> Void) throws -> Result) rethrows -> Result {
        var progress = Progress(session)
        defer { progress.end() }
        return try body { progress.show($0) }
    }

    private func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }

    private func finish(_ report: ServerCopyReport, _ text: String) throws {
        let counts = "\(report.objectCount.counted("object")), \(report.blobCount.counted("blob"))"
        try session.print("\(text): \(counts)")
        guard !report.faults.isEmpty else { return }
        for fault in report.faults { session.tell("\(fault)") }
        throw CommandError.missingBlobs(report.faults.count)
    }
}

extension CommandError {
    /// Creates the error for a copy that contains what the store contains, but not all of its blobs are sound.
    static func missingBlobs(_ count: Int) -> Self {
        Self(.faultsFound, "\(count.counted("blob")) missing or damaged, both in the store and in the copy")
    }
}
