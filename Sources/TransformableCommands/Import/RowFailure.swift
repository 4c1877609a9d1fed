/// A failure in one row of what is imported.
struct RowFailure: Error {
    /// The line on which the row begins, from 1.
    let line: Int
    let underlying: any Error
}
