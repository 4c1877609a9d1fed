internal import Foundation
internal import Glibc

/// A file of the export cannot be written, as opposed to a value that cannot be read.
struct Unwritten: Error {
    let cause: StoreError
}

/// A file that is created when something is first written to it.
final class LineFile {
    private let path: String
    private var handle: FileHandle?
    /// The number of bytes written so far.
    private(set) var count: Int64 = 0

    init(_ path: String) {
        self.path = path
    }

    func write(_ line: String) throws(Unwritten) {
        try write(Data("\(line)\n".utf8))
    }

    func write(_ bytes: Data) throws(Unwritten) {
        if handle == nil {
            let number = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw Unwritten(cause: FileSystem.failure("created", path)) }
            handle = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        }
        do {
            try handle?.write(contentsOf: bytes)
            count += Int64(bytes.count)
        } catch {
            let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
            throw Unwritten(cause: FileSystem.failure("written", path, Int32(code ?? Int(EIO))))
        }
    }

    /// Writes the whole content of the file.
    func writeWhole(_ bytes: Data) throws(Unwritten) {
        try write(bytes)
        try finish()
    }

    /// Closes the file, with its bytes synchronized to disk.
    func finish() throws(Unwritten) {
        guard let number = handle?.fileDescriptor else { return }
        guard FileSystem.retrying({ fsync(number) }) == 0 else {
            throw Unwritten(cause: FileSystem.failure("written", path))
        }
        handle = nil
    }
}
