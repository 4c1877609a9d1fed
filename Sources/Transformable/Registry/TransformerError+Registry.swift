extension TransformerError {
    static func unknownName(_ name: TransformerName, known: some Sequence<TransformerName>) -> Self {
        let nearest = nearestNames(to: name.rawValue, among: known.map(\.rawValue))
        let hint = nearest.isEmpty ? "" : "; did you mean \(nearest.map { "“\($0)”" }.joined(separator: " or "))?"
        return Self(.unknownName, "no transformer is registered as “\(name)”\(hint)", transformer: name.rawValue)
    }

    static func duplicateName(_ name: TransformerName) -> Self {
        Self(.duplicateName, "two transformers are registered as “\(name)”; rename one", transformer: name.rawValue)
    }

    static func invalidName(_ name: TransformerName) -> Self {
        let rule = "words of lower-case letters and digits, joined by “-” or “.”"
        return Self(.invalidName, "“\(name)” is not a transformer's name: \(rule)", transformer: name.rawValue)
    }

    static func invalidLabel(_ label: String, of name: TransformerName) -> Self {
        let message = "“\(label)” is not a label, or is declared twice: a lower-case letter, then letters and digits"
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
        let message = "the argument “\(argument.label)” is \(expected), not \(argument.value)"
        return Self(.invalidArgument, message, transformer: name.rawValue)
    }

    static func missingArgument(_ label: String, _ expected: String, of name: TransformerName) -> Self {
        let message = "the argument “\(label)” is missing: \(expected)"
        return Self(.missingArgument, message, transformer: name.rawValue)
    }

    static func stagesDoNotFit(
        _ first: String,
        gives given: Any.Type,
        _ second: String,
        takes taken: Any.Type
    ) -> Self {
        let message = "“\(first)” gives \(given), and “\(second)” takes \(taken)"
        return Self(.stagesDoNotFit, message, transformer: second)
    }

    static func doesNotServe(_ name: TransformerName, _ asked: Any.Type, values: Any.Type) -> Self {
        let message = "“\(name)” takes values of type \(values), not \(asked)"
        return Self(.unsupportedType, message, transformer: name.rawValue)
    }

    static func doesNotEnd(_ expression: TransformerExpression, in expected: String, but given: Any.Type) -> Self {
        let name = expression.stages.last?.name.rawValue
        return Self(.stagesDoNotFit, "“\(expression)” ends in \(given), and \(expected) is needed", transformer: name)
    }

    static func notReversible(_ expression: TransformerExpression, culprit: TransformerName?) -> Self {
        let subject = culprit.map { "“\($0)” in “\(expression)”" } ?? "“\(expression)”"
        let message = "\(subject) only encodes, and a transformer that can decode is needed"
        return Self(.notReversible, message, transformer: culprit?.rawValue)
    }

    /// The error for a value or a type that a transformer does not serve.
    ///
    /// - Parameters:
    ///   - type: The type that was given.
    ///   - expected: What is expected: a type, or a description of types.
    /// - Returns: An error with the code ``Code/unsupportedType``.
    public static func unsupportedType(_ type: Any.Type, expected: Any) -> Self {
        Self(.unsupportedType, "the type \(type) is not served; expected is \(expected)")
    }
}
