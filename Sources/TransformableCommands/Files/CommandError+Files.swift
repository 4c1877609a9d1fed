internal import Foundation

extension CommandError {
    /// The error for an input that cannot be opened; `number` is the system's.
    static func cannotRead(_ path: String, _ number: Int32) -> Self {
        Self(.noInput, "cannot read “\(path)”: \(reason(number))")
    }

    static func cannotCreate(_ path: String, _ number: Int32) -> Self {
        Self(.cannotCreate, "cannot create “\(path)”: \(reason(number))")
    }

    static func failedReading(_ name: String, _ number: Int32) -> Self {
        Self(.inputOutput, "reading \(name) failed: \(reason(number))")
    }

    static func failedWriting(_ name: String, _ number: Int32) -> Self {
        number == EPIPE
            ? Self(.outputClosed, "who reads \(name) went away")
            : Self(.inputOutput, "writing \(name) failed: \(reason(number))")
    }

    static func tooLarge(_ name: String, limit: Int) -> Self {
        Self(.badInput, "\(name) has more than \(limit >> 20) MiB, the most that is read at once")
    }

    private static func reason(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
