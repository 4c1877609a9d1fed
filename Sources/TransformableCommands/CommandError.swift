/// A failure of the command line itself: its input, its output or the way it was asked.
///
/// Match on ``code``; two errors are equal if their codes are. What transformers, key rings and stores
/// throw reaches the caller as it is.
public struct CommandError: Error, Sendable {
    /// What went wrong.
    public let code: Code
    /// One sentence for a person.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension CommandError {
    /// What went wrong, as a short stable string.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text.
        public let rawValue: String

        /// Makes a code of its text.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The check was made, and something is wrong; what it is stands in the output.
        public static let faultsFound = Self(rawValue: "faults-found")
        /// The arguments do not go together, or ask for what is not possible.
        public static let usage = Self(rawValue: "usage")
        /// What was read is not what was announced.
        public static let badInput = Self(rawValue: "bad-input")
        /// There is no such file, or it cannot be read.
        public static let noInput = Self(rawValue: "no-input")
        /// A file cannot be created.
        public static let cannotCreate = Self(rawValue: "cannot-create")
        /// Reading or writing failed half-way.
        public static let inputOutput = Self(rawValue: "input-output")
        /// Who reads the output went away.
        public static let outputClosed = Self(rawValue: "output-closed")
        /// Others use the store at this moment.
        public static let busy = Self(rawValue: "busy")
        /// A store cannot be brought to the model that was given.
        public static let modelRefused = Self(rawValue: "model-refused")
        /// No key file was given, and one is needed.
        public static let keyMissing = Self(rawValue: "key-missing")
    }
}

extension CommandError: Equatable {
    /// Whether the codes are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension CommandError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
