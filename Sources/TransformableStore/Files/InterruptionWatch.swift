/// Is told of folders in the making, so that an interruption of the process removes them.
package protocol InterruptionWatch: Sendable {
    /// Creates a folder, which an interruption removes until it is forgotten.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - make: Makes it, and gives whether that worked. It must not use the watch.
    /// - Returns: Whether it was made.
    func insert(_ path: String, _ make: () -> Bool) -> Bool

    /// Forgets a folder that is gone.
    func forget(_ path: String)

    /// Lets an interruption wait until a body has ended.
    ///
    /// - Parameter body: What is done whole or not at all. It must not use the watch.
    /// - Returns: What the body returns.
    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result
}
