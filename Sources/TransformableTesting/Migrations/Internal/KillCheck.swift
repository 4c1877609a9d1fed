internal import Foundation
internal import TransformableStore

/// Finds out what a process leaves that is killed while it brings a store to another version, and what the next one
/// makes of that.
struct KillCheck {
    let test: MigrationTest
    let start: StoreFolder
    let old: Model
    let new: Model
    /// What the store had before, and what it has once it is migrated.
    let before: StoreContents
    let after: StoreContents
    let ignored: Set<String>

    /// Looks at some moments from the first page that is written to the last one.
    ///
    /// - Returns: What is wrong.
    func run() throws -> [String] {
        guard test.killCount > 0 else { return [] }
        let (history, end) = try record()
        var faults: [String] = []
        for moment in history.moments(test.killCount) {
            let place = "killed after \(moment.pages) of \(history.count) pages\(moment.isTorn ? " and a half" : "")"
            do {
                faults += try check(history.contents(at: moment), end).map { "\(place): \($0)" }
            } catch {
                faults.append("\(place): \(error)")
            }
            if faults.count > 3 { break }
        }
        return faults
    }

    /// Migrates a copy beside a reader, for whom SQLite keeps the database as it was and all that was written in its log.
    private func record() throws -> (LogHistory, StoreFolder) {
        let folder = try start.copy()
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let reader = try Store(at: folder.file, transformers: test.transformers, options: options)
        defer { try? reader.close() }
        let log = try reader.read { context in
            for entity in reader.model.entities where !entity.isAbstract { _ = try context.exists(entity.name) }
            let store = try test.open(folder, new)
            defer { try? store.close() }
            return try Data(contentsOf: folder.log)
        }
        return (LogHistory(log), folder)
    }

    /// Opens what a killed process has left, and migrates it again.
    private func check(_ log: Data, _ end: StoreFolder) throws -> [String] {
        let folder = try start.copy()
        try log.write(to: folder.log)
        try folder.addBlobs(of: end)
        let version = try foundVersion(folder)
        guard [old.version, new.version].contains(version) else { return ["the store has version \(version)"] }
        // A column that was re-encoded before is no longer what the old model says.
        if version == old.version, let contents = try? test.withStore(folder, old, { try StoreContents($0) }),
            let difference = contents.differences(from: before, ignoring: []).first
        {
            return ["the store has the old version, and \(difference)"]
        }
        return try test.withStore(folder, new) { store in
            let verification = try store.verify()
            let faults = verification.faults.prefix(1).map { "the store is not sound then: \($0)" }
            let differences = try StoreContents(store).differences(from: after, ignoring: ignored)
            return faults + differences.prefix(1).map { "migrated again, \($0) from what it is without a kill" }
        }
    }

    private func foundVersion(_ folder: StoreFolder) throws -> Int {
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let store = try Store(at: folder.file, transformers: test.transformers, options: options)
        defer { try? store.close() }
        return store.model.version
    }
}
