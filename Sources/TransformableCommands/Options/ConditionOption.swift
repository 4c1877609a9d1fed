internal import ArgumentParser
internal import TransformableStore

/// The objects that a command works on.
struct ConditionOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only the objects that match this condition: 'age > 3 and name startsWith \"A\"'. See “help conditions”.",
            valueName: "condition"
        )
    )
    var text: String?

    /// Passes the condition to a closure.
    ///
    /// A condition that exceeds a limit is a usage error, wherever it is detected.
    ///
    /// - Parameter body: A closure that uses the condition, which matches every object if none was given.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` or ``CommandError`` if the condition is invalid, and any error thrown by `body`.
    func use<Result>(_ body: (Condition) throws -> Result) throws -> Result {
        do {
            return try body(text.map { text throws(StoreError) in try Condition(text) } ?? .all)
        } catch let error as StoreError where error.code == .limitExceeded {
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
    }
}
