/// Keeps track of unfinished folders, so that an interruption of the process removes them.
package protocol InterruptionWatch: Sendable {
    /// Creates a folder, which an interruption removes until it is forgotten.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - make: Creates the folder, and returns whether it succeeded. It must not use the watch.
    /// - Returns: Whether the folder was created.
    func insert(_ path: String, _ make: () -> Bool) -> Bool

    /// Forgets a folder that no longer exists.
    func forget(_ path: String)

    /// Delays interruptions until a closure has returned.
    ///
    /// - Parameter body: An operation that must not be interrupted. It must not use the watch.
    /// - Returns: The result of the closure.
    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result
}
