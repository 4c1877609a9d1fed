internal import CDeflate
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

/// A compression of a value that is in memory as a whole, with libdeflate.
enum WholeDeflater {
    /// The smallest number of bytes that libdeflate compresses.
    ///
    /// For shorter values, zlib is faster, because it takes less time to prepare.
    static let smallestInput = 4096

    static func deflate(_ input: Data, _ format: CompressionFormat, level: Int) throws(TransformerError) -> Data {
        guard let compressor = unsafe libdeflate_alloc_compressor(Int32(level)) else { throw outOfMemory }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let output = unsafe OutputBuffer(capacity: bound(input.count, format, compressor))
        guard let output else { throw outOfMemory }
        let count = unsafe input.withUnsafeBytes { bytes in
            unsafe compress(bytes, into: output.bytes, format, compressor)
        }
        return output.data(count: count)
    }

    private static func bound(_ count: Int, _ format: CompressionFormat, _ compressor: OpaquePointer) -> Int {
        switch format {
        case .deflate: unsafe libdeflate_deflate_compress_bound(compressor, count)
        case .zlib: unsafe libdeflate_zlib_compress_bound(compressor, count)
        case .gzip: unsafe libdeflate_gzip_compress_bound(compressor, count)
        }
    }

    /// Returns the number of bytes written, which is never 0, since the output has room for the largest result.
    private static func compress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ format: CompressionFormat,
        _ compressor: OpaquePointer
    ) -> Int {
        let function =
            switch format {
            case .deflate: unsafe libdeflate_deflate_compress
            case .zlib: unsafe libdeflate_zlib_compress
            case .gzip: unsafe libdeflate_gzip_compress
            }
        return unsafe function(compressor, input.baseAddress, input.count, output.baseAddress, output.count)
    }

    private static var outOfMemory: TransformerError {
        TransformerError(.limitExceeded, "there is not enough memory to compress the value")
    }
}

/// Memory for a result whose size becomes known only when it has been written.
@safe
final class OutputBuffer {
    // Allocated in `init`; freed in `deinit`, or by the data that now owns it.
    private var memory: UnsafeMutableRawPointer?
    private let capacity: Int

    /// Returns nil if there is not enough memory.
    ///
    /// Pages are used only when they are written to.
    init?(capacity: Int) {
        guard let memory = unsafe malloc(max(capacity, 1)) else { return nil }
        unsafe self.memory = memory
        self.capacity = capacity
    }

    deinit {
        unsafe free(memory)
    }

    var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    }

    /// Returns the first bytes, without copying large ones.
    ///
    /// The buffer is empty afterward.
    func data(count: Int) -> Data {
        precondition(count <= capacity)
        guard count > 0, let written = unsafe memory else { return Data() }
        unsafe memory = nil
        let result = unsafe realloc(written, count) ?? written
        return unsafe Data(bytesNoCopy: result, count: count, deallocator: .free)
    }
}
