internal import Foundation
internal import Glibc
internal import Transformable

/// A private folder for work in progress, whose result appears as a whole or not at all.
///
/// The folder is next to the result, and only its owner can access it. It is locked as long as its process is running.
/// An unlocked folder belonged to a process that was killed, and is removed by the next one.
package final class WorkingFolder: Sendable {
    /// The folder's path.
    package let path: String
    private let lock: FileDescriptor
    private let watch: (any WorkingFolderWatch)?

    /// The path at which to create the result.
    package var result: String { Self.result(in: path) }

    /// Creates a folder, and removes those that killed processes have left behind.
    ///
    /// The initializer returns `nil`, with `errno` set, if the folder cannot be created.
    ///
    /// - Parameters:
    ///   - parent: The folder in which to create it.
    ///   - watch: The watch to register the folder with.
    package init?(in parent: String, watch: (any WorkingFolderWatch)?) {
        Self.removeAbandoned(in: parent)
        while true {
            let path = "\(parent)/\(Self.randomName())"
            let make = { unsafe mkdir(path, 0o700) == 0 }
            guard watch?.insert(path, make) ?? make() else { return nil }
            let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // A file system without locks has no sweeps either.
            if descriptor >= 0 { _ = FileSystem.retrying { flock(descriptor, LOCK_EX) } }
            if descriptor >= 0, Self.isSame(descriptor, path) {
                self.path = path
                self.watch = watch
                lock = FileDescriptor(descriptor)
                return
            }
            // Another process may have removed the folder before it was locked.
            let (code, isGone) = (errno, unsafe access(path, F_OK) != 0)
            if descriptor >= 0 { close(descriptor) }
            watch?.forget(path)
            guard isGone else {
                unsafe rmdir(path)
                errno = code
                return nil
            }
        }
    }

    deinit {
        let remove = { [path] in Self.remove(path) }
        // Interrupted in the middle, it would leave the rest behind under another name.
        if let watch { watch.withoutInterruption(remove) } else { remove() }
        watch?.forget(path)
    }

    /// Moves the result to its name, after the files that belong to it.
    ///
    /// - Parameters:
    ///   - target: The result's name, in the parent folder.
    ///   - suffixes: The suffixes of files and folders that must exist before the result does.
    ///   - replacing: Whether the result replaces a file of this name.
    /// - Returns: Whether it succeeded. If not, `errno` is set and nothing has been moved.
    package func publish(as target: String, suffixes: [String] = [], replacing: Bool = false) -> Bool {
        let move = { [self] in
            var moved: [String] = []
            for suffix in suffixes where FileSystem.exists(result + suffix) {
                guard note(suffix, of: target), Self.move(result + suffix, to: target + suffix) else { break }
                moved.append(suffix)
            }
            let isWhole = suffixes.allSatisfy { !FileSystem.exists(result + $0) }
            if isWhole, replacing ? unsafe rename(result, target) == 0 : Self.move(result, to: target) { return true }
            let code = errno
            for suffix in moved { unsafe _ = rename(target + suffix, result + suffix) }
            errno = code
            return false
        }
        return watch?.withoutInterruption(move) ?? move()
    }

    /// Moves a file or folder, unless something else has appeared under the new name in the meantime.
    private static func move(_ source: String, to target: String) -> Bool {
        // A folder replaces nothing but an empty folder.
        guard FileSystem.isRegularFile(source) else { return unsafe rename(source, target) == 0 }
        guard FileNames.give(target, to: source) else { return false }
        FileSystem.remove(source)
        return true
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return unsafe fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}

// MARK: - Removing

extension WorkingFolder {
    package static let prefix = ".transformable-"
    private static let suffix = ".tmp"
    private static let digitCount = 16

    private static func result(in path: String) -> String { "\(path)/result" }

    private static func randomName() -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix + String(repeating: "0", count: digitCount - number.count) + number + suffix
    }

    private static func isName(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count).utf8
        return digits.count == digitCount
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Removes a folder with all its contents, even while its owner is still adding to it.
    ///
    /// - Parameter path: The folder's path.
    package static func remove(_ path: String) {
        // Under another name, nothing more is added to it, except by a call that has already found it.
        let other = "\((path as NSString).deletingLastPathComponent)/\(randomName())"
        guard unsafe rename(path, other) == 0 else { return }
        for _ in 0..<10 where FileSystem.exists(other) { try? FileManager.default.removeItem(atPath: other) }
    }

    /// Removes the folders of processes that were killed.
    private static func removeAbandoned(in parent: String) {
        for name in FileSystem.names(in: parent) where isName(name) {
            removeIfAbandoned("\(parent)/\(name)", in: parent)
        }
    }

    private static func removeIfAbandoned(_ path: String, in parent: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        removePublished(of: path, in: parent)
        remove(path)
    }
}

// MARK: - Records of moved files

extension WorkingFolder {
    private static let notePrefix = "published-"

    /// Records what is moved before the result, so that it is removed if the result never follows.
    ///
    /// The record is a symbolic link to the name, or a file that contains it where there are no links. Its own name
    /// contains the number of the file or folder.
    private func note(_ suffix: String, of target: String) -> Bool {
        var status = stat()
        guard unsafe lstat(result + suffix, &status) == 0 else { return false }
        let name = ((target + suffix) as NSString).lastPathComponent
        let note = "\(path)/\(Self.notePrefix)\(status.st_ino)"
        if unsafe symlink(name, note) == 0 { return true }
        guard FileNames.withoutLinks.contains(errno) else { return false }
        let number = unsafe open(note, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        return number >= 0 && (try? FileDescriptor(number).write(Data(name.utf8), path: note)) != nil
    }

    /// Returns whether a folder of blobs has the file that it belongs to.
    private static func isOwned(_ path: String) -> Bool {
        let suffix = BlobFolder.path(of: "")
        return path.hasSuffix(suffix) && FileSystem.exists(String(path.dropLast(suffix.count)))
    }

    private static func removePublished(of path: String, in parent: String) {
        guard FileSystem.exists(result(in: path)) else { return }
        for note in FileSystem.names(in: path) where note.hasPrefix(notePrefix) {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(note)")
            let name = link ?? (try? String(contentsOfFile: "\(path)/\(note)", encoding: .utf8))
            // After a power failure, a file may lack its content.
            let suffix = BlobFolder.path(of: "")
            guard let name, name.hasSuffix(suffix), name != suffix, !name.contains("/") else { continue }
            // With its file, the folder belongs to a store: the copy itself, or one that was created in its place.
            guard !isOwned("\(parent)/\(name)") else { continue }
            var status = stat()
            guard unsafe lstat("\(parent)/\(name)", &status) == 0, note == "\(notePrefix)\(status.st_ino)" else {
                continue
            }
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
        }
    }
}

/// Keeps track of unfinished folders, so that an interruption of the process removes them.
package protocol WorkingFolderWatch: Sendable {
    /// Creates a folder, which an interruption removes until it is forgotten.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - make: Creates the folder, and returns whether it succeeded. It must not use the watch.
    /// - Returns: Whether the folder was created.
    func insert(_ path: String, _ make: () -> Bool) -> Bool

    /// Forgets a folder that no longer exists.
    func forget(_ path: String)

    /// Delays interruptions until a closure has returned.
    ///
    /// - Parameter body: An operation that must not be interrupted. It must not use the watch.
    /// - Returns: The result of the closure.
    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result
}
