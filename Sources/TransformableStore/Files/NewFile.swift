internal import Foundation
internal import Glibc

/// A file or folder to be created where nothing exists yet.
package enum NewFile {
    /// Returns the paths of a new store's file and of everything else that must not exist.
    ///
    /// SQLite would take a log that is already there for that of the new file.
    package static func storeFiles(_ path: String) -> [String] {
        [path, BlobFolder.path(of: path)] + ["-wal", "-shm", "-journal"].map { path + $0 }
    }

    /// Creates the folder in which the file or folder is built.
    ///
    /// - Parameters:
    ///   - paths: The paths of the new file and of everything else that must not exist.
    ///   - watch: Removes the folder when the process is interrupted.
    /// - Returns: The folder.
    /// - Throws: `StoreError` with the code `file-exists`, `cannot-create`, or
    ///   `disk-full`.
    package static func folder(
        for paths: [String],
        watch: (any WorkingFolderWatch)?
    ) throws(StoreError) -> WorkingFolder {
        let parent = ((paths.first ?? "") as NSString).deletingLastPathComponent
        for path in paths { try check(path, in: parent) }
        guard let folder = WorkingFolder(in: parent, watch: watch) else { throw FileSystem.failure("written", parent) }
        // Files of a killed process may have been in the way until now.
        for path in paths where FileSystem.exists(path) { throw .alreadyThere(path, isResult: path == paths.first) }
        return folder
    }

    /// Runs a closure that builds the result, and names the result's path in errors, instead of that of the folder.
    ///
    /// - Parameters:
    ///   - path: The result's path.
    ///   - folder: The folder in which it is built.
    ///   - body: A closure that builds it.
    /// - Returns: The result of the closure.
    /// - Throws: Errors thrown by the closure.
    package static func build<Result>(
        _ path: String,
        in folder: WorkingFolder,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try StoreError.explainingFullDisk(at: path) { try body() }
        } catch var error as StoreError {
            error.message = error.message.replacing(folder.result, with: path)
            throw error
        }
    }

    /// Moves the result to its path.
    ///
    /// - Parameters:
    ///   - folder: The folder in which it was built.
    ///   - path: Its path.
    ///   - suffixes: The suffixes of everything that must exist before the result does.
    /// - Throws: `StoreError` if it cannot be moved, or with the code `input-output` if it has been moved, but may be
    ///   missing after a power failure.
    package static func publish(
        _ folder: WorkingFolder,
        as path: String,
        suffixes: [String] = []
    ) throws(StoreError) {
        // SQLite writes its log back when the last connection closes, unless the disk is full. If it has not, the result
        // lacks what is only in the log.
        guard !FileSystem.exists("\(folder.result)-wal") else {
            let reason = "its log could not be written back; close other connections, and check that the disk has space"
            throw StoreError(.inputOutput, "“\(path)” was not created, because \(reason)")
        }
        guard folder.publish(as: path, suffixes: suffixes) else {
            guard ![EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) else { throw .alreadyThere(path, isResult: true) }
            throw FileSystem.failure("created", path)
        }
        let code = FileSystem.flush(folder: (path as NSString).deletingLastPathComponent)
        guard code == 0 else { throw .mayNotLast(path, code) }
    }

    private static func check(_ path: String, in folder: String) throws(StoreError) {
        guard unsafe access("\(folder)/.", F_OK) == 0 else { throw .cannotCreate(path, errno) }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw .cannotCreate(path, EACCES)
        }
    }
}

extension StoreError {
    /// Returns the error for a file or folder that cannot be created, for a reason that the system states as a number.
    package static func cannotCreate(_ path: String, _ code: Int32) -> Self {
        let folder = (path as NSString).deletingLastPathComponent
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "there is no folder “\(folder)”; create the folder, or choose another path"
            case EACCES, EPERM, EROFS:
                "the folder “\(folder)” is not writable; make it writable, or choose another path"
            default: "\(unsafe String(cString: strerror(code))); choose another path"
            }
        return Self(.cannotCreate, "“\(path)” cannot be created: \(reason)")
    }

    /// Returns the error for a result that has appeared, but whose name could not be flushed to disk.
    ///
    /// This is no error of a full disk, after which nothing has changed.
    fileprivate static func mayNotLast(_ path: String, _ code: Int32) -> Self {
        let reason = "its folder could not be flushed to disk: \(unsafe String(cString: strerror(code)))"
        let outcome = "“\(path)” was created and is complete, but it may be missing after a power failure"
        return Self(.inputOutput, "\(outcome), because \(reason); check the disk")
    }

    fileprivate static func alreadyThere(_ path: String, isResult: Bool) -> Self {
        let way = isResult ? "" : ", or move it away if the store that it belonged to no longer exists"
        return Self(.fileExists, "“\(path)” already exists; choose another name\(way)")
    }
}
