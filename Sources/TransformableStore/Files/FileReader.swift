package import Foundation
internal import Glibc

/// Reads a file from its start, in pieces.
package struct FileReader {
    private let descriptor: FileDescriptor
    private let path: String
    private var offset: off_t = 0

    /// `SEEK_DATA` of Linux, which Glibc declares only as an extension.
    private static let seekData: Int32 = 3

    package init(_ descriptor: FileDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Returns the next bytes, which are empty at the end.
    package mutating func read(upTo count: Int) throws(StoreError) -> Data {
        var bytes = Data(count: count)
        let found = unsafe bytes.withUnsafeMutableBytes { buffer in
            FileSystem.retrying { unsafe pread(descriptor.number, buffer.baseAddress, buffer.count, offset) }
        }
        guard found >= 0 else { throw FileSystem.failure("read", path) }
        offset += off_t(found)
        return found == count ? bytes : bytes.prefix(found)
    }

    /// Skips a hole in a sparse file, whose bytes are all zero, except for its end.
    ///
    /// - Parameter count: The number of zeros to leave.
    /// - Returns: The position of the next byte to be read.
    @discardableResult
    mutating func skipHole(leaving count: Int) -> Int64 {
        // Finding the end of a hole moves the descriptor's position, which other users of the descriptor may rely on.
        guard descriptor.isOwned else { return Int64(offset) }
        var end = FileSystem.retrying { lseek(descriptor.number, offset, Self.seekData) }
        if end < 0, errno == ENXIO { end = off_t(FileSystem.length(of: descriptor)) }
        offset = max(offset, end - off_t(count))
        return Int64(offset)
    }

    /// Reads a number of bytes from the start.
    package func readAll(count: Int) throws(StoreError) -> Data {
        var reader = self
        var bytes = Data()
        while bytes.count < count {
            let piece = try reader.read(upTo: count - bytes.count)
            guard !piece.isEmpty else { break }
            bytes.append(piece)
        }
        return bytes
    }
}
