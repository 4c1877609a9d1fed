internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

// The system function, because a method has the same name.
private let systemWrite = unsafe write

/// What a program does while key files are written.
///
/// The closure is wrapped in a structure, because optimized code crashes when a task-local value is a function that takes
/// a function (Swift 6.3).
package struct KeyFileWriting: Sendable {
    @TaskLocal package static var current = Self { try $0() }

    /// Runs an operation that would leave a temporary file behind if the process ended in the meantime.
    ///
    /// The operation does not wait for other programs or for a user.
    let uninterrupted: @Sendable (() throws -> Void) throws -> Void

    package init(uninterrupted: @escaping @Sendable (() throws -> Void) throws -> Void) {
        self.uninterrupted = uninterrupted
    }
}

extension PrivateFile {
    /// Writes the file atomically, readable only by its owner.
    ///
    /// Temporary files that killed writers have left behind are removed first.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - replacing: Whether to replace an existing file. If false, an existing file is an error.
    /// - Throws: `TransformerError` with the code `unreadable-key-file` if the file exists or cannot be written, or if it
    ///   was written, but may be lost in a power failure.
    func write(_ bytes: SecureBytes, replacing: Bool) throws {
        try KeyFileWriting.current.uninterrupted { try writeAtOnce(bytes, replacing: replacing) }
    }

    private func writeAtOnce(_ bytes: SecureBytes, replacing: Bool) throws {
        removeAbandonedFiles()
        let (temporary, descriptor) = try makeTemporaryFile()
        defer {
            unsafe unlink(temporary)
            close(descriptor)
        }
        try unsafe bytes.withUnsafeBytes { try unsafe write($0, to: descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("written") }
        guard unsafe replacing ? rename(temporary, path) == 0 : FileNames.give(path, to: temporary) else {
            guard replacing || errno != EEXIST else { throw TransformerError.existingKeyFile(path) }
            throw failure("written")
        }
        try syncFolder()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("written") }
            written += count
        }
    }

    /// Flushes the new name to disk.
    ///
    /// File systems that cannot flush a folder, and folders that cannot be read, make their own guarantees.
    private func syncFolder() throws {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        while fsync(descriptor) != 0 {
            guard errno != EINVAL else { return }
            guard errno == EINTR else { throw TransformerError.mayNotLast(self, errno) }
        }
    }
}

// MARK: - Temporary files

extension PrivateFile {
    private static let suffix = ".tmp"
    private static let digitCount = 16

    private var folder: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var name: Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// Creates an empty temporary file next to this one.
    ///
    /// It is locked while its descriptor is open.
    ///
    /// The lock distinguishes it from a file that a killed writer has left behind.
    private func makeTemporaryFile() throws -> (path: String, descriptor: Int32) {
        while true {
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let digits = String(repeating: "0", count: Self.digitCount - number.count) + number
            let temporary = "\(path).\(digits)\(Self.suffix)"
            let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("written") }
            // On a file system without locks, no writer removes the files of others.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            // Another writer may have removed the file before it was locked. If so, try again.
            if unsafe access(temporary, F_OK) == 0 || errno != ENOENT { return (temporary, descriptor) }
            close(descriptor)
        }
    }

    /// Removes temporary files that are not locked by a running writer, and further names of the file itself.
    ///
    /// A writer that is killed right after it has created the file leaves such a name behind, under which the keys
    /// would outlive a change of the passphrase. While the file is locked for that change, so is the name.
    private func removeAbandonedFiles() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isTemporary(name) { removeIfAbandoned("\(folder)/\(name)") }
    }

    private func isTemporary(_ found: String) -> Bool {
        let digits = found.dropFirst(name.count + 1).dropLast(Self.suffix.count)
        return found == "\(name).\(digits)\(Self.suffix)" && digits.utf8.count == Self.digitCount
            && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    private func removeIfAbandoned(_ temporary: String) {
        let descriptor = unsafe open(temporary, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if isOpen(as: descriptor) || flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(temporary) }
    }
}
