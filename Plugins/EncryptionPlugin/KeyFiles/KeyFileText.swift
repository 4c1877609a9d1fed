internal import CSodium
internal import Foundation
internal import Transformable

/// The text of a key ring, with its secrets kept apart.
///
/// A secret stands in the text as `"tfm-key-` and 64 hexadecimal digits. No general reader or writer of
/// JSON sees those: it gets the text with each secret replaced by its number, since what it allocates
/// is neither locked nor wiped.
struct KeyFileText {
    /// The version of the files that are written.
    static let currentVersion = 1
    private static let mark = Array("\"tfm-key-".utf8)
    private static let digitCount = 2 * KeyRing.keyCount

    /// The JSON text with numbers in place of secrets.
    var redacted: Data
    /// The secrets, in the order of their numbers.
    var secrets: [SecureBytes]

    /// How the text refers to a secret.
    static func reference(to index: Int) -> String {
        let digits = String(index)
        return "tfm-key-" + String(repeating: "0", count: digitCount - digits.count) + digits
    }
}

extension KeyFileText {
    /// Takes the secrets out of a text.
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

    /// The digits of the next secret.
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
}

extension KeyFileText {
    /// Writes a document that refers to secrets.
    init(_ document: some Encodable, secrets: [SecureBytes]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        redacted = try encoder.encode(document) + Data("\n".utf8)
        self.secrets = secrets
    }

    /// Reads a document of the current version.
    ///
    /// A failure says where the fault lies and never what stands there: it may be a mistyped secret.
    func decode<Document: Decodable>(_ type: Document.Type) throws -> Document {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            let version = try decoder.decode(KeyFileVersion.self, from: redacted).transformableKeyRing
            guard version == Self.currentVersion else {
                throw TransformerError(.unsupported, "the key ring is of version \(version); this program reads 1")
            }
            return try decoder.decode(type, from: redacted)
        } catch let error as DecodingError {
            throw TransformerError.invalidKeyFile(error.place)
        }
    }
}

extension KeyFileText {
    /// The text with its secrets put back, in locked memory.
    func whole() throws -> SecureBytes {
        // One byte more: `sodium_bin2hex` ends what it writes with a NUL.
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

    /// Writes a secret's digits, and a quotation mark over the NUL that `sodium_bin2hex` ends with.
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

/// What a reader looks at first.
private struct KeyFileVersion: Decodable {
    let transformableKeyRing: Int
}

extension DecodingError {
    /// Where the fault lies, without a word of what stands there.
    fileprivate var place: String {
        let path =
            switch self {
            case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: [any CodingKey]()
            }
        guard !path.isEmpty else { return "it is not the JSON of one" }
        return "“\(path.map(\.stringValue).joined(separator: "."))” is missing or malformed"
    }
}
