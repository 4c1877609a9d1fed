internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableStore

/// The message that reports an error: one line that any terminal can show.
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
            let cause = error.underlying
            error.underlying = nil
            return joined("\(error)", cause) + hint(for: error.code)
        case var error as StoreError:
            let cause = error.underlying
            error.underlying = nil
            return joined("\(error)", cause)
        case let error as RowFailure:
            return "line \(error.line): \(sentence(for: error.underlying))"
        default:
            return cause(error)
        }
    }

    /// Adds the cause to a sentence that does not say it yet.
    private static func joined(_ sentence: String, _ cause: (any Error)?) -> String {
        guard let cause else { return sentence }
        let reason = self.sentence(for: cause)
        return sentence.contains(reason) ? sentence : "\(sentence): \(reason)"
    }

    /// Explains where keys and passphrases come from.
    private static func hint(for code: TransformerError.Code) -> String {
        switch code {
        case .missingKey: " (specify a key file with --key-file or TRANSFORMABLE_KEY_FILE)"
        case .passphraseNeeded: " (run the command at a terminal, or use --passphrase-file)"
        default: ""
        }
    }

    /// Returns the description of another library's error, without the wrapping that Foundation adds.
    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case let error as DecodingError: "\(error)"
        case let error as any CustomNSError: (error as any Error).localizedDescription
        default: type(of: error) is NSError.Type ? (error as NSError).localizedDescription : "\(error)"
        }
    }
}
