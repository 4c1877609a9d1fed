public import Foundation

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
final class IdentityStream: ByteStream {
    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        if !bytes.isEmpty { try output(bytes) }
    }

    func finish(into output: (Data) throws -> Void) {}
}

/// A stream that passes the output of a stream to another one.
final class PipedStream: ByteStream {
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
final class RewritingStream: ByteStream {
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
