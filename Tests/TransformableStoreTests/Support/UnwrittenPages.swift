import Foundation
import Glibc

/// The pages of files that are only in memory, so that a power failure would lose them.
enum UnwrittenPages {
    /// Whether the system tells which pages these are, and the files of tests are on a disk.
    static let areKnown = (try? probe()) ?? false

    private static func probe() throws -> Bool {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = folder.file()
        let descriptor = open(file.path, O_CREAT | O_WRONLY, 0o600)
        defer { close(descriptor) }
        guard write(descriptor, [7], 1) == 1, try size(of: file) > 0 else { return false }
        return try fsync(descriptor) == 0 && size(of: file) == 0
    }

    /// Returns the size of the pages of a file, which must not be empty, in kilobytes.
    static func size(of file: URL) throws -> Int {
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        let count = Int(lseek(descriptor, 0, SEEK_END))
        guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0),
            Int(bitPattern: start) != -1
        else { throw POSIXError(.EIO) }
        defer { munmap(start, count) }
        // The system lists pages only once they have been read.
        let sum = UnsafeRawBufferPointer(start: start, count: count).reduce(0) { $0 &+ Int($1) }
        let address = String(UInt(bitPattern: start), radix: 16)
        return try sum < 0 ? 0 : dirtySize(at: address)
    }

    private static func dirtySize(at address: String) throws -> Int {
        try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8).split(separator: "\n")
            .drop { !$0.hasPrefix("\(address)-") }
            .prefix { !$0.hasPrefix("VmFlags:") }
            .filter { $0.contains("_Dirty:") }
            .compactMap { line in line.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
            .reduce(0, +)
    }
}
