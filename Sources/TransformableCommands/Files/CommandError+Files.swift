internal import Foundation

extension CommandError {
    /// Returns the error for an input that cannot be opened.
    ///
    /// `number` is the value of `errno`.
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
            ? Self(.outputClosed, "the reader of \(name) closed it")
            : Self(.inputOutput, "writing \(name) failed: \(reason(number))")
    }

    static func tooLarge(_ name: String, limit: Int) -> Self {
        Self(.badInput, "\(name) is larger than \(limit >> 20) MiB, the most that can be read into memory")
    }

    private static func reason(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
