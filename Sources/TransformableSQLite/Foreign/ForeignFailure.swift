internal import TransformableStore

/// A failure to read a file of another program, as opposed to a failure of a store.
package struct ForeignFailure: Error {
    package let cause: StoreError

    /// Runs a closure that only reads such a file, and marks its errors.
    static func marking<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw Self(cause: error)
        }
    }
}
