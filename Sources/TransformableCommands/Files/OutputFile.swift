internal import Foundation
internal import TransformableStore

/// A file that is written atomically.
///
/// The bytes are written to a temporary file in a private folder next to the target. Once they are on disk, the
/// temporary file replaces the target. An existing file keeps its owner and group as far as the process may set them,
/// its mode, and, if it is a symbolic link, its link. Devices and pipes are written in place, because replacing them
/// would destroy them.
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
            try replace(exists ? status : nil, mode: mode, produce)
        }
    }

    private func writeInPlace(_ produce: Producer) throws {
        guard let file = SystemFile(path, O_WRONLY) else { throw CommandError.cannotCreate(path, errno) }
        let descriptor = file.descriptor
        try produce { piece in try writeAll(piece, to: descriptor, name: "“\(path)”") }
    }

    private func replace(_ former: stat?, mode: mode_t, _ produce: Producer) throws {
        let target = try resolvedPath()
        if former != nil, access(target, W_OK) != 0 { throw CommandError.cannotCreate(path, errno) }
        guard let folder = WorkingFolder(in: FilePath(target).folder, watch: temporaryFiles) else {
            throw CommandError.cannotCreate(path, errno)
        }
        try fill(folder.result, replacing: former, mode: mode, produce)
        guard folder.publish(as: target, replacing: true) else { throw CommandError.cannotCreate(path, errno) }
        synchronizeFolder(of: target)
    }

    private func fill(_ temporary: String, replacing former: stat?, mode: mode_t, _ produce: Producer) throws {
        guard let file = SystemFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: former == nil ? mode : 0o600) else {
            throw CommandError.cannotCreate(path, errno)
        }
        let descriptor = file.descriptor
        if let former { takeRights(of: former, descriptor) }
        try produce { piece in try writeAll(piece, to: descriptor, name: "“\(path)”") }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw CommandError.failedWriting("“\(path)”", errno) }
    }

    /// Gives a file the owner, the group, and the mode of another one.
    ///
    /// Only root may set another owner. If the process may not set the group either, its own group gets the rights of
    /// all others, and not those of the former group.
    private func takeRights(of former: stat, _ descriptor: Int32) {
        var mode = former.st_mode & 0o777
        let isOfGroup =
            fchown(descriptor, former.st_uid, former.st_gid) == 0 || fchown(descriptor, .max, former.st_gid) == 0
        if !isOfGroup { mode = mode & 0o707 | (mode & 0o007) << 3 }
        fchmod(descriptor, mode)
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
