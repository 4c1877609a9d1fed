internal import CZlib
internal import Foundation
internal import Transformable

/// A compression with zlib, piece by piece.
@safe
final class Deflater {
    // Owned by this object: initialized in `init`, ended once in `deinit`, and never moved, as zlib requires.
    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(_ format: CompressionFormat, level: Int) throws(TransformerError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tfz_deflate_init(stream, Int32(level), format.windowBits) == Z_OK else {
            throw TransformerError(.limitExceeded, "zlib does not have enough memory to compress")
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    func deflate(_ input: Data) -> Data {
        var output = Data()
        add(input) { output.append($0) }
        finish { output.append($0) }
        return output
    }

    /// Compresses the next bytes.
    func add(_ input: Data, into output: (Data) throws -> Void) rethrows {
        var rest = input
        while !rest.isEmpty {
            // zlib uses 32 bits for the size of a call's input.
            let part = rest.prefix(1 << 30)
            rest = rest.dropFirst(part.count)
            try deflate(part, Z_NO_FLUSH, into: output)
        }
    }

    /// Compresses the remaining bytes.
    func finish(into output: (Data) throws -> Void) rethrows {
        try deflate(Data(), Z_FINISH, into: output)
    }

    private func deflate(_ part: Data, _ flush: Int32, into output: (Data) throws -> Void) rethrows {
        try unsafe part.withUnsafeBytes { bytes in
            // zlib does not write to its input, but the type of `next_in` reflects this only from version 1.3.2 on.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            unsafe stream.pointee.avail_in = UInt32(part.count)
            defer { unsafe stream.pointee.next_in = nil }
            var status = Z_OK
            var free: UInt32 = 0
            repeat {
                let count = unsafe buffer.withUnsafeMutableBufferPointer { space in
                    unsafe stream.pointee.next_out = space.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(space.count)
                    status = unsafe CZlib.deflate(stream, flush)
                    free = unsafe stream.pointee.avail_out
                    return space.count - Int(free)
                }
                if count > 0 { try output(Data(buffer[..<count])) }
            } while free == 0 && status == Z_OK
        }
    }
}
