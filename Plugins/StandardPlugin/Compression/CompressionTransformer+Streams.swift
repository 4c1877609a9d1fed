internal import Foundation
public import Transformable

extension CompressionTransformer: StreamTransformer {
    /// Returns a stream that compresses.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        DeflatingStream(try Deflater(format, level: level))
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

    init(_ deflater: Deflater) {
        self.deflater = deflater
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
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
