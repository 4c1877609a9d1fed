internal import ArgumentParser
internal import TransformableStore

/// Which objects a verb means.
struct ConditionOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only the objects that this condition holds for: 'age > 3 and name startsWith \"A\"'; see “help conditions”.",
            valueName: "condition"
        )
    )
    var text: String?

    /// Gives a body the condition; one that exceeds a limit is a wrong use, whoever finds out.
    ///
    /// - Parameter body: Uses the condition, every object if there is none.
    /// - Returns: What the body gives.
    /// - Throws: `StoreError`, ``CommandError/Code/usage``, and what the body throws.
    func use<Result>(_ body: (Condition) throws -> Result) throws -> Result {
        do {
            return try body(text.map { text throws(StoreError) in try Condition(text) } ?? .all)
        } catch let error as StoreError where error.code == .limitExceeded {
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
    }
}
