public import Foundation

/// Seals a value in chunks, piece by piece, with constant memory use.
///
/// The result has suite 2 of <doc:SealedFormat>.
///
/// ```swift
/// var stream = try SealedTransformer(keys: ring).sealingStream(in: context)
/// while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
///     try output.write(contentsOf: stream.seal(piece))
/// }
/// try output.write(contentsOf: stream.finish())
/// ```
///
/// The combined output is a sealed value. Open it with ``OpeningStream``, or as a whole with
/// ``SealedTransformer/decode(_:in:)``.
public struct SealingStream: ~Copyable {
    /// The number of bytes of padded plaintext in a chunk, except the last one.
    static let chunkCount = 65_536

    private let stream: SecretStream
    private let padding: SealedPadding
    private let associated: Data
    private var pending = Data()
    private var count = 0
    private var hasBegun = false

    init(_ header: SealedHeader, _ subkey: Subkey, _ binding: SealedBinding, _ padding: SealedPadding) throws {
        self.padding = padding
        var associated = SealedBox.associatedData(header, subkey, binding)
        stream = try unsafe associated.withUnsafeMutableBytes { associated in
            let nonce = unsafe UnsafeMutableRawBufferPointer(rebasing: associated[SealedHeader.nonceRange])
            return try unsafe SecretStream(sealingUnder: subkey.bytes, header: nonce)
        }
        self.associated = associated
    }

    /// Processes bytes of the plaintext.
    ///
    /// - Parameter bytes: The next bytes, in any number.
    /// - Returns: The next bytes of the sealed value. They are empty until a chunk is full.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    public mutating func seal(_ bytes: Data) throws -> Data {
        count += bytes.count
        pending.append(bytes)
        var sealed = begin()
        // A full chunk is kept until more bytes follow, because it may be the last one.
        guard pending.count > Self.chunkCount else { return sealed }
        while pending.count > Self.chunkCount {
            try append(pending.prefix(Self.chunkCount), .message, to: &sealed)
            pending.removeFirst(Self.chunkCount)
        }
        pending = Data(pending)
        return sealed
    }

    /// Ends the plaintext.
    ///
    /// The stream cannot be used afterward.
    ///
    /// - Returns: The last bytes of the sealed value.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    public consuming func finish() throws -> Data {
        var sealed = begin()
        var rest = padding.paddedCount(of: count) - count
        if rest > 0, pending.count == Self.chunkCount {
            try append(pending, .message, to: &sealed)
            pending = Data()
        }
        guard rest > 0 else {
            try append(pending, .final, to: &sealed)
            return sealed
        }
        pending.append(SealedPadding.marker)
        rest -= 1
        var tag = SecretStream.Tag.push
        while true {
            let zeros = min(rest, Self.chunkCount - pending.count)
            pending.append(Data(count: zeros))
            rest -= zeros
            try append(pending, rest == 0 ? .final : tag, to: &sealed)
            if rest == 0 { return sealed }
            pending = Data()
            tag = .message
        }
    }

    private mutating func begin() -> Data {
        defer { hasBegun = true }
        return hasBegun ? Data() : associated.prefix(SealedHeader.count)
    }

    private func append(_ chunk: Data, _ tag: SecretStream.Tag, to sealed: inout Data) throws {
        let count = chunk.count + SecretStream.overhead
        sealed += try unsafe Data.uninitialized(count: count) { output in
            try unsafe chunk.withUnsafeBytes { chunk in
                try unsafe associated.withUnsafeBytes { associated in
                    try unsafe stream.seal(chunk, tag, authenticating: associated, into: output)
                }
            }
            return count
        }
    }
}

@available(*, unavailable)
extension SealingStream: Sendable {}
