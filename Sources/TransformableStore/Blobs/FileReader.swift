internal import Foundation
internal import Glibc

/// Reads a file from its start, in pieces.
struct FileReader {
    private let descriptor: FileDescriptor
    private let path: String
    private var offset: off_t = 0

    init(_ descriptor: FileDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Returns the next bytes, which are empty at the end.
    mutating func read(upTo count: Int) throws(StoreError) -> Data {
        var bytes = Data(count: count)
        let found = unsafe bytes.withUnsafeMutableBytes { buffer in
            FileSystem.retrying { unsafe pread(descriptor.number, buffer.baseAddress, buffer.count, offset) }
        }
        guard found >= 0 else { throw FileSystem.failure("read", path) }
        offset += off_t(found)
        return found == count ? bytes : bytes.prefix(found)
    }

    /// Reads a number of bytes from the start.
    func readAll(count: Int) throws(StoreError) -> Data {
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
