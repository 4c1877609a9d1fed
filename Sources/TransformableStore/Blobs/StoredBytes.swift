public import Foundation

/// The bytes of an object's attribute, in pieces, outside of any block.
///
/// Use it for a server's response, for example.
///
/// ```swift
/// for try await piece in store.bytes("scan", of: id) {
///     try await response.write(piece)
/// }
/// ```
///
/// Each iteration reads the value that is stored when it begins to its end, no matter what writers do in the meantime.
/// If an error is thrown, discard the bytes that were returned before it.
public struct StoredBytes: AsyncSequence, Sendable {
    /// A piece of the bytes.
    public typealias Element = Data

    /// Provides the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let bytes: StoredBytes
        private var stream: ValueStream?
        private var hasBegun = false

        fileprivate init(_ bytes: StoredBytes) {
            self.bytes = bytes
        }

        /// Returns the next bytes.
        ///
        /// - Returns: At least one byte, or `nil` at the end.
        /// - Throws: Any error that ``ManagedObject/stream(_:)`` or ``ValueStream/next()`` throws, `StoreError` with the
        ///   code `no-such-object` if there is no such object, and `CancellationError` if the task is canceled.
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
    let scope: TenantScope?
    let name: String
    let id: ObjectID

    /// Creates an iterator, which starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    fileprivate func source() async throws -> ValueSource? {
        let (name, id) = (name, id)
        return try await store.read(in: scope ?? store.undividedScope()) { try $0.object(id).bytesSource(name) }
    }
}

@available(*, unavailable)
extension StoredBytes.AsyncIterator: Sendable {}

extension Store {
    /// Returns the bytes of an attribute in pieces, like those of ``ManagedObject/stream(_:)``.
    ///
    /// The sequence is empty if there is no value.
    ///
    /// - Parameters:
    ///   - name: The name of a data or transformed attribute.
    ///   - id: The object's id.
    /// - Returns: The bytes. Errors are thrown while they are read.
    public func bytes(_ name: String, of id: ObjectID) -> StoredBytes {
        StoredBytes(store: self, scope: nil, name: name, id: id)
    }
}
