/// An error thrown by a transformer, an expression, or a registry.
///
/// Match on ``code``, which plugins can extend. Two errors are equal if their codes are equal. The message is a
/// sentence that says what is wrong and what to do. It never contains keys or the values of a confidential stage.
public struct TransformerError: Error, Sendable {
    /// The kind of failure.
    public var code: Code
    /// A one-sentence description of the error.
    public var message: String
    /// The name of the transformer that failed, if it is known.
    public var transformer: String?
    /// The offset of the problem, in bytes from the start of the input.
    public var offset: Int?
    /// The identifier of the key that is missing or retired, if the error is about one key.
    ///
    /// It reveals nothing about the key except which one it is.
    public var key: String?
    /// The underlying error, if the failure was reported by another library.
    public var underlying: (any Error)?
    /// Whether the message is independent of the value's content, so that it can be shown even if the value is
    /// confidential.
    public var isSafeToShow = false

    /// Creates an error.
    ///
    /// Plugins use this initializer with codes of their own.
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
    /// A kind of failure, identified by a short, stable string.
    ///
    /// Plugins add codes as static members.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The string that identifies the code.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The string that identifies the code.
        public var description: String { rawValue }

        /// The value cannot be encoded.
        public static let invalidValue = Self(rawValue: "invalid-value")
        /// The bytes or the text cannot be decoded.
        public static let invalidData = Self(rawValue: "invalid-data")
        /// The input is well-formed, but uses a feature that is not supported.
        public static let unsupported = Self(rawValue: "unsupported")
        /// The input exceeds a limit.
        public static let limitExceeded = Self(rawValue: "limit-exceeded")

        /// The expression is malformed.
        public static let invalidExpression = Self(rawValue: "invalid-expression")
        /// No transformer is registered under this name.
        public static let unknownName = Self(rawValue: "unknown-name")
        /// Two transformers are registered under the same name.
        public static let duplicateName = Self(rawValue: "duplicate-name")
        /// The name or label is malformed.
        public static let invalidName = Self(rawValue: "invalid-name")
        /// The transformer has no such argument.
        public static let unknownArgument = Self(rawValue: "unknown-argument")
        /// The argument has the wrong type or is out of range.
        public static let invalidArgument = Self(rawValue: "invalid-argument")
        /// A required argument is missing.
        public static let missingArgument = Self(rawValue: "missing-argument")
        /// The encoded form of a stage does not match the type that the next stage takes.
        public static let stagesDoNotFit = Self(rawValue: "stages-do-not-fit")
        /// The transformer can only encode, but one that can decode is required.
        public static let notReversible = Self(rawValue: "not-reversible")
        /// The transformer does not support this Swift type.
        public static let unsupportedType = Self(rawValue: "unsupported-type")
    }

    /// Returns the error to throw from a decoder for invalid input.
    ///
    /// - Parameters:
    ///   - message: A sentence that says what was expected.
    ///   - offset: The offset of the problem, in bytes from the start of the input.
    ///   - underlying: The underlying error.
    /// - Returns: An error with the code ``Code/invalidData``.
    public static func invalidData(_ message: String, offset: Int? = nil, underlying: (any Error)? = nil) -> Self {
        Self(.invalidData, message, offset: offset, underlying: underlying)
    }

    /// Returns the error to throw from an encoder for a value that has no encoded form.
    ///
    /// - Parameters:
    ///   - message: A sentence that says which values are allowed.
    ///   - underlying: The underlying error.
    /// - Returns: An error with the code ``Code/invalidValue``.
    public static func invalidValue(_ message: String, underlying: (any Error)? = nil) -> Self {
        Self(.invalidValue, message, underlying: underlying)
    }

    /// Returns the error to throw if the input exceeds a limit.
    ///
    /// - Parameters:
    ///   - message: A sentence that states the limit and how to raise it.
    ///   - offset: The offset of the problem, in bytes from the start of the input.
    /// - Returns: An error with the code ``Code/limitExceeded``.
    public static func limitExceeded(_ message: String, offset: Int? = nil) -> Self {
        Self(.limitExceeded, message, offset: offset)
    }

    /// Returns the same error, marked as safe to show even if the value is confidential.
    ///
    /// Call this method only if the message does not depend on the value's content, for example because it names a
    /// format and quotes nothing.
    ///
    /// - Returns: The error, whose message is shown even for confidential values.
    public func safeToShow() -> Self {
        var copy = self
        copy.isSafeToShow = true
        return copy
    }

    /// Returns the same error without anything that could reveal a secret: message, offset, and underlying error.
    func redacted() -> Self {
        guard !isSafeToShow else {
            var copy = Self(code, message, transformer: transformer)
            copy.isSafeToShow = true
            return copy
        }
        let culprit = transformer.map { "“\($0)”" } ?? "a stage"
        let message = "\(culprit) failed on confidential data; the details are withheld"
        return Self(code, message, transformer: transformer)
    }
}

extension TransformerError: Equatable {
    /// Returns whether two errors have equal codes.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension TransformerError: CustomStringConvertible {
    /// The transformer, the message, and the offset, on one line.
    public var description: String {
        let subject = transformer.map { "\($0): " } ?? ""
        let place = offset.map { " (at byte \($0))" } ?? ""
        let cause = underlying.map { ": \($0)" } ?? ""
        return "\(subject)\(message)\(place)\(cause)"
    }
}

