internal import CPostgres
internal import Foundation
internal import TransformableModel

extension PostgresConnection {
    /// Returns a connection that is ready for statements.
    static func open(_ address: PostgresAddress, _ options: PostgresOptions) throws(StoreError) -> OpaquePointer {
        let deadline = ContinuousClock.now + options.connectionTimeout
        var parameters: [(keyword: String, value: String)] = [
            ("fallback_application_name", options.applicationName),
            ("dbname", address.connectionString),
            ("client_encoding", "UTF8"),
        ]
        // Before anything is sent, libpq says what the service file and the environment add to the address.
        let first = try unsafe start(parameters)
        let settings = unsafe settings(of: first)
        let missing: [String: String]
        do {
            missing = try settings.missing()
        } catch {
            unsafe PQfinish(first)
            throw error
        }
        var turns = ServerTurns(settings, before: deadline)
        if missing.isEmpty {
            if let handle = try unsafe finish(first, &turns, options) { return unsafe handle }
        } else {
            unsafe PQfinish(first)
            parameters += missing.map { ($0, $1) }
            if let handle = try unsafe finish(start(parameters), &turns, options) { return unsafe handle }
        }
        while true {
            let handle = try unsafe start(parameters + turns.parameters)
            if let handle = try unsafe finish(handle, &turns, options) { return unsafe handle }
        }
    }

    /// Begins to connect, without sending anything.
    private static func start(_ parameters: [(keyword: String, value: String)]) throws(StoreError) -> OpaquePointer {
        var keywords = unsafe parameters.map { unsafe UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = unsafe parameters.map { unsafe UnsafePointer(strdup($0.value)) } + [nil]
        defer {
            unsafe release(keywords + values)
        }
        guard let handle = unsafe PQconnectStartParams(&keywords, &values, 1) else {
            throw StoreError(.limitExceeded, "there is not enough memory for a connection")
        }
        // By default, libpq prints the server's warnings. Those from now on are received once the connection is made.
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
        // The error of a connection is only a text. Its words depend on the server's language, but not its SQLSTATE.
        unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        return unsafe handle
    }

    private static func release(_ texts: [UnsafePointer<CChar>?]) {
        for index in unsafe texts.indices { unsafe free(UnsafeMutablePointer(mutating: texts[index])) }
    }

    private static func settings(of handle: OpaquePointer) -> ConnectionSettings {
        guard let options = unsafe PQconninfo(handle) else { return ConnectionSettings([:]) }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionSettings(options)
    }

    /// Waits until the connection is made.
    ///
    /// - Returns: The connection, or `nil` if a server did not answer and there are others, which are left in the list.
    private static func finish(
        _ handle: OpaquePointer,
        _ turns: inout ServerTurns,
        _ options: PostgresOptions
    ) throws(StoreError) -> OpaquePointer? {
        var state = unsafe PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            let isWaiting = state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING
            guard isWaiting else {
                defer { unsafe PQfinish(handle) }
                throw unsafe failure(of: handle)
            }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            turns.begin(unsafe server(of: handle))
            guard unsafe wait(for: PQsocket(handle), events, until: turns.end) != 0 else {
                unsafe PQfinish(handle)
                if turns.removeCurrent() { return nil }
                throw StoreError(.connectionFailed, "the server did not answer within \(options.connectionTimeout)")
            }
            state = unsafe PQconnectPoll(handle)
        }
        unsafe PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        return unsafe handle
    }

    private static func server(of handle: OpaquePointer) -> ServerTurns.Current {
        ServerTurns.Current(
            host: unsafe PQhost(handle).map { unsafe String(cString: $0) } ?? "",
            port: unsafe PQport(handle).map { unsafe String(cString: $0) } ?? ""
        )
    }

    /// Returns the error for a connection that was not made.
    private static func failure(of handle: OpaquePointer) -> StoreError {
        if unsafe PQconnectionNeedsPassword(handle) != 0 {
            let remedy = "store it in ~/.pgpass, or in a file that the environment variable PGPASSFILE names"
            return StoreError(.accessDenied, "the server asks for a password; \(remedy)")
        }
        return unsafe failure(String(cString: PQerrorMessage(handle)))
    }

    /// Returns the error for a connection that was not made, which libpq describes with all details.
    static func failure(_ text: String) -> StoreError {
        if text.contains("root certificate file") {
            let remedy = "name the certificate of the authority that signed the server's with “sslrootcert=FILE”"
            return StoreError(
                .connectionFailed,
                "the server cannot be verified; \(remedy), or copy it to ~/.postgresql/root.crt"
            )
        }
        let reason = PostgresServerError.line(
            text.split(separator: "\n").filter { !isPlaceInSource($0) }.joined(separator: "\n")
        )
        return StoreError(
            code(in: text),
            "the server cannot be reached, or does not accept the connection: \(reason)"
        )
    }

    private static func code(in text: String) -> StoreError.Code {
        // A SQLSTATE follows the severity, after two spaces.
        let states = text.split(separator: ":  ").dropFirst().map { $0.prefix { $0 != ":" } }
        if let code = states.compactMap({ codes[$0] }).first { return code }
        // PgBouncer's code for a wrong password is 08P01. Its messages are always in English.
        return text.contains("authentication failed") ? .accessDenied : .connectionFailed
    }

    private static let codes: [Substring: StoreError.Code] = [
        "28000": .accessDenied, "28P01": .accessDenied, "42501": .accessDenied, "53300": .busy, "57P03": .busy,
    ]

    /// Returns a Boolean value that indicates whether a line ends with the name of a file and the number of a line.
    private static func isPlaceInSource(_ line: Substring) -> Bool {
        line.split(separator: ".c:").dropFirst().last?.allSatisfy(\.isNumber) == true
    }

    // The time after which a longer wait begins again, because the system counts milliseconds in 32 bits.
    private static let longestWait = Duration.seconds(86_400)

    /// Waits until a socket is ready, and returns the events that happened: none after the deadline.
    static func wait(for socket: Int32, _ events: Int16, until deadline: ContinuousClock.Instant? = nil) -> Int16 {
        while true {
            let rest = deadline.map { min(max(.zero, $0 - .now), longestWait) }
            // Rounds up, so that the last fraction of a millisecond is not spent in a loop.
            let milliseconds = rest.map { rest in
                rest == .zero ? 0 : Int32(clamping: rest.components.seconds * 1000 + rest.milliseconds + 1)
            }
            var descriptor = pollfd(fd: socket, events: events, revents: 0)
            let count = unsafe poll(&descriptor, 1, milliseconds ?? -1)
            if count > 0 || count < 0 && errno != EINTR { return count > 0 ? descriptor.revents : events }
            if let deadline, count == 0, deadline <= .now { return 0 }
        }
    }
}

extension Duration {
    /// The whole milliseconds beyond the last whole second.
    fileprivate var milliseconds: Int64 { components.attoseconds / 1_000_000_000_000_000 }
}
