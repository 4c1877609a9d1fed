internal import CZlib
internal import Foundation
internal import Transformable

/// One compression by zlib.
@safe
final class Deflater {
    // Owned by this object: initialised in `init`, ended once in `deinit`, and never moved, as zlib demands.
    private let stream: UnsafeMutablePointer<z_stream>
    private static let chunk = 1 << 16

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

    func deflate(_ input: Data) throws(TransformerError) -> Data {
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        var rest = input
        repeat {
            // zlib counts a call's input in 32 bits.
            let part = rest.prefix(1 << 30)
            rest = rest.dropFirst(part.count)
            deflate(part, isLast: rest.isEmpty, buffer: &buffer, into: &output)
        } while !rest.isEmpty
        return output
    }

    private func deflate(_ part: Data, isLast: Bool, buffer: inout [UInt8], into output: inout Data) {
        unsafe part.withUnsafeBytes { bytes in
            // zlib does not write to its input; the type of `next_in` only says so from version 1.3.2.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            unsafe stream.pointee.avail_in = UInt32(part.count)
            var status = Z_OK
            var free: UInt32 = 0
            repeat {
                let count = unsafe buffer.withUnsafeMutableBufferPointer { space in
                    unsafe stream.pointee.next_out = space.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(space.count)
                    status = unsafe CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    free = unsafe stream.pointee.avail_out
                    return space.count - Int(free)
                }
                output.append(contentsOf: buffer[..<count])
            } while free == 0 && status == Z_OK
            unsafe stream.pointee.next_in = nil
        }
    }
}
