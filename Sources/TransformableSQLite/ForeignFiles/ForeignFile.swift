internal import Foundation
internal import Glibc
internal import TransformableStore

/// A database file of another program, read without changing it or creating files next to it.
///
/// What another program has left in the file's log is read, too. No locks are taken, so a file that is still being
/// written can change while it is read. ``requireUnchanged()`` detects that.
package final class ForeignFile: Sendable {
    /// The file's path, with symbolic links resolved.
    package let path: String
    private let engine: any Engine
    private let stamps: [Stamp?]
    /// The number of bytes in the file and its log.
    package var size: Int64 { stamps.reduce(0) { $0 + ($1?.size ?? 0) } }

    /// Opens a file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``ForeignFailure`` with the code `no-such-file`, `cannot-open`, `not-a-store` if it is not a database,
    ///   `busy` if another program was interrupted while it wrote the file, or `corrupt-file`.
    package init(path: String) throws {
        let resolved = StoreFile.resolvingLinks(path)
        self.path = resolved
        let stamps = Self.stamps(of: resolved)
        self.stamps = stamps
        engine = try ForeignFailure.marking {
            try Self.requireReadable(resolved, named: path)
            if stamps.allSatisfy({ $0?.size ?? 0 == 0 }) { throw StoreError(.notAStore, "the file “\(path)” is empty") }
            return try Self.open(resolved)
        }
    }

    private static func open(_ path: String) throws -> any Engine {
        let engine = try StoreFile.foreignEngine(path, pragmas)
        do {
            _ = try engine.read { try $0.integer("SELECT 1 FROM sqlite_master LIMIT 1") }
        } catch {
            try? engine.close()
            throw error
        }
        return engine
    }

    // Nothing in the file's own schema may run, and damaged pages are noticed as they are read.
    private static let pragmas = ["trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY"]

    /// Reads from the file.
    ///
    /// - Parameter body: A closure that reads. The reader is valid only inside the closure.
    /// - Returns: The result of the closure.
    /// - Throws: ``ForeignFailure`` if reading fails, and errors thrown by the closure.
    package func read<Result>(_ body: (ForeignReader) throws -> Result) throws -> Result {
        var result: Swift.Result<Result, any Error>?
        try ForeignFailure.marking {
            try engine.read { connection in
                result = Swift.Result { try body(ForeignReader(connection: connection, size: size)) }
            }
        }
        guard let result else { throw ForeignFailure(cause: StoreError(.inputOutput, "the file could not be read")) }
        return try result.get()
    }

    /// Why SQLite does not read all of the log of the file, in words, or `nil` if there is no reason to think so.
    ///
    /// - Throws: ``ForeignFailure`` if the log cannot be read.
    package func logNote() throws -> String? {
        if lacksLog {
            let name = path.split(separator: "/").last.map { "\($0)-wal" } ?? ""
            let remedy = "if there is one where the store comes from, copy it too, because it contains the newest rows"
            return "there is no write-ahead log “\(name)” next to the store; \(remedy)"
        }
        let damage = try ForeignFailure.marking { try ForeignLog.damage(of: path) }
        return damage.map { "the write-ahead log is damaged: \($0)" }
    }

    /// Whether the file is of the kind that has a log, but there is none next to it.
    ///
    /// The last program to close such a file can remove the log, but on Apple platforms it usually stays.
    private var lacksLog: Bool {
        guard stamps[1] == nil, let descriptor = FileSystem.openDescriptor(of: path),
            let header = try? FileReader(descriptor, path: path).readAll(count: 20), header.count == 20
        else { return false }
        // The versions of the format for writing and reading (sqlite.org/fileformat2.html, section 1.3.3).
        return header[18] == 2 && header[19] == 2
    }

    /// Closes the file.
    package func close() {
        try? engine.close()
    }

    // MARK: - Changes by others

    private struct Stamp: Equatable {
        let node: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private static func stamps(of path: String) -> [Stamp?] {
        ["", "-wal"]
            .map { suffix in
                var status = stat()
                guard unsafe stat(path + suffix, &status) == 0 else { return nil }
                return Stamp(
                    node: UInt64(status.st_ino),
                    size: Int64(status.st_size),
                    seconds: status.st_mtim.tv_sec,
                    nanoseconds: status.st_mtim.tv_nsec
                )
            }
    }

    /// Throws an error if the file or its log has changed since it was opened.
    ///
    /// - Throws: ``ForeignFailure`` with the code `busy`.
    package func requireUnchanged() throws(ForeignFailure) {
        guard Self.stamps(of: path) == stamps else {
            let copy = "make a copy with the sqlite3 shell's “.backup” command and read the copy"
            let remedy = "close that program, or \(copy)"
            let message = "another program has changed the file “\(path)” while it was read; \(remedy)"
            throw ForeignFailure(cause: StoreError(.busy, message))
        }
    }

    // MARK: - Before opening

    private static func requireReadable(_ path: String, named name: String) throws(StoreError) {
        guard FileSystem.exists(path) else { throw StoreError(.noSuchFile, "there is no file “\(name)”") }
        guard FileSystem.isRegularFile(path) else {
            throw StoreError(.notAStore, "“\(name)” is a folder or a device, not a file; choose another path")
        }
        for file in [path, "\(path)-wal"] where FileSystem.exists(file) {
            guard unsafe access(file, R_OK) != 0 else { continue }
            throw StoreError(.cannotOpen, "the file “\(file)” cannot be read: permission is denied")
        }
    }
}

/// A failure to read a file of another program, as opposed to a failure of a store.
package struct ForeignFailure: Error {
    package let cause: StoreError

    /// Runs a closure that only reads such a file, and marks its errors.
    static func marking<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw Self(cause: error)
        }
    }
}
