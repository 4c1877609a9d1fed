/// An error thrown while reading a Core Data model or store.
///
/// To handle an error, compare its ``code``. Two errors are equal if their codes are equal. The message names the file,
/// entity, or property that caused the error and says what to do about it. It never contains stored values.
public struct CoreDataError: Error, Sendable {
    /// The kind of error.
    public var code: Code
    /// A description of the error.
    public var message: String
    /// The file that the error concerns.
    public var file: String?
    /// The line of the file that the error concerns, counted from 1, if it is text.
    public var line: Int?
    /// The column that the error concerns, in bytes from the start of the line, counted from 1.
    public var column: Int?
    /// The entity that the error concerns.
    public var entity: String?
    /// The attribute or relationship that the error concerns.
    public var property: String?
    /// The underlying error.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(
        _ code: Code,
        _ message: String,
        file: String? = nil,
        line: Int? = nil,
        column: Int? = nil,
        entity: String? = nil,
        property: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.entity = entity
        self.property = property
        self.underlying = underlying
    }
}

extension CoreDataError {
    /// The kind of an error, as a short string that does not change between versions.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's string.
        public let rawValue: String

        /// Creates a code from its string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's string.
        public var description: String { rawValue }
    }
}

extension CoreDataError.Code {
    /// The file does not exist.
    public static let noSuchFile = Self(rawValue: "no-such-file")
    /// The file exists but cannot be read.
    public static let cannotOpen = Self(rawValue: "cannot-open")
    /// The file is not a model.
    public static let notAModel = Self(rawValue: "not-a-model")
    /// The model contradicts itself or does not follow its format.
    public static let invalidModel = Self(rawValue: "invalid-model")
    /// The model is in a format that cannot be read.
    public static let unsupportedModel = Self(rawValue: "unsupported-model")
    /// The model has several versions, and nothing says which one is meant.
    public static let ambiguousVersion = Self(rawValue: "ambiguous-version")
    /// The model has no version with this name.
    public static let unknownVersion = Self(rawValue: "unknown-version")
    /// A limit was exceeded.
    public static let limitExceeded = Self(rawValue: "limit-exceeded")
}

extension CoreDataError: Equatable {
    /// Returns a Boolean value that indicates whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension CoreDataError: CustomStringConvertible {
    /// The location, message, and cause of the error, on one line.
    public var description: String {
        let names = [entity, property].compactMap(\.self).joined(separator: ".")
        let position = [line, column].compactMap(\.self).map(String.init)
        let place = ([file].compactMap(\.self) + position).joined(separator: ":")
        let parts = [place, names, message].filter { !$0.isEmpty }
        let cause = underlying.map { ": \($0)" } ?? ""
        return parts.joined(separator: ": ") + cause
    }
}
