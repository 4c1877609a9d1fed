internal import Foundation
public import Transformable

extension CompressionTransformer: StreamTransformer {
    /// Begins to compress.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        DeflatingStream(try Deflater(format, level: level))
    }

    /// Begins to inflate; the limit holds for all that it gives.
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
