/// An argument that a transformer takes, declared with its Swift type.
///
/// ```swift
/// Registration("jpeg", .writing("quality", "0, smallest, to 100, best", default: 85, in: 0...100)) {
///     quality in JPEGTransformer(quality: quality)
/// }
/// ```
///
/// A *reading* argument must agree for old bytes to be read, and is part of the signature: a format, a
/// key's purpose. A *writing* argument may change at any time: quality, padding, limits.
public struct Parameter<Value: ArgumentConvertible>: Sendable {
    /// Label, role and text for a person.
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

    /// Finds this parameter's value among the arguments of a stage, or its default.
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
    /// An argument that must agree for old bytes to be read.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: What it does, in a few words.
    ///   - defaultValue: What holds where it is left out; nil demands it.
    /// - Returns: The declaration.
    public static func reading(_ label: String, _ summary: String, default defaultValue: Value? = nil) -> Self {
        Self(label, .reading, summary, default: defaultValue)
    }

    /// An argument that decoding does not depend on.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: What it does, in a few words.
    ///   - defaultValue: What holds where it is left out; nil demands it.
    /// - Returns: The declaration.
    public static func writing(_ label: String, _ summary: String, default defaultValue: Value? = nil) -> Self {
        Self(label, .writing, summary, default: defaultValue)
    }
}

extension Parameter where Value: Comparable {
    /// An argument within a range that must agree for old bytes to be read.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: What it does, in a few words.
    ///   - defaultValue: What holds where it is left out; nil demands it.
    ///   - range: The values it may have.
    /// - Returns: The declaration.
    public static func reading(
        _ label: String,
        _ summary: String,
        default defaultValue: Value? = nil,
        in range: ClosedRange<Value>
    ) -> Self {
        Self(label, .reading, summary, default: defaultValue, within: range)
    }

    /// An argument within a range that decoding does not depend on.
    ///
    /// - Parameters:
    ///   - label: The label, without the colon.
    ///   - summary: What it does, in a few words.
    ///   - defaultValue: What holds where it is left out; nil demands it.
    ///   - range: The values it may have.
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
