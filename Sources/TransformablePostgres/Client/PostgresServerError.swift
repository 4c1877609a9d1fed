internal import TransformableModel

/// An error that the server reported.
///
/// Only those parts of its text are kept that cannot contain stored values.
package struct PostgresServerError: Error, Sendable, CustomStringConvertible {
    /// The five characters that classify the error.
    ///
    /// PostgreSQL's documentation lists them in its appendix A.
    package let sqlState: String
    package let message: String?
    package let table: String?
    package let column: String?
    package let constraint: String?
    /// The function of the server that reported the error.
    private let routine: String?
    /// `ERROR`, or `FATAL` or `PANIC` if the connection ends.
    private let severity: String?

    init(_ fields: ErrorFields) {
        sqlState = fields["C"] ?? ""
        table = fields["t"]
        column = fields["c"]
        constraint = fields["n"] ?? (sqlState.hasPrefix("23") ? fields["M"].flatMap(Self.constraint) : nil)
        routine = fields["R"]
        severity = fields["V"]
        // The details of this error name objects of the database, but not values.
        let dependents = sqlState == "2BP01" ? fields["D"].map { ": \($0)" } ?? "" : ""
        message = Self.quotesValues(sqlState) ? nil : fields["M"].map { Self.line($0 + dependents) }
    }

    /// Returns the name of a store's constraint that a message contains.
    ///
    /// Errors that Citus passes on from its workers have no field for it.
    private static func constraint(in message: String) -> String? {
        let starts = ["_index.", "_reference."].compactMap { message.firstRange(of: $0)?.lowerBound }
        // The quotation marks depend on the server's language.
        return starts.first.map { String(message[$0...].prefix { !"\"'“”„’«»".contains($0) && !$0.isWhitespace }) }
    }

    /// Returns a Boolean value that indicates whether errors of a class may quote values: those about data, about broken
    /// constraints, and those raised by triggers.
    private static func quotesValues(_ state: String) -> Bool {
        ["22", "23", "44", "P0"].contains(state.prefix(2))
    }

    /// Shortens a message to a line without control characters.
    static func line(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 32 } }
        return String(words.joined(separator: " ").prefix(500))
    }

    package var description: String {
        ["PostgreSQL reports SQLSTATE \(sqlState)", message].compactMap(\.self).joined(separator: ": ")
    }

    /// Whether the server no longer knows a prepared statement, or knows it with other columns, because tables changed.
    var isStalePlan: Bool {
        sqlState == "26000" || sqlState == "0A000" && routine == "RevalidateCachedQuery"
    }

    /// Whether a transaction that writes cannot begin, because the server is a standby.
    ///
    /// A standby refuses the isolation of such a transaction before it refuses to write.
    var refusesIsolation: Bool { sqlState == "0A000" && routine == "call_enum_check_hook" }

    /// Whether a value is too long for an index, so that its row cannot be written.
    var exceedsIndex: Bool {
        exceedsLimit(of: ["_bt_check_third_page", "index_form_tuple", "index_form_tuple_context"], "index row ")
    }

    /// Whether a row has so many long values that it does not fit on a page.
    var exceedsPage: Bool { exceedsLimit(of: ["RelationGetBufferForTuple"], "row is too big") }

    /// Returns a Boolean value that indicates whether one of some functions has reported that a limit is exceeded.
    ///
    /// Citus passes on an error of a worker without the name of the function, but with its message.
    private func exceedsLimit(of routines: [String], _ start: String) -> Bool {
        guard sqlState == "54000", let routine else { return false }
        return routines.contains(routine) || routine == "ReportResultError" && message?.hasPrefix(start) == true
    }

    /// Whether the statement failed only because an earlier one of the transaction did.
    var isConsequence: Bool { sqlState == "25P02" }

    /// Whether the server, or a worker of Citus, ended the connection.
    var endsConnection: Bool {
        sqlState.hasPrefix("08") || ["FATAL", "PANIC"].contains(severity)
            || ["57P01", "57P02", "57P05"].contains(sqlState)
            // If a worker does not answer a commit, the warning has no code of its own.
            || severity == "WARNING" && sqlState == "XX000"
    }
}

extension StoreError {
    /// Creates the error of the store for an error of the server.
    ///
    /// - Parameters:
    ///   - error: The server's error.
    ///   - loss: The code that says what the end of the connection means now.
    init(_ error: PostgresServerError, loss: Code) {
        let subject = [error.table, error.column].compactMap(\.self).joined(separator: ".")
        let place =
            error.constraint.map { " (constraint “\($0)”)" } ?? (subject.isEmpty ? "" : " (column “\(subject)”)")
        let code = error.sqlState == "40003" ? .outcomeUnknown : error.endsConnection ? loss : Self.code(of: error)
        self.init(
            code,
            Self.message(for: code, error) + place,
            entity: error.table,
            attribute: error.column,
            underlying: error
        )
    }

