/// Whether statements end when the task that runs them is canceled.
///
/// This is the case in awaited reads and writes. Anything else, such as cleaning up in a canceled task, runs to its
/// end.
package enum Interruption {
    @TaskLocal package static var isHeeded = false
    /// Whether not to wait for another connection's lock.
    @TaskLocal package static var isImpatient = false

    /// Whether the current work must end.
    package static var isRequested: Bool { isHeeded && Task.isCancelled }

    /// Runs statements that clean up, even if the task is canceled.
    package static func ignored<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $isHeeded.withValue(false, operation: body)
    }
}
