internal import Foundation
internal import Glibc

/// An open file, which is closed along with the last reference to it unless someone else owns the descriptor.
package final class FileDescriptor: Sendable {
    package let number: Int32
    /// Whether it is closed with the last reference, unlike the descriptors of SQLite.
    let isOwned: Bool

    init(_ number: Int32, isOwned: Bool = true) {
        self.number = number
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { close(number) }
    }
}

extension FileDescriptor {
    /// The path under which this process can open the file again, whatever has become of its name.
    var path: String { "/proc/self/fd/\(number)" }

    /// Writes all of some bytes at the current position.
    func write(_ bytes: Data, path: String) throws(StoreError) {
        let failure = FileSystem.write(bytes, to: number)
        guard failure == 0 else { throw FileSystem.failure("written", path, failure) }
    }
}

/// A file without a name, which only this process can read, and which is removed along with the last reference to it.
final class TemporaryFile {
    let descriptor: FileDescriptor
    private(set) var length: Int64 = 0
    /// The path at which the file was created, which tells in errors what and where it is.
    let formerPath: String

    /// The folder in which files are created, and the beginning of their paths.
    static var folder: String { FileManager.default.temporaryDirectory.path }
    private static var start: String { FileManager.default.temporaryDirectory.appending(path: "transformable-").path }

    /// Returns a Boolean value that indicates whether an error of the file system is about such a file.
    static func isMentioned(in error: StoreError) -> Bool {
        let paths = error.message.split(separator: "“").compactMap { $0.split(separator: "”").first }
        return paths.contains { $0.hasPrefix(start) && UUID(uuidString: String($0.dropFirst(start.count))) != nil }
    }

    init() throws(StoreError) {
        let path = Self.start + UUID().uuidString
        descriptor = try FileSystem.create(path)
        formerPath = path
        FileSystem.remove(path)
    }

    /// Appends bytes.
    func write(_ bytes: Data) throws(StoreError) {
        let failure = FileSystem.write(bytes, to: descriptor.number)
        // If the file cannot grow, the value is not to blame.
        guard failure == 0 else { throw FileSystem.failure("written", formerPath, failure == EFBIG ? ENOSPC : failure) }
        length += Int64(bytes.count)
    }
}
