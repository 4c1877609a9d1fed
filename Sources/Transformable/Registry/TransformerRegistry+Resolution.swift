public import Foundation

extension TransformerRegistry {
    /// Gives the transformer of an expression for a value type: what an attribute needs.
    ///
    /// - Parameters:
    ///   - expression: The expression; text at its end becomes UTF-8.
    ///   - value: The type of the values.
    /// - Returns: A transformer to `Data`.
    /// - Throws: ``TransformerError``: the expression's syntax, a name, an argument, stages or types that
    ///   do not fit, or ``TransformerError/Code/notReversible``.
    public func transformer<Value>(
        _ expression: String,
        for value: Value.Type
    ) throws -> any Transformer<Value, Data> {
        try resolve(expression, for: value).reversible(from: value, to: Data.self)
    }

    /// Gives the transformer of an expression that need not decode: what a projection needs.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - value: The type of the values.
    ///   - encoded: The type it ends in.
    /// - Returns: A one-way transformer.
    /// - Throws: ``TransformerError``: the expression's syntax, a name, an argument, or stages or types
    ///   that do not fit.
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

    /// Resolves an expression: finds its names, checks its arguments, and joins its stages.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - valueType: The type of the values; nil takes the first stage's own, or a family's default.
    ///   - ending: In which type it must end.
    /// - Returns: The transformer, with what is known about it.
    /// - Throws: ``TransformerError``: the expression's syntax, a name, an argument, or stages or types
    ///   that do not fit.
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
    ///   - valueType: The type of the values; nil takes the first stage's own, or a family's default.
    ///   - ending: In which type it must end.
    /// - Returns: The transformer, with what is known about it.
    /// - Throws: ``TransformerError``: a name, an argument, or stages or types that do not fit.
    public func resolve(
        _ expression: TransformerExpression,
        for valueType: Any.Type? = nil,
        ending: ExpressionEnding = .data
    ) throws -> ResolvedTransformer {
        var resolver = Resolver(registry: self, valueType: valueType)
        return try resolver.resolve(expression, ending: ending)
    }

    /// The stage in canonical form: arguments in declared order, defaults left out, inner expressions too.
    func canonical(_ stage: TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage {
        let registration = try registration(stage.name)
        let arguments = try registration.arguments(of: stage).filter { $0.value != $0.parameter.defaultValue }
        return try TransformerExpression.Stage(stage.name, arguments: rewrite(arguments, canonical))
    }

    /// The stage as a signature has it: the version, and reading arguments with their defaults.
    func signed(_ stage: TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage {
        let registration = try registration(stage.name)
        let arguments = try registration.arguments(of: stage).filter { $0.parameter.role == .reading }
        return try TransformerExpression.Stage(
            stage.name,
            version: registration.version,
            arguments: rewrite(arguments, signed)
        )
    }

    /// Writes arguments out, with the stages of inner expressions rewritten likewise.
    private func rewrite(
        _ arguments: [(parameter: ParameterDescription, value: ArgumentValue)],
        _ rewriteStage: (TransformerExpression.Stage) throws(TransformerError) -> TransformerExpression.Stage
    ) throws(TransformerError) -> [TransformerExpression.Argument] {
        try arguments.map { parameter, value throws(TransformerError) in
            guard case .expression(let inner) = value else {
                return TransformerExpression.Argument(parameter.label, value)
            }
            let stages = try inner.stages.map { stage throws(TransformerError) in try rewriteStage(stage) }
            return TransformerExpression.Argument(parameter.label, .expression(TransformerExpression(stages: stages)))
        }
    }
}

extension Registration {
    /// The arguments of a stage in declared order, with defaults.
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
