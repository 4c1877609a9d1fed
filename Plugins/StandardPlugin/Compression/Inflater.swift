internal import CZlib
internal import Foundation
internal import Transformable

/// One decompression by zlib.
@safe
final class Inflater {
    // Owned by this object: initialised in `init`, ended once in `deinit`, and never moved, as zlib demands.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: CompressionFormat
    private let limit: Int
    private var output = Data()
    private static let chunk = 1 << 16

    init(_ format: CompressionFormat, limit: Int) throws(TransformerError) {
        self.format = format
        self.limit = limit
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tfz_inflate_init(stream, format.windowBits) == Z_OK else {
            throw TransformerError(.limitExceeded, "zlib has not enough memory to inflate")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func inflate(_ input: Data) throws(TransformerError) -> Data {
        var offset = 0
        repeat {
            offset = try inflateMember(of: input, from: offset)
            unsafe inflateReset(stream)
        } while format == .gzip && offset < input.count
        guard offset == input.count else {
            throw TransformerError(
                .trailingData,
                "there are bytes after the end of the compressed data",
                offset: offset
            )
        }
        return output
    }

    /// Inflates up to the end of one stream, and gives the offset behind it.
    private func inflateMember(of input: Data, from start: Int) throws(TransformerError) -> Int {
        var offset = start
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            // zlib counts a call's input in 32 bits.
            let part = input.dropFirst(offset).prefix(1 << 30)
            let step = self.step(part, &buffer)
            offset += step.consumed
            guard output.count + step.produced <= limit else {
                throw .limitExceeded(
                    "the inflated data exceeds \(limit) bytes; raise “limit” to read it",
                    offset: offset
                )
            }
            output.append(contentsOf: buffer[..<step.produced])
            switch step.status {
            case Z_STREAM_END: return offset
            case Z_OK where step.consumed + step.produced > 0: continue
            case Z_OK, Z_BUF_ERROR:
                throw TransformerError(.truncatedData, "the compressed data ends before its end", offset: offset)
            default: throw failure(step, at: offset)
            }
        }
    }

    private struct Step {
        var status: Int32
        var consumed: Int
        var produced: Int
        var message: String
    }

    private func step(_ part: Data, _ buffer: inout [UInt8]) -> Step {
        unsafe part.withUnsafeBytes { bytes in
            // zlib does not write to its input; the type of `next_in` only says so from version 1.3.2.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            unsafe stream.pointee.avail_in = UInt32(part.count)
            return unsafe buffer.withUnsafeMutableBufferPointer { space in
                unsafe stream.pointee.next_out = space.baseAddress
                unsafe stream.pointee.avail_out = UInt32(space.count)
                let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                let step = unsafe Step(
                    status: status,
                    consumed: part.count - Int(stream.pointee.avail_in),
                    produced: space.count - Int(stream.pointee.avail_out),
                    message: stream.pointee.msg.map { unsafe String(cString: $0) } ?? ""
                )
                unsafe stream.pointee.next_in = nil
                return step
            }
        }
    }

    private func failure(_ step: Step, at offset: Int) -> TransformerError {
        switch (step.status, step.message) {
        case (Z_NEED_DICT, _):
            TransformerError(.unsupported, "the data is compressed with a preset dictionary", offset: offset)
        case (Z_MEM_ERROR, _):
            TransformerError(.limitExceeded, "zlib has not enough memory to inflate", offset: offset)
        case (_, "incorrect data check"), (_, "incorrect length check"):
            TransformerError(.checksumMismatch, "the inflated data does not have its checksum", offset: offset)
        default:
            .invalidData("the data is not compressed in this format: \(step.message)", offset: offset)
        }
    }
}
