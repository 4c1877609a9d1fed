internal import Foundation
public import Transformable

extension CompressionTransformer: StreamTransformer {
    /// Returns a stream that compresses.
    ///
    /// The limit applies to its whole input, because the output could not be decompressed otherwise.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        DeflatingStream(try Deflater(format, level: level), limit: limit)
    }

    /// Returns a stream that decompresses.
    ///
    /// The limit applies to its whole output.
    public func decodingStream(in context: TransformContext) throws -> any ByteStream {
        InflatingStream(try Inflater(format, limit: limit))
    }
}

private final class DeflatingStream: ByteStream {
    private let deflater: Deflater
    private let limit: Int
    private var count = 0

    init(_ deflater: Deflater, limit: Int) {
        self.deflater = deflater
        self.limit = limit
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        count += bytes.count
        guard count <= limit else { throw TransformerError.tooLargeToDecompress(limit) }
        try deflater.add(bytes, into: output)
    }

    func finish(into output: (Data) throws -> Void) throws {
        try deflater.finish(into: output)
    }
}

private final class InflatingStream: ByteStream {
    private let inflater: Inflater

    init(_ inflater: Inflater) {
        self.inflater = inflater
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        var rest = bytes
        while let piece = try inflater.next(&rest) { try output(piece) }
    }

    func finish(into output: (Data) throws -> Void) throws {
        try inflater.finish()
    }
}
