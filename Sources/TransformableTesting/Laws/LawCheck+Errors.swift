internal import Transformable

extension LawCheck {
    /// Checks that an error is typed, has a useful message, and does not reveal confidential values.
    func inspect(_ error: any Error, _ subject: @autoclosure () -> String) {
        guard let typed = error as? TransformerError else {
            expect(false, .typedErrors, "\(subject()): \(describe(error)), which is not a TransformerError")
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
            "\(subject()): the error with the code \(typed.code) reveals a value"
        )
    }
}
