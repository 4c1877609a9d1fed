internal import Foundation
internal import Glibc

/// A file or folder that is to be made where nothing is yet.
enum NewFile {
    /// Makes the folder in which it is made.
    ///
    /// - Parameters:
    ///   - paths: The new file, and what else must not be there yet.
    ///   - watch: Removes the folder when the process is interrupted.
    /// - Returns: The folder.
    /// - Throws: ``StoreError`` with ``StoreError/Code/fileExists``, ``StoreError/Code/cannotCreate`` or
    ///   ``StoreError/Code/diskFull``.
    static func folder(
        for paths: String...,
        watch: (any InterruptionWatch)?
    ) throws(StoreError) -> WorkingFolder {
        let parent = ((paths.first ?? "") as NSString).deletingLastPathComponent
        for path in paths { try check(path, in: parent) }
        guard let folder = WorkingFolder(in: parent, watch: watch) else { throw FileSystem.failure("written", parent) }
        // Something of a process that was killed may have been in the way until now.
        for path in paths where FileSystem.exists(path) { throw .alreadyThere(path) }
        return folder
    }

    /// Gives what was made its name.
    ///
    /// - Parameters:
    ///   - folder: The folder in which it was made.
    ///   - path: Its name.
    ///   - suffixes: What is added to it for what must be there first.
    /// - Throws: ``StoreError``.
    static func publish(
        _ folder: WorkingFolder,
        as path: String,
        suffixes: [String] = []
    ) throws(StoreError) {
        guard folder.publish(as: path, suffixes: suffixes) else { throw FileSystem.failure("made", path) }
        try FileSystem.synchronize(folder: (path as NSString).deletingLastPathComponent)
    }

    private static func check(_ path: String, in folder: String) throws(StoreError) {
        guard FileSystem.exists("\(folder)/.") else {
            throw StoreError(.cannotCreate, "“\(path)” cannot be made: there is no folder “\(folder)”")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw StoreError(.cannotCreate, "“\(path)” cannot be made: the folder “\(folder)” cannot be written")
        }
    }
}

extension StoreError {
    fileprivate static func alreadyThere(_ path: String) -> Self {
        Self(.fileExists, "“\(path)” is there already; remove it or give another name")
    }
}
