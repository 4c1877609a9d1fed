internal import TransformableSQLite

extension CoreDataError.Code {
    /// The file is not a Core Data store.
    public static let notAStore = Self(rawValue: "not-a-store")
    /// The store is damaged.
    public static let damagedStore = Self(rawValue: "damaged-store")
    /// Another program is writing to the store, or was interrupted while writing to it.
    public static let busy = Self(rawValue: "busy")
    /// An I/O error occurred while the store was read.
    public static let inputOutput = Self(rawValue: "input-output")
    /// The store does not contain its model, and none was given.
    public static let missingModel = Self(rawValue: "missing-model")
    /// The tables of the store do not match the model.
    public static let modelMismatch = Self(rawValue: "model-mismatch")
    /// The model has no entity with this name, or the entity has no property with this name.
    public static let unknownName = Self(rawValue: "unknown-name")
    /// An object refers to an object that does not exist.
    public static let danglingReference = Self(rawValue: "dangling-reference")
    /// The stored value is not of its attribute's type.
    public static let invalidValue = Self(rawValue: "invalid-value")
}

extension CoreDataError {
    /// The codes of errors of files, which are thrown by the reader of databases.
    private static let codes: [StoreError.Code: Code] = [
        .noSuchFile: .noSuchFile, .cannotOpen: .cannotOpen, .notAStore: .notAStore, .busy: .busy,
        .corruptFile: .damagedStore, .limitExceeded: .limitExceeded, .inputOutput: .inputOutput,
        // The tables of a damaged file contradict its schema.
        .statementFailed: .damagedStore, .storeChanged: .busy,
    ]

    /// Runs a closure that reads a store, and throws its errors as errors of Core Data.
    ///
    /// - Parameters:
    ///   - file: The file's name in errors, as the caller gave it.
    ///   - path: The path that the reader of databases was given, which its messages contain.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: `CoreDataError`, and other errors that the closure throws.
    static func translating<Result>(
        _ file: String,
        at path: String? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let failure as ForeignFailure {
            // The file precedes the message.
            let path = path ?? file
            let message = failure.cause.message.replacing("the file “\(path)” ", with: "the file ")
                .replacing(path, with: file)
            throw CoreDataError(codes[failure.cause.code] ?? .inputOutput, message, file: file)
        } catch var error as CoreDataError {
            error.file = error.file ?? file
            throw error
        }
    }
}
