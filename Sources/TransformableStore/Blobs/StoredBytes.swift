public import Foundation

/// The bytes of one attribute of one object, in pieces, outside of any block: for a server's response.
///
/// ```swift
/// for try await piece in store.bytes("scan", of: id) {
///     try await response.write(piece)
/// }
/// ```
///
/// Each iteration reads the value that is stored when it begins, to its end, whatever writers do meanwhile.
/// What was given before an error must not be used.
public struct StoredBytes: AsyncSequence, Sendable {
    /// A piece.
    public typealias Element = Data

    /// Gives the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let bytes: StoredBytes
        private var stream: ValueStream?
        private var hasBegun = false

        fileprivate init(_ bytes: StoredBytes) {
            self.bytes = bytes
        }

        /// Gives the next bytes; nil at the end.
        public mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            if !hasBegun {
                hasBegun = true
                stream = try await bytes.source().map { try ValueStream($0) }
            }
            return try stream?.next()
        }
    }

    let store: Store
    let name: String
    let id: ObjectID

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    fileprivate func source() async throws -> ValueSource? {
        let (name, id) = (name, id)
        return try await store.read { try $0.object(id).bytesSource(name) }
    }
}

@available(*, unavailable)
extension StoredBytes.AsyncIterator: Sendable {}

extension Store {
    /// The bytes of an attribute in pieces, as ``ManagedObject/stream(_:)`` gives them; none if there is no value.
    ///
    /// - Parameters:
    ///   - name: The name of a data or transformed attribute.
    ///   - id: The object.
    /// - Returns: The bytes; what fails is thrown while they are read.
    public func bytes(_ name: String, of id: ObjectID) -> StoredBytes {
        StoredBytes(store: self, name: name, id: id)
    }
}
