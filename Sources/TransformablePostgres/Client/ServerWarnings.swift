internal import CPostgres

/// What the server warned of before an error.
///
/// If a worker of Citus rejects a commit, the coordinator says why in a warning, and then reports an internal error.
final class ServerWarnings {
    /// The first warning since the last error that is about something other than the warning itself.
    private var cause: PostgresServerError?

    /// Receives the warnings of a connection from now on.
    ///
    /// The caller keeps this object for as long as the connection is open. By default, libpq prints warnings.
    @unsafe func receive(from handle: OpaquePointer) {
        let receiver: PQnoticeReceiver = { warnings, result in
            guard let warnings = unsafe warnings, let result = unsafe result else { return }
            unsafe Unmanaged<ServerWarnings>.fromOpaque(warnings).takeUnretainedValue().add(ErrorFields(result))
        }
        _ = unsafe PQsetNoticeReceiver(handle, receiver, Unmanaged.passUnretained(self).toOpaque())
    }

    private func add(_ fields: ErrorFields) {
        let warning = PostgresServerError(fields)
        // Classes 00 and 01 are those of notices and mere warnings.
        guard cause == nil, !["", "00", "01"].contains(warning.sqlState.prefix(2)) else { return }
        cause = warning
    }

    /// Forgets the warnings of earlier statements.
    func forget() {
        cause = nil
    }

    /// Returns the warning that says why an internal error happened, or the error itself.
    func explanation(of error: PostgresServerError) -> PostgresServerError {
        defer { cause = nil }
        return error.sqlState == "XX000" ? cause ?? error : error
    }
}

@available(*, unavailable)
extension ServerWarnings: Sendable {}
