public import Foundation
internal import Transformable

/// Opens a value that was sealed in chunks, piece by piece, with constant memory use.
///
/// Every byte of the output is authentic and in its place. Whether the value is complete is known only at the end: if
/// an error is thrown, do not use any of the output. Missing, repeated, and reordered chunks are errors, even at the
/// end.
public struct OpeningStream: ~Copyable {
    /// The number of bytes of a sealed chunk, except the last one.
    private static let chunkCount = SealingStream.chunkCount + SecretStream.overhead

    private enum State {
        case header
        case plaintext
        case padding
        case ended
    }

    private let binding: SealedBinding
    private let subkey: (SealedHeader) throws -> Subkey
    private var state = State.header
    private var stream: SecretStream?
    private var associated = Data()
    private var isPadded = false
    private var pending = Data()

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - binding: The location.
    ///   - subkey: A closure that returns the key for a header.
    init(_ binding: SealedBinding, subkey: @escaping (SealedHeader) throws -> Subkey) {
        self.binding = binding
        self.subkey = subkey
    }

    /// Processes bytes of the sealed value.
    ///
    /// - Parameter bytes: The next bytes, in any number.
    /// - Returns: The next bytes of the plaintext. They are empty until a chunk is complete.
    /// - Throws: The same errors as ``SealedTransformer/decode(_:in:)``.
    public mutating func open(_ bytes: Data) throws -> Data {
        pending.append(bytes)
        if state == .header {
            guard pending.count >= SealedHeader.count + XChaCha20Poly1305.tagCount else { return Data() }
            try begin()
        }
        guard pending.count >= Self.chunkCount else { return Data() }
        var plaintext = Data()
        while pending.count >= Self.chunkCount {
            plaintext += try next(pending.prefix(Self.chunkCount))
            pending.removeFirst(Self.chunkCount)
        }
        pending = Data(pending)
        return plaintext
    }

    /// Ends the sealed value.
    ///
    /// - Returns: The last bytes of the plaintext.
    /// - Throws: The same errors as ``SealedTransformer/decode(_:in:)``, also if the value is truncated.
    public consuming func finish() throws -> Data {
        if state == .header { try begin() }
        let plaintext = pending.isEmpty ? Data() : try next(pending)
        guard state == .ended else { throw TransformerError.doesNotOpen }
        return plaintext
    }

    private mutating func begin() throws {
        let header = try unsafe pending.withUnsafeBytes { try unsafe SealedHeader($0) }
        guard header.suite == .chunked, header.parts == binding.parts, !header.flags.contains(.deterministic) else {
            throw TransformerError.doesNotOpen
        }
        let subkey = try subkey(header)
        var associated = SealedBox.associatedData(header, subkey, binding)
        stream = try unsafe pending.withUnsafeBytes { sealed in
            let isCommitted = unsafe associated.withUnsafeBytes { associated in
                unsafe Sodium.areEqual(
                    .init(rebasing: associated[SealedHeader.commitmentRange]),
                    .init(rebasing: sealed[SealedHeader.commitmentRange])
                )
            }
            guard isCommitted else { throw TransformerError.doesNotOpen }
            let nonce = unsafe UnsafeRawBufferPointer(rebasing: sealed[SealedHeader.nonceRange])
            unsafe associated.replaceSubrange(SealedHeader.nonceRange, with: nonce)
            return try unsafe SecretStream(openingUnder: subkey.bytes, header: nonce)
        }
        self.associated = associated
        isPadded = header.flags.contains(.padded)
        pending.removeFirst(SealedHeader.count)
        state = .plaintext
    }

    /// Opens the next chunk, and returns its plaintext.
    private mutating func next(_ chunk: Data) throws -> Data {
        guard state != .ended, let stream, chunk.count >= SecretStream.overhead else {
            throw TransformerError.doesNotOpen
        }
        let count = chunk.count - SecretStream.overhead
        var state = state
        let plaintext = try unsafe Data.uninitialized(count: count) { output in
            let tag = unsafe chunk.withUnsafeBytes { chunk in
                unsafe associated.withUnsafeBytes { associated in
                    unsafe stream.open(chunk, authenticating: associated, into: output)
                }
            }
            guard let tag else { throw TransformerError.doesNotOpen }
            return try unsafe plaintextCount(of: .init(output), tag, &state)
        }
        self.state = state
        return plaintext
    }

    /// Returns the length of the plaintext in an authentic chunk, and updates the state.
    private func plaintextCount(of chunk: UnsafeRawBufferPointer, _ tag: SecretStream.Tag, _ state: inout State) throws
        -> Int
    {
        let isInPadding = state == .padding
        switch (tag, isInPadding) {
        case (.message, _): break
        case (.push, false): state = .padding
        case (.final, _): state = .ended
        case (.push, true): throw TransformerError.doesNotOpen
        }
        if isInPadding { return 0 }
        guard isPadded, tag != .message else {
            guard tag != .push else { throw TransformerError.doesNotOpen }
            return chunk.count
        }
        guard let count = unsafe SealedPadding.count(of: chunk, within: chunk.count) else {
            throw TransformerError.doesNotOpen
        }
        return count
    }
}

@available(*, unavailable)
extension OpeningStream: Sendable {}
