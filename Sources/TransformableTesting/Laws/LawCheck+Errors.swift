internal import Transformable

extension LawCheck {
    /// Whether an error is typed, says something, and keeps secrets.
    func inspect(_ error: any Error, _ subject: @autoclosure () -> String) {
        guard let typed = error as? TransformerError else {
            expect(false, .typedErrors, "\(subject()): \(describe(error)), which is no TransformerError")
            return
        }
        let isSentence = typed.message.split(separator: " ").count > 1
        expect(isSentence, .typedErrors, "\(subject()): “\(typed.message)” is not a sentence that says what is wrong")
        expect((typed.offset ?? 0) >= 0, .typedErrors, "\(subject()): the error has a negative offset")
        guard traits.contains(.confidential) else { return }
        let text = [String(reflecting: typed), typed.description, typed.underlying.map { "\($0)" } ?? ""].joined()
        expect(
            !canaries.areSeen(in: text),
            .confidential,
            "\(subject()): the error of code \(typed.code) shows a value"
        )
    }
}
