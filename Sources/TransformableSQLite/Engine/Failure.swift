internal import GRDB
internal import GRDBSQLite
internal import TransformableStore

/// Converts errors of SQLite and GRDB to errors of the store.
enum Failure {
    /// Runs a closure, and throws its errors as errors of the store, which name the file at a path.
    static func translate<Result>(at path: String? = nil, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw translated(error, path)
        }
    }

    private static func translated(_ error: DatabaseError, _ path: String?) -> any Error {
        let message = error.message ?? "no message"
        return Interruption.error(sqlite: error.extendedResultCode.rawValue, message: message, path: path)
    }

    static func translateAsync<Result>(at path: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw translated(error, path)
        }
    }
}

extension StoreError {
    /// Creates the error for a result code of SQLite.
    ///
    /// - Parameters:
    ///   - code: The extended code.
    ///   - message: SQLite's message.
    ///   - path: The path of the database, if it is known.
    init(sqlite code: Int32, message: String, path: String?) {
        if code & 0xFF == SQLITE_AUTH, let fault = RowFault(text: message) {
            self.init(fault)
            return
        }
        if let fault = CellFault(message: message) {
            self = fault.error
            return
        }
        if let failure = FileFailure(code, message, path) {
            self.init(failure.code, failure.message)
            return
        }
        switch code & 0xFF {
        case SQLITE_ERROR where message == "integer overflow":
            self.init(.arithmeticFailure, "a sum does not fit into a 64-bit integer")
        case SQLITE_ERROR where Statement.contradictsFile(message):
            self.init(.corruptFile, "the file's tables do not match its model (\(message))")
        case SQLITE_ERROR where Statement.exceedsLimit(message):
            let isOfTable = message.hasPrefix("too many columns on ")
            let remedy = isOfTable ? "" : "; shorten the paths of the condition, or split it"
            self.init(.limitExceeded, "the statement exceeds a limit of SQLite (\(message))\(remedy)")
        case SQLITE_ERROR, SQLITE_RANGE, SQLITE_MISMATCH:
            let cause = "unless a view or a trigger was added to the file, this is a bug in TransformableStore"
            self.init(.statementFailed, "SQLite rejected one of the store's own statements (\(message)); \(cause)")
        case SQLITE_MISUSE: self = .closed
        case SQLITE_TOOBIG: self.init(.limitExceeded, "a value or a row exceeds SQLite's limit of a gigabyte")
        case SQLITE_CONSTRAINT: self.init(constraint: code, message: message)
        default:
            let remedy = "try again, and verify the store if the error persists"
            self.init(.inputOutput, "SQLite reports “\(message)” (code \(code)); \(remedy)")
        }
    }

    private init(constraint code: Int32, message: String) {
        let columns = message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? message
        let names = columns.split(separator: ", ").map { $0.split(separator: ".").last.map(String.init) ?? "" }
            .filter { $0 != "_tenant" }
        let entity = columns.split(separator: ".").first.map(String.init)
        switch code {
        case Constraint.unique, Constraint.primaryKey, Constraint.rowid:
            let list = names.joined(separator: " and ")
            self.init(.notUnique, "another object has the same \(list)", entity: entity, attribute: names.first)
        case Constraint.notNull,
            _ where message.hasPrefix("NOT NULL "):
            self.init(.missingValue, "it needs a value", entity: entity, attribute: names.first)
        case Constraint.foreignKey:
            self.init(.danglingReference, "an object refers to an object that does not exist")
        default: self.init(.invalidValue, "SQLite rejected the row (\(message))")
        }
    }
}

/// SQLite's messages about statements that it cannot prepare, for all of which it has a single code.
private enum Statement {
    private static let contradictions = [
        "no such ", "has no column named ", "malformed database schema", " already exists", "foreign key mismatch",
        "there is already a",
    ]
    private static let limits = ["too many ", "too large", "too complex", "at most ", "stack overflow"]

    /// Returns a Boolean value that indicates whether the file lacks something that a statement uses, or has something
    /// that its model does not.
    static func contradictsFile(_ message: String) -> Bool {
        contradictions.contains { message.contains($0) } && !message.hasPrefix("no such function")
    }

    /// Returns a Boolean value that indicates whether a statement exceeds one of SQLite's limits.
    static func exceedsLimit(_ message: String) -> Bool {
        limits.contains { message.contains($0) }
    }
}

/// SQLite's extended result codes for broken constraints.
///
/// SQLite defines them as macros that Swift cannot import.
private enum Constraint {
    static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
    static let notNull = SQLITE_CONSTRAINT | 5 << 8
    static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
    static let unique = SQLITE_CONSTRAINT | 8 << 8
    static let rowid = SQLITE_CONSTRAINT | 10 << 8
}

extension Interruption {
    /// Returns the error to throw for a result code of SQLite.
    static func error(sqlite code: Int32, message: String, path: String?) -> any Error {
        let codes = [SQLITE_INTERRUPT, SQLITE_BUSY, SQLITE_ABORT]
        if codes.contains(code & 0xFF), isRequested { return CancellationError() }
        return StoreError(sqlite: code, message: message, path: path)
    }
}
