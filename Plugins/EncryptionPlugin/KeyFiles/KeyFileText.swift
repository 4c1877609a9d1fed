internal import CSodium
internal import Foundation
internal import Transformable

/// The text of a key ring, with its secrets stored separately.
///
/// In the text, a secret is written as `"tfm-key-` and 64 hexadecimal digits. General-purpose JSON coders must never
/// see secrets, because they allocate memory that is neither locked nor wiped. They get text in which each secret is
/// replaced with its number.
struct KeyFileText {
    /// The version of the files that this program writes.
    static let currentVersion = 1
    private static let mark = Array("\"tfm-key-".utf8)
    private static let digitCount = 2 * KeyRing.keyCount

    /// The JSON text, with numbers in place of secrets.
    var redacted: Data
    /// The secrets, in the order of their numbers.
    var secrets: [SecureBytes]

    /// Returns the text that refers to a secret.
    static func reference(to index: Int) -> String {
        let digits = String(index)
        return "tfm-key-" + String(repeating: "0", count: digitCount - digits.count) + digits
    }
}

extension KeyFileText {
    /// Separates the secrets from the text.
    init(_ text: SecureBytes) throws {
        redacted = Data()
        secrets = []
        try unsafe text.withUnsafeBytes { text in
            var start = 0
            while let place = unsafe Self.nextSecret(in: text, from: start) {
                unsafe redacted.append(contentsOf: text[start..<place.lowerBound])
                let digits = unsafe UnsafeRawBufferPointer(rebasing: text[place])
                redacted.append(contentsOf: Self.reference(to: secrets.count).utf8.dropFirst(Self.mark.count - 1))
                unsafe secrets.append(try Self.secret(from: digits))
                start = place.upperBound
            }
            unsafe redacted.append(contentsOf: text[start...])
        }
    }

    /// Returns the digits of the next secret.
    private static func nextSecret(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var index = start
        while index + mark.count + digitCount < text.count {
            if unsafe text[index...].starts(with: mark) {
                let digits = index + mark.count..<index + mark.count + digitCount
                let isWhole = unsafe text[digits.upperBound] == UInt8(ascii: "\"")
                if unsafe isWhole && text[digits].allSatisfy(isHexadecimal) { return digits }
            }
            index += 1
        }
        return nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    private static func secret(from digits: UnsafeRawBufferPointer) throws -> SecureBytes {
        try unsafe SecureBytes(count: KeyRing.keyCount) { output in
            guard let source = digits.baseAddress, let target = unsafe output.octets else { return }
            let text = unsafe source.assumingMemoryBound(to: CChar.self)
            var count = 0
            let code = unsafe sodium_hex2bin(target, output.count, text, digits.count, nil, &count, nil)
            guard code == 0, count == output.count else { throw TransformerError.cryptographyUnavailable }
        }
    }

    /// Encodes a document that refers to secrets.
    init(_ document: some Encodable, secrets: [SecureBytes]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        redacted = try encoder.encode(document) + Data("\n".utf8)
        self.secrets = secrets
    }

    /// Decodes a document of the current version.
    ///
    /// An error names the location of a problem, but never quotes the text, which may be a mistyped secret.
    func decode<Document: Decodable>(_ type: Document.Type) throws -> Document {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            let version = try decoder.decode(KeyFileVersion.self, from: redacted).transformableKeyRing
            guard version == Self.currentVersion else {
                throw TransformerError(
                    .unsupported,
                    "the key ring has version \(version), but this program can only read version 1"
                )
            }
            _ = try decoder.decode(KeyFileFields.self, from: redacted)
            return try decoder.decode(type, from: redacted)
        } catch let error as DecodingError {
            throw TransformerError.invalidKeyFile(error.place)
        }
    }

    /// Returns the text with its secrets, in locked memory.
    func whole() throws -> SecureBytes {
        // One byte longer, because `sodium_bin2hex` appends a NUL.
        try unsafe SecureBytes(count: redacted.count) { output in
            unsafe redacted.copyBytes(to: output)
            for (index, secret) in secrets.enumerated() {
                let reference = Data("\"\(Self.reference(to: index))\"".utf8)
                guard let place = redacted.firstRange(of: reference) else { continue }
                let start = place.lowerBound - redacted.startIndex + Self.mark.count
                try unsafe Self.write(secret, to: .init(rebasing: output[start...start + Self.digitCount]))
            }
        }
    }

    /// Writes the digits of a secret, and a quotation mark over the NUL that `sodium_bin2hex` appends.
    private static func write(_ secret: SecureBytes, to output: UnsafeMutableRawBufferPointer) throws {
        try unsafe secret.withUnsafeBytes { secret in
            guard let source = unsafe secret.octets, let target = output.baseAddress else { return }
            let text = unsafe target.assumingMemoryBound(to: CChar.self)
            guard unsafe sodium_bin2hex(text, output.count, source, secret.count) != nil else {
                throw TransformerError.cryptographyUnavailable
            }
        }
        unsafe output[output.count - 1] = UInt8(ascii: "\"")
    }
}

/// The part of a file that is read first.
private struct KeyFileVersion: Decodable {
    let transformableKeyRing: Int
}

extension DecodingError {
    /// The location of the problem, without quoting the text.
    fileprivate var place: String {
        let path =
            switch self {
            case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: [any CodingKey]()
            }
        guard !path.isEmpty else { return "it does not contain the JSON of a key ring" }
        return "“\(path.location)” is missing or malformed"
    }
}

extension Inspector {
    /// Shows the keys of a key file, or how it is protected, but never a secret.
    static let keyFile = Inspector("key file") { bytes in
        let start = bytes.prefix(1 << 16)
        // A parser takes many times the memory of the text, and a longer file is not read as a key file anyway.
        guard bytes.count <= PrivateFile.limit, start.first(where: { !isSpace($0) }) == UInt8(ascii: "{"),
            start.range(of: Data("\"transformableKeyRing\"".utf8)) != nil
        else { return nil }
        let text = try unsafe KeyFileText(SecureBytes(count: bytes.count) { unsafe _ = bytes.copyBytes(to: $0) })
        if let protected = try ProtectedKeyRing(text) {
            return Inspection("key file", facts: [.init("protected by", protected.protection.summary)])
        }
        let ring = try KeyRing.ring(text)
        let keys = ring.names.flatMap { name in
            ring.generations(of: name)
                .map { key in
                    let part = key.isPublicOnly ? ", public only" : ring.isShared(name) ? ", shared" : ""
                    return Inspection.Fact("key “\(name)”", "\(key.id), \(key.state.rawValue)\(part)")
                }
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
