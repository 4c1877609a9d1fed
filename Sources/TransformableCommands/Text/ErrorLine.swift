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
            let reason = error.underlying.map { ": \(sentence(for: $0))" } ?? ""
            error.underlying = nil
            let hint = Session.current.keyErrors.hints[error.code].map { " (\($0))" } ?? ""
            return "\(error)\(reason)\(hint)"
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