    /// Whether the transaction that threw the error may succeed if it runs again.
    ///
    /// No part of it was written.
    package var isRetryable: Bool { code == .transactionConflict }

    /// The same error for a statement that returns rows, whose numbers are results rather than values to store.
    var ofReading: Self {
        guard code == .invalidValue, let error = postgresError,
            let message = Self.failedCalculations[error.sqlState]
        else { return self }
        return Self(.arithmeticFailure, message, underlying: error)
    }

    /// The same error for a program's own statement, which may name other tables than the store's.
    ///
    /// They may have been dropped since the statement was described.
    var ofOwnStatement: Self {
        guard concernsMissingName else { return self }
        var error = self
        error.code = .statementFailed
        error.message = "it names a table or column that does not exist; put names in double quotes"
        return error
    }

    private static let failedCalculations = [
        "22003": "the result of a calculation does not fit its type",
        "22012": "a number is divided by zero; exclude such objects first",
    ]

    /// What the server said, if it is the cause of the error.
    package var postgresError: PostgresServerError? { underlying as? PostgresServerError }

    /// Whether the server refuses something because of its size, such as a value that is too long for an index.
    ///
    /// A lack of memory or connections also exceeds a limit, but says nothing about what was refused.
    var concernsSize: Bool { postgresError?.sqlState == "54000" }

    /// Whether a statement names a table, a column, or a schema that does not exist.
    var concernsMissingName: Bool { ["42P01", "42703", "3F000"].contains(postgresError?.sqlState) }

    private static func code(of error: PostgresServerError) -> Code {
        if error.isStalePlan { return .transactionConflict }
        if error.refusesIsolation { return .readOnly }
        return states[error.sqlState] ?? classes[error.sqlState.prefix(2)] ?? .statementFailed
    }

    private static let states: [String: Code] = [
        "23505": .notUnique, "23P01": .notUnique, "23503": .danglingReference, "23502": .missingValue,
        "40001": .transactionConflict, "40P01": .transactionConflict,
        "55P03": .busy, "53300": .busy, "57P03": .busy, "57014": .canceled,
        "53100": .diskFull, "25006": .readOnly, "42501": .accessDenied,
        // An unknown table, an unknown column, and an unknown schema.
        "42P01": .corruptFile, "42703": .corruptFile, "3F000": .noSuchFile,
    ]

    private static let classes: [Substring: Code] = [
        "0A": .unsupported, "2B": .unsupported, "22": .invalidValue, "23": .invalidValue, "28": .accessDenied,
        "40": .transactionConflict, "53": .limitExceeded, "54": .limitExceeded, "58": .inputOutput, "XX": .corruptFile,
    ]

    private static func message(for code: Code, _ error: PostgresServerError) -> String {
        switch code {
        case .notUnique: "another object has the same value"
        case .danglingReference: "an object refers to an object that does not exist"
        case .missingValue: "it needs a value"
        case .invalidValue: "the server rejected a value"
        case .transactionConflict where error.sqlState == "26000":
            "the server does not know a prepared statement; if PgBouncer is in between, set “usesTransactionPooling”"
        case .transactionConflict: "another transaction changed the same rows; run this one again"
        case .busy: "the server is busy, or a row is locked; try again"
        case .canceled: "the server canceled the statement"
        case .diskFull: "the server's disk is full"
        case .readOnly: "the server or the transaction is read-only"
        case .accessDenied: "the role lacks a privilege; ask the administrator of the database for it"
        case .unsupported where error.sqlState.hasPrefix("2B"):
            "something that another program has added, such as a view, depends on the table; drop it first"
        case .unsupported: "the server does not support the statement"
        case .limitExceeded where error.exceedsIndex: longForIndex
        case .limitExceeded where error.exceedsPage: largeForPage
        case .limitExceeded: "the statement exceeds a limit of the server"
        case .inputOutput: "the server cannot read or write its files"
        case .noSuchFile: "the schema does not exist; it may have been renamed or dropped"
        case .corruptFile where error.sqlState.hasPrefix("42"): "the schema lacks a table or column of the statement"
        case .corruptFile: "the server reports an internal error"
        case .connectionFailed: "the server ended the connection"
        case .connectionLost: "the server ended the connection; no part of the transaction was written"
        case .outcomeUnknown: lostInCommit
        default: "the server rejected a statement"
        }
    }

    private static var longForIndex: String {
        """
        a value of an attribute with an index is too long, because an index of PostgreSQL holds values of up to about \
        2,700 bytes; shorten the value, or index a shorter projection of it instead
        """
    }

    private static var largeForPage: String {
        """
        a row has too many long values, because PostgreSQL keeps up to 8,160 bytes of each row together, including 18 bytes \
        for each value that it stores elsewhere; move some of the attributes to a related entity
        """
    }

    static var lostInCommit: String {
        "the connection to the server was lost during a commit; check whether the change is there before you repeat it"
    }
}
