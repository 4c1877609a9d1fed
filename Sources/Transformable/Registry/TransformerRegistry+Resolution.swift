public import Foundation

extension TransformerRegistry {
    /// Returns the transformer for an expression and a value type, as required for an attribute.
    ///
    /// - Parameters:
    ///   - expression: The expression. Text at its end is converted to UTF-8.
    ///   - value: The type of the values.
    /// - Returns: A transformer to `Data`.
    /// - Throws: ``TransformerError`` if the expression is malformed, a name or an argument is unknown or invalid, or
    ///   the stages do not fit together, or with the code ``TransformerError/Code/notReversible`` if a stage can only
    ///   encode.
    public func transformer<Value>(
        _ expression: String,
        for value: Value.Type
    ) throws -> any Transformer<Value, Data> {
        try resolve(expression, for: value).reversible(from: value, to: Data.self)
    }

    /// Returns the transformer for an expression that need not be reversible, as required for a projection.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - value: The type of the values.
    ///   - encoded: The type of the encoded form.
    /// - Returns: A one-way transformer.
    /// - Throws: ``TransformerError`` if the expression is malformed, a name or an argument is unknown or invalid, or
    ///   the stages do not fit together.
    public func projection<Value, Encoded>(
        _ expression: String,
        for value: Value.Type,
        to encoded: Encoded.Type
    ) throws -> any OneWayTransformer<Value, Encoded> {
        let ending: ExpressionEnding = encoded == Data.self ? .data : .anything
        let resolved = try resolve(expression, for: value, ending: ending)
        guard let typed = resolved.transformer as? any OneWayTransformer<Value, Encoded> else {
            throw TransformerError.doesNotEnd(resolved.expression, in: "\(encoded)", but: resolved.encodedType)
        }
        return typed
    }

    /// Resolves an expression: looks up its names, checks its arguments, and combines its stages.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - valueType: The type of the values, or nil for the type of the first stage, or a family's default.
    ///   - ending: The type that the expression must end in.
    /// - Returns: The transformer and its properties.
    /// - Throws: ``TransformerError`` if the expression is malformed, a name or an argument is unknown or invalid, or
    ///   the stages do not fit together.
    public func resolve(
        _ expression: String,
        for valueType: Any.Type? = nil,
        ending: ExpressionEnding = .data
    ) throws -> ResolvedTransformer {
        try resolve(TransformerExpression(expression), for: valueType, ending: ending)
    }

    /// Resolves a parsed expression.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - valueType: The type of the values, or nil for the type of the first stage, or a family's default.
    ///   - ending: The type that the expression must end in.
    /// - Returns: The transformer and its properties.
    /// - Throws: ``TransformerError`` if a name or an argument is unknown or invalid, or the stages do not fit
    ///   together.
    public func resolve(
        _ expression: TransformerExpression,
        for valueType: Any.Type? = nil,
        ending: ExpressionEnding = .data
    ) throws -> ResolvedTransformer {
        var resolver = Resolver(registry: self, valueType: valueType)
        return try resolver.resolve(expression, ending: ending)
    }

    /// Returns a stage in canonical form: arguments are in declared order, and defaults are omitted, also in inner
    /// expressions.
    func canonical(_ stage: TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage {
        let registration = try registration(stage.name)
        let arguments = try registration.arguments(of: stage).filter { $0.value != $0.parameter.defaultValue }
        return try TransformerExpression.Stage(stage.name, arguments: rewrite(arguments, of: stage, canonical))
    }

    /// Returns a stage as it appears in a signature: with its version, and with reading arguments including defaults.
    func signed(_ stage: TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage {
        let registration = try registration(stage.name)
        let arguments = try registration.arguments(of: stage).filter { $0.parameter.role == .reading }
        return try TransformerExpression.Stage(
            stage.name,
            version: registration.version,
            arguments: rewrite(arguments, of: stage, signed)
        )
    }

    /// Rewrites arguments, including the stages of inner expressions.
    ///
    /// A store could not read an expression or a signature with a value that has no text form, such as infinity.
    private func rewrite(
        _ arguments: [(parameter: ParameterDescription, value: ArgumentValue)],
        of stage: TransformerExpression.Stage,
        _ rewriteStage: (TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage
    ) throws(TransformerError) -> [TransformerExpression.Argument] {
        try arguments.map { parameter, value throws(TransformerError) in
            guard value.isWritable else {
                throw TransformerError.unwritableArgument(parameter.label, value, of: stage.name)
            }
            return TransformerExpression.Argument(parameter.label, try rewrite(value, rewriteStage))
        }
    }

    private func rewrite(
        _ value: ArgumentValue,
        _ rewriteStage: (TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage
    ) throws(TransformerError) -> ArgumentValue {
        switch value {
        case .expression(let inner):
            let stages = try inner.stages.map { stage throws(TransformerError) in try rewriteStage(stage) }
            return .expression(TransformerExpression(stages: stages))
        case .list(let values):
            return .list(try values.map { value throws(TransformerError) in try rewrite(value, rewriteStage) })
        default:
            return value
        }
    }
}

extension Registration {
    /// Returns the arguments of a stage in declared order, including defaults.
    fileprivate func arguments(
        of stage: TransformerExpression.Stage
    ) throws(TransformerError) -> [(parameter: ParameterDescription, value: ArgumentValue)] {
        let labels = parameters.map(\.label)
        if let stranger = stage.arguments.first(where: { !labels.contains($0.label) }) {
            throw .unknownArgument(stranger.label, of: self)
        }
        return try zip(parameters, values(stage))
            .compactMap { parameter, value in
                value.map { (parameter, $0) }
            }
    }
}

/// The type that a resolved expression must end in.
public enum ExpressionEnding: Sendable, Hashable {
    /// `Data`, as required for an attribute. Text is converted to UTF-8.
    case data
    /// `Int64`, `Double`, `String`, or `Data`, as required for a projection or a listing.
    case column
    /// Any type.
    case anything
}

extension ExpressionEnding {
    func admits(_ type: Any.Type) -> Bool {
        switch self {
        case .data: type == Data.self
        case .column: [Int64.self, Double.self, String.self, Data.self].contains { $0 == type }
        case .anything: true
        }
    }

    var summary: String {
        switch self {
        case .data: "Data"
        case .column: "Int64, Double, String, or Data"
        case .anything: "any type"
        }
    }
}
