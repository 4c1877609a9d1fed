public import Foundation
internal import Transformable

extension KeyRing {
    /// Reads a ring from its file.
    ///
    /// - Parameter url: A file, or a pipe, that belongs to this user or to root and that nobody else can use.
    /// - Throws: `TransformerError` with `refused-key-file` if others can use it, `unreadable-key-file`,
    ///   `invalid-key-file`, or `unsupported` for a file of a newer version.
    public init(contentsOf url: URL) throws {
        try self.init(text: PrivateFile(path: url.path).read())
    }

    /// Writes the ring to a file of mode 0600, which appears whole or not at all.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - replacing: Whether a file that is there is replaced; if not, it is an error.
    /// - Throws: `TransformerError` with `unreadable-key-file`.
    public func write(to url: URL, replacing: Bool = false) throws {
        try PrivateFile(path: url.path).write(text(), replacing: replacing)
    }

    /// Reads a ring from the text of a file.
    init(text: SecureBytes) throws {
        let text = try KeyFileText(text)
        self = try Self.document(text.redacted).ring(text.secrets)
    }

    /// The text of the ring's file.
    func text() throws -> SecureBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        let redacted = try encoder.encode(KeyRingDocument(self)) + Data("\n".utf8)
        return try KeyFileText(redacted: redacted, secrets: keys.flatMap(\.entries).map(\.secret)).whole()
    }

    /// Says where the fault lies and never what stands there: it may be a mistyped secret.
    private static func document(_ text: Data) throws -> KeyRingDocument {
        struct Version: Decodable {
            let transformableKeyRing: Int
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            let version = try decoder.decode(Version.self, from: text).transformableKeyRing
            guard version == KeyRingDocument.currentVersion else {
                throw TransformerError(.unsupported, "the key ring is of version \(version); this program reads 1")
            }
            return try decoder.decode(KeyRingDocument.self, from: text)
        } catch let error as DecodingError {
            throw TransformerError.invalidKeyFile(error.place)
        }
    }
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
