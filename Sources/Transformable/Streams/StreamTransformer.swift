public import Foundation

/// A transformer of bytes that can process values piece by piece if they are too large for memory.
///
/// The output of an encoding stream can be decoded with ``Transformer/decode(_:in:)``, and a decoding stream can decode
/// the result of ``OneWayTransformer/encode(_:in:)``. The two encoded forms can differ.
///
/// A composition conforms to this protocol if both of its transformers do. For large values, the streaming stages at
/// the end of an expression are used piece by piece: in `png | gzip | sealed`, the image is encoded as a whole, and the
/// resulting file is compressed and sealed piece by piece.
public protocol StreamTransformer: Transformer where Value == Data, Encoded == Data {
    /// Returns a stream that encodes a value.
    ///
    /// - Parameter context: The context of the value.
    /// - Returns: A stream that turns the bytes of the value into encoded bytes.
    /// - Throws: ``TransformerError`` if the value cannot be encoded.
    func encodingStream(in context: TransformContext) throws -> any ByteStream

    /// Returns a stream that decodes a value.
    ///
    /// - Parameter context: The context of the value. For a contextual transformer, it must be the same as for
    ///   encoding.
    /// - Returns: A stream that turns encoded bytes, which can be damaged or malicious, into the bytes of the value.
    /// - Throws: ``TransformerError`` if the value cannot be decoded.
    func decodingStream(in context: TransformContext) throws -> any ByteStream
}

extension IdentityTransformer: StreamTransformer where Value == Data {
    /// Returns a stream that passes its input through unchanged.
    public func encodingStream(in context: TransformContext) -> any ByteStream { IdentityStream() }

    /// Returns a stream that passes its input through unchanged.
    public func decodingStream(in context: TransformContext) -> any ByteStream { IdentityStream() }
}

extension ComposedTransformer: StreamTransformer where First: StreamTransformer, Second: StreamTransformer {
    /// Returns a stream that encodes with the first transformer, then with the second.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        let plain = try plainStream { try first.encodingStream(in: context) }
        return PipedStream(plain, try second.encodingStream(in: context))
    }

    /// Returns a stream that decodes with the second transformer, then with the first.
    public func decodingStream(in context: TransformContext) throws -> any ByteStream {
        let outer = try second.decodingStream(in: context)
        return PipedStream(outer, try plainStream { try first.decodingStream(in: context) })
    }

    /// Returns a stream of the first transformer whose errors do not reveal confidential values.
    private func plainStream(_ make: () throws -> any ByteStream) throws -> any ByteStream {
        do {
            return RewritingStream(try make(), onPlainSide)
        } catch {
            throw onPlainSide(error)
        }
    }
}

extension StageTransformer: StreamTransformer where Base: StreamTransformer {
    func encodingStream(in context: TransformContext) throws -> any ByteStream {
        do {
            return RewritingStream(try base.encodingStream(in: context)) { named($0, .invalidValue) }
        } catch {
            throw named(error, .invalidValue)
        }
    }

    func decodingStream(in context: TransformContext) throws -> any ByteStream {
        do {
            return RewritingStream(try base.decodingStream(in: context)) { named($0, .invalidData) }
        } catch {
            throw named(error, .invalidData)
        }
    }
}

/// The stages of an expression, divided into those that need large values as a whole and those that process them piece
/// by piece.
public struct StreamedStages: Sendable {
    /// The stages before ``tail`` combined, which produce bytes, or nil if there are none.
    public let head: (any OneWayTransformer)?
    /// The last stages combined, all of which can process values piece by piece.
    public let tail: any StreamTransformer
}

/// A stream that transforms a single value piece by piece.
///
/// Only one thread at a time may use a stream. Pass it pieces of any size and then call ``finish(into:)``. The stream
/// produces output as soon as it is available, so that memory use does not depend on the size of the value. After an
/// error, do not use the stream or any of its previous output.
public protocol ByteStream: AnyObject {
    /// Processes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, in any number.
    ///   - output: A closure that is called with each piece of output, possibly several times or not at all.
    /// - Throws: ``TransformerError`` if the bytes are invalid, and any error thrown by `output`.
    func push(_ bytes: Data, into output: (Data) throws -> Void) throws

    /// Ends the value.
    ///
    /// - Parameter output: A closure that is called with each remaining piece of output.
    /// - Throws: ``TransformerError`` if the value is invalid or incomplete, and any error thrown by `output`.
    func finish(into output: (Data) throws -> Void) throws
}

/// A stream that collects all bytes and transforms them at the end.
///
/// Use it for a transformer that needs the whole value. Memory use grows with the size of the value.
public final class CollectingStream: ByteStream {
    private let transform: (Data) throws -> Data
    private var bytes = Data()

    /// Creates a stream.
    ///
    /// - Parameter transform: A closure that encodes or decodes the whole value.
    public init(_ transform: @escaping (Data) throws -> Data) {
        self.transform = transform
    }

    /// Collects the bytes.
    public func push(_ bytes: Data, into output: (Data) throws -> Void) {
        self.bytes.append(bytes)
    }

    /// Transforms the collected bytes.
    public func finish(into output: (Data) throws -> Void) throws {
        try output(transform(bytes))
    }
}

@available(*, unavailable)
extension CollectingStream: Sendable {}

/// A stream that passes its input through unchanged.
private final class IdentityStream: ByteStream {
    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        if !bytes.isEmpty { try output(bytes) }
    }

    func finish(into output: (Data) throws -> Void) {}
}

/// A stream that passes the output of a stream to another one.
private final class PipedStream: ByteStream {
    private let first: any ByteStream
    private let second: any ByteStream

    init(_ first: any ByteStream, _ second: any ByteStream) {
        self.first = first
        self.second = second
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        try first.push(bytes) { try second.push($0, into: output) }
    }

    func finish(into output: (Data) throws -> Void) throws {
        try first.finish { try second.push($0, into: output) }
        try second.finish(into: output)
    }
}

/// A stream that rewrites its own errors, but not those of its output.
private final class RewritingStream: ByteStream {
    private let base: any ByteStream
    private let rewrite: (any Error) -> any Error

    init(_ base: any ByteStream, _ rewrite: @escaping (any Error) -> any Error) {
        self.base = base
        self.rewrite = rewrite
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        var outputFailure: (any Error)?
        do {
            try base.push(bytes) { piece in
                do { try output(piece) } catch {
                    outputFailure = error
                    throw error
                }
            }
        } catch {
            throw outputFailure ?? rewrite(error)
        }
    }

    func finish(into output: (Data) throws -> Void) throws {
        var outputFailure: (any Error)?
        do {
            try base.finish { piece in
                do { try output(piece) } catch {
                    outputFailure = error
                    throw error
                }
            }
        } catch {
            throw outputFailure ?? rewrite(error)
        }
    }
}
