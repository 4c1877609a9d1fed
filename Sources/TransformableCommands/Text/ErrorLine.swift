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
            let hint = Session.current.keyErrors.hints[error.code].map { " (\($0))" } ?? ""
            return joined("\(error)", cause) + hint
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
