internal import Foundation
internal import Transformable

extension Inspector {
    /// Shows the keys of a key file, or how it is protected, but never a secret.
    static let keyFile = Inspector("key file") { bytes in
        let start = bytes.prefix(1 << 16)
        guard start.first(where: { !isSpace($0) }) == UInt8(ascii: "{"),
            start.range(of: Data("\"transformableKeyRing\"".utf8)) != nil
        else { return nil }
        let text = try unsafe KeyFileText(SecureBytes(count: bytes.count) { unsafe _ = bytes.copyBytes(to: $0) })
        if let protected = try ProtectedKeyRing(text) {
            return Inspection("key file", facts: [.init("protected by", protected.protection.summary)])
        }
        let ring = try KeyRing.ring(text)
        let keys = ring.names.flatMap { name in
            ring.generations(of: name).map { Inspection.Fact("key “\(name)”", "\($0.id), \($0.state.rawValue)") }
        }
        return Inspection("key file", facts: [.init("protected by", "its permissions only")] + keys)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
}

extension ProtectedKeyRing.Protection {
    fileprivate var summary: String {
        switch kind {
        case .argon2id: "a passphrase (Argon2id, \(operations ?? 0) passes over \((memory ?? 0) >> 20) MiB)"
        case .provider: "the key provider “\(provider ?? "")”"
        }
    }
}
