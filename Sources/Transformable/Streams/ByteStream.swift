public import Foundation

/// One value on its way through a transformer, in pieces.
///
/// A stream belongs to one thread at a time. It is given pieces of any size until ``finish(into:)``,
/// and gives pieces of its own as soon as it has them, so that memory does not grow with the value.
/// After an error it is not used again, and what it gave before must not be either.
public protocol ByteStream: AnyObject {
    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, however many.
    ///   - output: Takes what they become, in none, one or several pieces.
    /// - Throws: ``TransformerError``, and what the output throws.
    func push(_ bytes: Data, into output: (Data) throws -> Void) throws

    /// Ends the value.
    ///
    /// - Parameter output: Takes the last pieces.
    /// - Throws: ``TransformerError``, also where a value to decode is cut short; and what the output throws.
    func finish(into output: (Data) throws -> Void) throws
}

/// The stream of a transformer that needs its value whole: collects it, and transforms it at the end.
///
/// For forms that cannot be had in pieces. Its memory grows with the value.
public final class CollectingStream: ByteStream {
    private let transform: (Data) throws -> Data
    private var bytes = Data()

    /// Makes a stream.
    ///
    /// - Parameter transform: Encodes or decodes the whole value.
    public init(_ transform: @escaping (Data) throws -> Data) {
        self.transform = transform
    }

    /// Keeps the bytes.
    public func push(_ bytes: Data, into output: (Data) throws -> Void) {
        self.bytes.append(bytes)
    }

    /// Transforms what was kept.
    public func finish(into output: (Data) throws -> Void) throws {
        try output(transform(bytes))
    }
}

@available(*, unavailable)
extension CollectingStream: Sendable {}

/// A stream that gives what it takes.
final class IdentityStream: ByteStream {
    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        if !bytes.isEmpty { try output(bytes) }
    }

    func finish(into output: (Data) throws -> Void) {}
}

/// Two streams as one: the second takes what the first gives.
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

/// A stream whose own failures are shown otherwise; those of its output stay as they are.
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
