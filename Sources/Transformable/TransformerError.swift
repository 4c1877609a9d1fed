/// Any failure of a transformer, an expression or a registry.
///
/// Match on ``code``; it is an open set that plugins extend. Two errors are equal if their codes
/// are. A message is one sentence that names the culprit and the way out; it never shows keys, nor
/// values on the plain side of a confidential stage.
public struct TransformerError: Error, Sendable {
    /// What went wrong.
    public var code: Code
    /// One sentence for a person.
    public var message: String
    /// The name of the transformer that failed, where it is known.
    public var transformer: String?
    /// Where in the input it went wrong: an offset in bytes from its start.
    public var offset: Int?
    /// What another library said.
    public var underlying: (any Error)?
    /// Whether the message says nothing that depends on the value's content, so that it may be shown even where the value is
    /// confidential.
    public var isSafeToShow = false

    /// Makes an error; a plugin does so beside the codes that it adds.
    public init(
        _ code: Code,
        _ message: String,
        transformer: String? = nil,
        offset: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.transformer = transformer
        self.offset = offset
        self.underlying = underlying
    }
}

extension TransformerError {
    /// What went wrong, as a short stable string; plugins add their own as static members.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The text.
        public let rawValue: String

        /// Makes a code of one's own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The canonical text.
        public var description: String { rawValue }

        /// The value cannot be encoded.
        public static let invalidValue = Self(rawValue: "invalid-value")
        /// The bytes or the text are not what the transformer reads.
        public static let invalidData = Self(rawValue: "invalid-data")
        /// The input is well formed and asks for something that is not supported.
        public static let unsupported = Self(rawValue: "unsupported")
        /// The input exceeds a limit.
        public static let limitExceeded = Self(rawValue: "limit-exceeded")

        /// The expression does not follow the grammar.
        public static let invalidExpression = Self(rawValue: "invalid-expression")
        /// No transformer of this name is registered.
        public static let unknownName = Self(rawValue: "unknown-name")
        /// A name is registered twice.
        public static let duplicateName = Self(rawValue: "duplicate-name")
        /// A registered name or label does not follow the grammar.
        public static let invalidName = Self(rawValue: "invalid-name")
        /// The transformer has no such argument.
        public static let unknownArgument = Self(rawValue: "unknown-argument")
        /// The argument's value is of the wrong type or out of range.
        public static let invalidArgument = Self(rawValue: "invalid-argument")
        /// An argument without a default is absent.
        public static let missingArgument = Self(rawValue: "missing-argument")
        /// A stage's encoded form is not what the next stage takes.
        public static let stagesDoNotFit = Self(rawValue: "stages-do-not-fit")
        /// A transformer that can decode is needed, and this one only encodes.
        public static let notReversible = Self(rawValue: "not-reversible")
        /// The transformer does not serve this Swift type.
        public static let unsupportedType = Self(rawValue: "unsupported-type")
    }

    /// The error a decoder throws for input that is not what it reads.
    ///
    /// - Parameters:
    ///   - message: One sentence that says what was expected.
    ///   - offset: Where, in bytes from the start of the input.
    ///   - underlying: What another library said.
    /// - Returns: An error with the code ``Code/invalidData``.
    public static func invalidData(_ message: String, offset: Int? = nil, underlying: (any Error)? = nil) -> Self {
        Self(.invalidData, message, offset: offset, underlying: underlying)
    }

    /// The error an encoder throws for a value that has no encoded form.
    ///
    /// - Parameters:
    ///   - message: One sentence that says which values are possible.
    ///   - underlying: What another library said.
    /// - Returns: An error with the code ``Code/invalidValue``.
    public static func invalidValue(_ message: String, underlying: (any Error)? = nil) -> Self {
        Self(.invalidValue, message, underlying: underlying)
    }

    /// The error for input beyond a limit.
    ///
    /// - Parameters:
    ///   - message: One sentence that names the limit and how to raise it.
    ///   - offset: Where, in bytes from the start of the input.
    /// - Returns: An error with the code ``Code/limitExceeded``.
    public static func limitExceeded(_ message: String, offset: Int? = nil) -> Self {
        Self(.limitExceeded, message, offset: offset)
    }

    /// The same failure, of which the author promises that the message says nothing of the value's content: it names a
    /// format, say, and quotes nothing.
    ///
    /// - Returns: The error, whose message is shown for confidential values as well.
    public func safeToShow() -> Self {
        var copy = self
        copy.isSafeToShow = true
        return copy
    }

    /// The same failure with everything withheld that may quote a secret: message, offset and cause.
    func redacted() -> Self {
        guard !isSafeToShow else {
            var copy = Self(code, message, transformer: transformer)
            copy.isSafeToShow = true
            return copy
        }
        let culprit = transformer.map { "“\($0)”" } ?? "a stage"
        let message = "\(culprit) failed on confidential data; what it said is withheld"
        return Self(code, message, transformer: transformer)
    }
}

extension TransformerError: Equatable {
    /// Whether the codes are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension TransformerError: CustomStringConvertible {
    /// The transformer, the message and the place, on one line.
    public var description: String {
        let subject = transformer.map { "\($0): " } ?? ""
        let place = offset.map { " (at byte \($0))" } ?? ""
        let cause = underlying.map { ": \($0)" } ?? ""
        return "\(subject)\(message)\(place)\(cause)"
    }
}
