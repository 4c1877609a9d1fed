internal import Foundation
internal import TransformableStore

/// A file that is written atomically.
///
/// The bytes are written to a temporary file in a private folder next to the target. Once they are on disk, the
/// temporary file replaces the target. An existing file keeps its mode and, if it is a symbolic link, its link. Devices
/// and pipes are written in place, because replacing them would destroy them.
struct OutputFile {
    /// A function that passes bytes to another function, piece by piece.
    typealias Producer = (_ put: (Data) throws -> Void) throws -> Void

    private let path: String
    private let temporaryFiles: TemporaryFiles

    init(_ path: String, _ temporaryFiles: TemporaryFiles) {
        self.path = path
        self.temporaryFiles = temporaryFiles
    }

    /// Writes the file.
    ///
    /// - Parameter bytes: The contents of the file.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/cannotCreate`` or
    ///   ``CommandError/Code/inputOutput``.
    func write(_ bytes: Data) throws {
        try write { put in try put(bytes) }
    }

    /// Writes the file piece by piece.
    ///
    /// - Parameters:
    ///   - mode: The permissions of a new file, before the process's umask is applied.
    ///   - produce: A closure that passes the bytes of the file to its argument, piece by piece.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/cannotCreate`` or
    ///   ``CommandError/Code/inputOutput``, and any error thrown by `produce`.
    func write(mode: mode_t = 0o666, _ produce: Producer) throws {
        var status = stat()
        let exists = stat(path, &status) == 0
        if !exists, errno != ENOENT { throw CommandError.cannotCreate(path, errno) }
        if exists, status.st_mode.isDirectory { throw CommandError.cannotCreate(path, EISDIR) }
        if exists, !status.st_mode.isRegularFile {
            try writeInPlace(produce)
        } else {
            try replace(mode: exists ? status.st_mode & 0o777 : mode, keepsMode: exists, produce)
        }
    }

    private func writeInPlace(_ produce: Producer) throws {
        guard let file = SystemFile(path, O_WRONLY) else { throw CommandError.cannotCreate(path, errno) }
        let descriptor = file.descriptor
        try produce { piece in try writeAll(piece, to: descriptor, name: "“\(path)”") }
    }

    private func replace(mode: mode_t, keepsMode: Bool, _ produce: Producer) throws {
        let target = try resolvedPath()
        if keepsMode, access(target, W_OK) != 0 { throw CommandError.cannotCreate(path, errno) }
        guard let folder = WorkingFolder(in: FilePath(target).folder, watch: temporaryFiles) else {
            throw CommandError.cannotCreate(path, errno)
        }
        try fill(folder.result, mode: mode, keepsMode: keepsMode, produce)
        guard folder.publish(as: target, replacing: true) else { throw CommandError.cannotCreate(path, errno) }
        synchronizeFolder(of: target)
    }

    private func fill(_ temporary: String, mode: mode_t, keepsMode: Bool, _ produce: Producer) throws {
        guard let file = SystemFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: mode) else {
            throw CommandError.cannotCreate(path, errno)
        }
        let descriptor = file.descriptor
        if keepsMode { fchmod(descriptor, mode) }
        try produce { piece in try writeAll(piece, to: descriptor, name: "“\(path)”") }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw CommandError.failedWriting("“\(path)”", errno) }
    }

    /// Returns the file that a symbolic link leads to, which may not exist yet.
    private func resolvedPath() throws(CommandError) -> String {
        var resolved = path
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: resolved) else {
                return resolved
            }
            resolved = target.hasPrefix("/") ? target : FilePath(resolved).sibling(target)
        }
        throw .cannotCreate(path, ELOOP)
    }

    /// Flushes the new name to disk.
    ///
    /// If the system cannot do this, the file exists all the same.
    private func synchronizeFolder(of target: String) {
        if let file = SystemFile(FilePath(target).folder, O_RDONLY | O_DIRECTORY) {
            fsync(file.descriptor)
        }
    }
}
