internal import Foundation
internal import Transformable

extension Inspector {
    /// Shows the header of a sealed value, without any key.
    static let sealedValue = Inspector("sealed value") { bytes in
        guard bytes.starts(with: SealedHeader.magic) else { return nil }
        let header = try unsafe bytes.withUnsafeBytes { try unsafe SealedHeader($0) }
        let sealed = bytes.count - header.suite.bodyOffset - header.suite.overhead(of: bytes.count)
        let isPadded = header.flags.contains(.padded)
        return Inspection(
            "sealed value",
            facts: [
                .init("version", "\(SealedHeader.version)"),
                .init("suite", header.suite.summary),
                .init("key id", "\(header.key)"),
                .init(
                    "deterministic",
                    header.flags.contains(.deterministic) ? "yes: equal values have equal bytes" : "no"
                ),
                .init("bound to", header.parts.summary),
                .init(isPadded ? "padded length" : "length", sealed.counted("byte")),
            ]
        )
    }
}

extension SealedHeader.Suite {
    /// Returns the number of bytes in the body that are not ciphertext: a single tag, or the overhead of each chunk.
    fileprivate func overhead(of count: Int) -> Int {
        guard self == .chunked else { return XChaCha20Poly1305.tagCount }
        let chunk = SealingStream.chunkCount + SecretStream.overhead
        return (count - bodyOffset + chunk - 1) / chunk * SecretStream.overhead
    }

    fileprivate var summary: String {
        switch self {
        case .whole: "1, as a whole (XChaCha20-Poly1305)"
        case .chunked: "2, in chunks of 64 KiB (libsodium's secretstream)"
        case .recipient: "3, to a public key (X25519, XChaCha20-Poly1305)"
        }
    }
}

extension SealedBinding.Parts {
    fileprivate var summary: String {
        let names: [(part: Self, name: String)] = [
            (.store, "store"), (.entity, "entity"), (.attribute, "attribute"), (.object, "object"),
            (.tenant, "tenant"),
        ]
        let bound = names.filter { contains($0.part) }.map(\.name)
        return bound.isEmpty ? "nothing: it cannot be opened in a store" : bound.joined(separator: ", ")
    }
}
