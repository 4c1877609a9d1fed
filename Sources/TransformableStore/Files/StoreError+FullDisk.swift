extension StoreError {
    /// Returns the message for a full disk, which names what cannot grow and says what became of the work.
    package static func fullDisk(of place: String, _ outcome: String = "nothing was changed") -> String {
        "the disk is full, and \(outcome); free some space on the volume of \(place), and try again"
    }

    /// Runs a closure that writes in several steps, and if the disk is full, says what became of the file or folder at
    /// the path.
    package static func explainingFullDisk<Result>(
        at path: String,
        _ outcome: String = "nothing was changed",
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError where error.code == .diskFull {
            error.message = fullDisk(of: "“\(path)”", outcome)
            throw error
        }
    }
}
