/// The declaration of an argument that a transformer takes, with its Swift type.
///
/// ```swift
/// Registration("jpeg", .writing("quality", "0, smallest, to 100, best", default: 85, in: 0...100)) {
///     quality in JPEGTransformer(quality: quality)
/// }
/// ```
///
/// A *reading* argument, such as a format or the purpose of a key, must stay the same for stored bytes to remain
/// readable, and is part of the signature. A *writing* argument, such as a quality, a padding, or a limit, can change at
/// any time.
public struct Parameter<Value: ArgumentConvertible>: Sendable {
    /// The label, the role, and a summary.
    public let description: ParameterDescription
    private let defaultValue: Value?
    private let accepts: @Sendable (Value) -> Bool

    init(
        _ label: String,
        _ role: ParameterRole,
        _ summary: String,
        default defaultValue: Value?,
        type: String = Value.argumentType,
        accepts: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        description = ParameterDescription(
            label: label,
            role: role,
            type: type,
            defaultValue: defaultValue.flatMap(\.argument),
            isRequired: defaultValue == nil,
            summary: summary
        )
        self.defaultValue = defaultValue
        self.accepts = accepts
    }

    /// Returns the value of this parameter in a stage, or its default.
    func value(in stage: TransformerExpression.Stage) throws(TransformerError) -> Value {
        let label = description.label
        guard let argument = stage.arguments.first(where: { $0.label == label }) else {
            guard let defaultValue else {
                throw .missingArgument(label, description.type, of: stage.name)
            }
            return defaultValue
        }
        guard let value = Value(argument: argument.value), accepts(value) else {
            throw .invalidArgument(argument, description.type, of: stage.name)
        }
        return value
    }
}

extension Parameter {
    /// Declares an argument that must stay the same for stored bytes to remain readable.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: A short description.
    ///   - defaultValue: The default value, or nil if the argument is required.
    /// - Returns: The declaration.
    public static func reading(_ label: String, _ summary: String, default defaultValue: Value? = nil) -> Self {
        Self(label, .reading, summary, default: defaultValue)
    }

    /// Declares an argument that does not affect decoding.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: A short description.
    ///   - defaultValue: The default value, or nil if the argument is required.
    /// - Returns: The declaration.
    public static func writing(_ label: String, _ summary: String, default defaultValue: Value? = nil) -> Self {
        Self(label, .writing, summary, default: defaultValue)
    }
}

extension Parameter where Value: Comparable {
    /// Declares an argument within a range that must stay the same for stored bytes to remain readable.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: A short description.
    ///   - defaultValue: The default value, or nil if the argument is required.
    ///   - range: The allowed values.
    /// - Returns: The declaration.
    public static func reading(
        _ label: String,
        _ summary: String,
        default defaultValue: Value? = nil,
        in range: ClosedRange<Value>
    ) -> Self {
        Self(label, .reading, summary, default: defaultValue, within: range)
    }

    /// Declares an argument within a range that does not affect decoding.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: A short description.
    ///   - defaultValue: The default value, or nil if the argument is required.
    ///   - range: The allowed values.
    /// - Returns: The declaration.
    public static func writing(
        _ label: String,
        _ summary: String,
        default defaultValue: Value? = nil,
        in range: ClosedRange<Value>
    ) -> Self {
        Self(label, .writing, summary, default: defaultValue, within: range)
    }

    private init(
        _ label: String,
        _ role: ParameterRole,
        _ summary: String,
        default defaultValue: Value?,
        within range: ClosedRange<Value>
    ) {
        let type = "\(Value.argumentType) from \(range.lowerBound) to \(range.upperBound)"
        self.init(label, role, summary, default: defaultValue, type: type) { range.contains($0) }
    }
}

/// A description of a parameter.
public struct ParameterDescription: Sendable, Hashable {
    /// The label, without the colon.
    public let label: String
    /// Whether decoding stored bytes depends on the argument.
    public let role: ParameterRole
    /// The expected type, such as “an integer from 0 to 100”.
    public let type: String
    /// The default value, or nil if the argument is required or has no value by default.
    public let defaultValue: ArgumentValue?
    /// Whether the argument is required.
    public let isRequired: Bool
    /// A short description.
    public let summary: String
}

/// Whether decoding stored bytes depends on an argument.
public enum ParameterRole: String, Sendable, Hashable {
    /// The argument must stay the same for stored bytes to remain readable. It is part of the signature.
    case reading
    /// The argument can change at any time.
    ///
    /// If it is a limit that becomes stricter, stored values beyond it cannot be read until it is relaxed again.
    case writing
}
