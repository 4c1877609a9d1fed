internal import Glibc

/// The system refuses what running in a child process needs.
public struct IsolationError: Error, Sendable, CustomStringConvertible {
    /// What was refused, in one sentence.
    public let description: String

    init(_ message: String, errno code: Int32) {
        description = unsafe "\(message): \(String(cString: strerror(code)))"
    }
}
