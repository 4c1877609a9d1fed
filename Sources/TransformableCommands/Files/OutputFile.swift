internal import Foundation
internal import TransformableStore

/// A file that appears whole or not at all.
///
/// The bytes go to a file in a private folder beside it, which takes the name when all of them are on the
/// disk. A file that is there keeps its mode, and its link if it is one. Devices and pipes are
/// written in place, since replacing them would destroy them.
struct OutputFile {
    /// Gives bytes to a function, in pieces.
    typealias Producer = (_ put: (Data) throws -> Void) throws -> Void

    private let path: String
    private let temporaryFiles: TemporaryFiles

    init(_ path: String, _ temporaryFiles: TemporaryFiles) {
        self.path = path
        self.temporaryFiles = temporaryFiles
    }

    /// Writes the file.
    ///
    /// - Parameter bytes: All of its bytes.
    /// - Throws: ``CommandError/Code/cannotCreate`` or ``CommandError/Code/inputOutput``.
    func write(_ bytes: Data) throws {
        try write { put in try put(bytes) }
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - mode: The permissions of a new file, before the process's mask.
    ///   - produce: Gives the file's bytes to a function, in pieces.
    /// - Throws: ``CommandError/Code/cannotCreate`` or ``CommandError/Code/inputOutput``, and what the producer throws.
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
        guard folder.publish(as: target) else { throw CommandError.cannotCreate(path, errno) }
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

    /// The file that a link leads to, which may not be there yet.
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

    /// Puts the new name on the disk, too; where the system cannot, the file is there all the same.
    private func synchronizeFolder(of target: String) {
        if let file = SystemFile(FilePath(target).folder, O_RDONLY | O_DIRECTORY) {
            fsync(file.descriptor)
        }
    }
}