extension TransformerError {
    static func unknownName(_ name: TransformerName, known: some Sequence<TransformerName>) -> Self {
        let nearest = nearestNames(to: name.rawValue, among: known.map(\.rawValue))
        let hint =
            nearest.isEmpty
            ? "add the plugin that provides it to the registry"
            : "did you mean \(nearest.map { "“\($0)”" }.joined(separator: " or "))?"
        return Self(.unknownName, "no transformer is registered as “\(name)”; \(hint)", transformer: name.rawValue)
    }

    /// The error for a name that is registered twice, because of two transformers or of one plugin that was added twice.
    static func duplicateName(_ left: Registration, _ right: Registration, plugins: [String]) -> Self {
        let message = "two transformers are registered as “\(left.name)”"
        let owners = [left.plugin, left.plugin == right.plugin ? nil : right.plugin].compactMap(\.self)
        if owners.count == 1, left.plugin == right.plugin, plugins.count(where: { $0 == owners[0] }) > 1 {
            let remedy = "the plugin “\(owners[0])” was added twice, so remove one of the two"
            return Self(.duplicateName, "\(message); \(remedy)", transformer: left.name.rawValue)
        }
        let list = owners.map { "the plugin “\($0)”" }.joined(separator: " and ")
        let share = left.plugin == nil || right.plugin == nil ? "one of them " : ""
        let origin = owners.isEmpty ? "" : ", \(share)by \(list)"
        let remedy = owners.count < 2 ? "rename one of them" : "rename one of them, or add only one of the two plugins"
        return Self(.duplicateName, "\(message)\(origin); \(remedy)", transformer: left.name.rawValue)
    }

    static func invalidName(_ name: TransformerName) -> Self {
        let rule = "a name consists of words of lowercase letters and digits, joined by “-” or “.”"
        return Self(.invalidName, "“\(name)” is not a valid transformer name: \(rule)", transformer: name.rawValue)
    }

    static func invalidLabel(_ label: String, of name: TransformerName) -> Self {
        let message =
            "the label “\(label)” is declared twice, or is not a lowercase letter followed by letters and digits"
        return Self(.invalidName, message, transformer: name.rawValue)
    }

    static func invalidVersion(_ version: Int, of name: TransformerName) -> Self {
        let message = "a registration has the version \(version), but versions start at 1"
        return Self(.invalidArgument, message, transformer: name.rawValue)
    }

    static func unknownArgument(_ label: String, of registration: Registration) -> Self {
        let labels = registration.parameters.map(\.label)
        let known = labels.isEmpty ? "it takes none" : "it takes \(labels.joined(separator: ", "))"
        let message = "there is no argument “\(label)”; \(known)"
        return Self(.unknownArgument, message, transformer: registration.name.rawValue)
    }

    static func invalidArgument(
        _ argument: TransformerExpression.Argument,
        _ expected: String,
        of name: TransformerName
    ) -> Self {
        let message = "the argument “\(argument.label)” must be \(expected), not \(argument.value)"
        return Self(.invalidArgument, message, transformer: name.rawValue)
    }

    static func unwritableArgument(_ label: String, _ value: ArgumentValue, of name: TransformerName) -> Self {
        let message =
            "the argument “\(label)” has the value \(value), which cannot be written in an expression; change it, or its default"
        return Self(.invalidArgument, message, transformer: name.rawValue)
    }

    static func missingArgument(_ label: String, _ expected: String, of name: TransformerName) -> Self {
        let message = "the argument “\(label)” is missing; it must be \(expected)"
        return Self(.missingArgument, message, transformer: name.rawValue)
    }

    static func stagesDoNotFit(
        _ first: String,
        gives given: Any.Type,
        _ second: String,
        takes taken: Any.Type
    ) -> Self {
        let message = "“\(first)” produces \(given), but “\(second)” takes \(taken)"
        return Self(.stagesDoNotFit, message, transformer: second)
    }

    static func doesNotServe(_ name: TransformerName, _ asked: Any.Type, values: Any.Type) -> Self {
        let message = "“\(name)” takes values of type \(values), not \(asked)"
        return Self(.unsupportedType, message, transformer: name.rawValue)
    }

    static func doesNotEnd(_ expression: TransformerExpression, in expected: String, but given: Any.Type) -> Self {
        let name = expression.stages.last?.name.rawValue
        return Self(.stagesDoNotFit, "“\(expression)” ends in \(given), but \(expected) is required", transformer: name)
    }

    static func notReversible(_ expression: TransformerExpression, culprit: TransformerName?) -> Self {
        let subject = culprit.map { "“\($0)” in “\(expression)”" } ?? "“\(expression)”"
        let message = "\(subject) can only encode, but a transformer that can also decode is required"
        return Self(.notReversible, message, transformer: culprit?.rawValue)
    }

    /// Returns the error for a value or a type that a transformer does not support.
    ///
    /// - Parameters:
    ///   - type: The unsupported type.
    ///   - expected: The expected type, or a description of the supported types.
    /// - Returns: An error with the code ``Code/unsupportedType``.
    public static func unsupportedType(_ type: Any.Type, expected: Any) -> Self {
        Self(.unsupportedType, "the type \(type) is not supported; expected \(expected)")
    }
}
