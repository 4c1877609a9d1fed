internal import CZlib
internal import Foundation
internal import Transformable

/// One compression by zlib.
@safe
final class Deflater {
    // Owned by this object: initialised in `init`, ended once in `deinit`, and never moved, as zlib demands.
    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(_ format: CompressionFormat, level: Int) throws(TransformerError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tfz_deflate_init(stream, Int32(level), format.windowBits) == Z_OK else {
            throw TransformerError(.limitExceeded, "zlib has not enough memory to compress")
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
            // zlib counts a call's input in 32 bits.
            let part = rest.prefix(1 << 30)
            rest = rest.dropFirst(part.count)
            try deflate(part, Z_NO_FLUSH, into: output)
        }
    }

    /// Compresses what zlib has kept back.
    func finish(into output: (Data) throws -> Void) rethrows {
        try deflate(Data(), Z_FINISH, into: output)
    }

    private func deflate(_ part: Data, _ flush: Int32, into output: (Data) throws -> Void) rethrows {
        try unsafe part.withUnsafeBytes { bytes in
            // zlib does not write to its input; the type of `next_in` only says so from version 1.3.2.
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
