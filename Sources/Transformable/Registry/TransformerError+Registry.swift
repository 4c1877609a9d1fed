extension TransformerError {
    static func unknownName(_ name: TransformerName, known: some Sequence<TransformerName>) -> Self {
        let nearest = nearestNames(to: name.rawValue, among: known.map(\.rawValue))
        let hint = nearest.isEmpty ? "" : "; did you mean \(nearest.map { "“\($0)”" }.joined(separator: " or "))?"
        return Self(.unknownName, "no transformer is registered as “\(name)”\(hint)", transformer: name.rawValue)
    }

    static func duplicateName(_ name: TransformerName) -> Self {
        Self(
            .duplicateName,
            "two transformers are registered as “\(name)”; rename one of them",
            transformer: name.rawValue
        )
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
