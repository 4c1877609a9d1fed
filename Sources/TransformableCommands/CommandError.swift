internal import Foundation

/// An error of the command line itself: invalid arguments, unusable input, or a failure to read or write.
///
/// Match on ``code``: two errors are equal if their codes are equal. Errors thrown by transformers, key rings, and
/// stores are passed on unchanged.
public struct CommandError: Error, Sendable {
    /// The kind of failure.
    public let code: Code
    /// A one-sentence description of the error.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates an error with the message of another one.
    package init(_ code: Code, because error: any Error) {
        self.init(code, ErrorLine.sentence(for: error))
    }
}

extension CommandError {
    /// A kind of failure, identified by a short, stable string.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The string that identifies the code.
        public let rawValue: String

        /// Creates a code from the string that identifies it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The check completed and found problems, which are listed in the output.
        public static let faultsFound = Self(rawValue: "faults-found")
        /// The arguments are invalid, conflict with one another, or request something impossible.
        public static let usage = Self(rawValue: "usage")
        /// The input is not in the expected format.
        public static let badInput = Self(rawValue: "bad-input")
        /// The input file, entity, or object does not exist or cannot be read.
        public static let noInput = Self(rawValue: "no-input")
        /// The output file cannot be created.
        public static let cannotCreate = Self(rawValue: "cannot-create")
        /// Reading or writing failed partway through.
        public static let inputOutput = Self(rawValue: "input-output")
        /// The program that reads the output closed it.
        public static let outputClosed = Self(rawValue: "output-closed")
        /// The store is in use by another process.
        public static let busy = Self(rawValue: "busy")
        /// The store cannot be migrated to the given model.
        public static let modelRefused = Self(rawValue: "model-refused")
        /// A key is required, and no key file was given, or the file does not contain the key.
        public static let keyMissing = Self(rawValue: "key-missing")
    }
}

extension CommandError: Equatable {
    /// Returns whether two errors have equal codes.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension CommandError: CustomStringConvertible {
    /// The error message.
    public var description: String { message }
}

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
            ? Self(.outputClosed, "the program that reads \(name) closed it")
            : Self(.inputOutput, "writing \(name) failed: \(reason(number))")
    }

    static func tooLarge(_ name: String, limit: Int) -> Self {
        Self(.badInput, "\(name) is larger than \(limit >> 20) MiB, the most that can be read into memory")
    }

    /// Returns the system's description of a value of `errno`, as the end of a sentence.
    static func reason(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
