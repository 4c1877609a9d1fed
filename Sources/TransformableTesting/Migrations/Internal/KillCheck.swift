internal import Foundation
internal import TransformableSQLite
internal import TransformableStore

/// Checks the state of a store after a process is killed while migrating it, and whether the migration can then be
/// completed.
struct KillCheck {
    let test: MigrationTest
    let start: StoreFolder
    let old: Model
    let new: Model
    /// The contents before and after the migration.
    let before: StoreContents
    let after: StoreContents
    let ignored: Set<String>

    /// Checks a sample of moments between the first and the last page that is written.
    ///
    /// - Returns: Descriptions of the violations.
    func run() throws -> [String] {
        guard test.killCount > 0 else { return [] }
        let (history, end) = try record()
        var faults: [String] = []
        for moment in history.moments(test.killCount) {
            let place = "killed after \(moment.pages)\(moment.isTorn ? " and a half" : "") of \(history.count) pages"
            do {
                faults += try check(history.contents(at: moment), end).map { "\(place): \($0)" }
            } catch {
                faults.append("\(place): \(error)")
            }
            if faults.count > 3 { break }
        }
        return faults
    }

    /// Migrates a copy while a reader is active, so that SQLite keeps everything it writes in the write-ahead log.
    private func record() throws -> (LogHistory, StoreFolder) {
        let folder = try start.copy()
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let reader = try Store(at: folder.file, transformers: test.transformers, options: options)
        defer { try? reader.close() }
        let log = try reader.readWhole { context in
            for entity in reader.model.entities where !entity.isAbstract { _ = try context.exists(entity.name) }
            let store = try test.open(folder, new)
            defer { try? store.close() }
            return try Data(contentsOf: folder.log)
        }
        return (LogHistory(log), folder)
    }

    /// Opens the files that a killed process left behind, and completes the migration.
    private func check(_ log: Data, _ end: StoreFolder) throws -> [String] {
        let folder = try start.copy()
        try log.write(to: folder.log)
        try folder.addBlobs(of: end)
        let version = try foundVersion(folder)
        guard [old.version, new.version].contains(version) else { return ["the store has version \(version)"] }
        // A column that was already re-encoded no longer matches the old model.
        if version == old.version, let contents = try? test.withStore(folder, old, { try StoreContents($0) }),
            let difference = contents.differences(from: before, ignoring: []).first
        {
            return ["the store has the old version, but \(difference)"]
        }
        return try test.withStore(folder, new) { store in
            let verification = try store.verify()
            let faults = verification.faults.prefix(1).map { "the store is damaged afterward: \($0)" }
            let differences = try StoreContents(store).differences(from: after, ignoring: ignored)
            return faults
                + differences.prefix(1)
                .map { "after completing the migration, \($0) from a migration that was not killed" }
        }
    }

    private func foundVersion(_ folder: StoreFolder) throws -> Int {
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let store = try Store(at: folder.file, transformers: test.transformers, options: options)
        defer { try? store.close() }
        return store.model.version
    }
}

/// The states of a database's write-ahead log while it was written.
///
/// The log only grows while a reader holds an older snapshot. Therefore, every prefix of the log is a state in which a
/// killed process may leave it. See “WAL-Index Format” and “The WAL File Format” in SQLite's documentation.
private struct LogHistory {
    private static let headerCount = 32
    private static let frameHeaderCount = 24

    private let bytes: Data
    private let frameCount: Int
    /// The number of pages that were written.
    let count: Int
    /// The numbers of pages after which transactions were committed.
    let commits: [Int]

    init(_ log: Data) {
        bytes = log
        guard log.count >= Self.headerCount else {
            (frameCount, count, commits) = (0, 0, [])
            return
        }
        let number = { (offset: Int) in log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let pageCount = number(8) == 1 ? 65_536 : Int(number(8))
        frameCount = pageCount + Self.frameHeaderCount
        let salts = (number(16), number(20))
        var (count, commits) = (0, [Int]())
        while true {
            let frame = Self.headerCount + count * frameCount
            // Frames that remain from an earlier log have different salts.
            guard pageCount > 0, frame + frameCount <= log.count, (number(frame + 8), number(frame + 12)) == salts
            else {
                break
            }
            count += 1
            if number(frame + 4) != 0 { commits.append(count) }
        }
        (self.count, self.commits) = (count, commits)
    }

    /// A moment: the number of pages written, and whether half of another page was written.
    struct Moment: Hashable {
        let pages: Int
        let isTorn: Bool
    }

    /// Returns a sample of moments from first to last, starting with those around commits.
    func moments(_ limit: Int) -> [Moment] {
        guard limit > 0, count > 0 else { return [] }
        let around = commits.suffix(limit / 2)
            .flatMap { [Moment(pages: $0 - 1, isTorn: true), Moment(pages: $0, isTorn: false)] }
        let rest = max(1, limit - around.count)
        let spread = (0..<rest)
            .map { index in
                let pages = index * count / rest
                return Moment(pages: pages, isTorn: !index.isMultiple(of: 2))
            }
        return Set(around + spread).sorted { ($0.pages, $0.isTorn ? 1 : 0) < ($1.pages, $1.isTorn ? 1 : 0) }
    }

    /// Returns the contents of the log at a moment.
    func contents(at moment: Moment) -> Data {
        let end = Self.headerCount + moment.pages * frameCount + (moment.isTorn ? frameCount / 2 : 0)
        return bytes.prefix(moment.pages == 0 && !moment.isTorn ? 0 : end)
    }
}
