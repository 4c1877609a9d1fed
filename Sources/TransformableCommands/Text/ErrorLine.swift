internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableStore

/// What is written to a person about a failure: one line, fit for any terminal.
struct ErrorLine: CustomStringConvertible {
    private static let limit = 1000
    let description: String

    init(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(Self.limit)
        description = "error: \(String(line).onOneLine)\(line.count == Self.limit ? "…" : "")"
    }

    init(_ error: any Error) {
        self.init(Self.sentence(for: error))
    }

    static func sentence(for error: any Error) -> String {
        switch error {
        case var error as TransformerError:
            let reason = error.underlying.map { ": \(sentence(for: $0))" } ?? ""
            error.underlying = nil
            return "\(error)\(reason)\(hint(for: error.code))"
        case var error as StoreError:
            let reason = error.underlying.map { ": \(sentence(for: $0))" } ?? ""
            error.underlying = nil
            return "\(error)\(reason)"
        case let error as RowFailure:
            return "line \(error.line): \(sentence(for: error.underlying))"
        default:
            return cause(error)
        }
    }

    /// Where keys and passphrases come from.
    private static func hint(for code: TransformerError.Code) -> String {
        switch code {
        case .missingKey: " (keys come from --key-file or TRANSFORMABLE_KEY_FILE)"
        case .passphraseNeeded: " (at a terminal it is asked for; elsewhere give --passphrase-file)"
        default: ""
        }
    }

    /// What another library said, without Foundation's way of describing its errors.
    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case let error as DecodingError: "\(error)"
        case let error as any CustomNSError: (error as any Error).localizedDescription
        default: type(of: error) is NSError.Type ? (error as NSError).localizedDescription : "\(error)"
        }
    }
}
