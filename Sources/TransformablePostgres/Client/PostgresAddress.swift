internal import CPostgres
public import TransformableModel

/// The address of a PostgreSQL database, as a connection string that follows the conventions of libpq.
///
/// An address is a list of keywords or a URI. The prefix `postgres:` distinguishes a list of keywords from the path of
/// a file.
///
/// ```swift
/// let byService = try PostgresAddress("postgres:service=clinic")
/// let byKeywords = try PostgresAddress("postgres:host=/run/postgresql dbname=clinic")
/// let byURI = try PostgresAddress("postgres://reader@db.example.org/clinic")
/// ```
///
/// What an address leaves out is taken from the service file, from the environment variables of libpq, such as
/// `PGHOST`, and from its defaults. An address never contains a password, because arguments are visible to other
/// users of the machine: put it into the password file, `~/.pgpass` or the file that `PGPASSFILE` names.
///
/// A connection to another machine is encrypted, and the server's certificate is verified (`sslmode=verify-full`).
/// The authority that signed it must be in `~/.postgresql/root.crt`, or in the file that `sslrootcert` names.
public struct PostgresAddress: Sendable, Hashable {
    /// The connection string, without the prefix `postgres:` of a list of keywords.
    public let connectionString: String

    /// Creates an address from a connection string.
    ///
    /// - Parameter text: A list of keywords, with or without the prefix `postgres:`, or a URI whose scheme is
    ///   `postgres` or `postgresql`.
    /// - Throws: `StoreError` with the code `invalid-address` if the string does not follow libpq's conventions or
    ///   contains a password.
    public init(_ text: String) throws(StoreError) {
        let isList = text.hasPrefix(Self.prefix) && !text.hasPrefix(Self.prefix + "//")
        connectionString = isList ? String(text.dropFirst(Self.prefix.count)) : text
        try check()
    }

    /// Returns a Boolean value that indicates whether a string is the address of a database rather than the path of
    /// a file.
    public static func isAddress(_ text: String) -> Bool {
        text.hasPrefix(prefix) || text.hasPrefix("postgresql://")
    }

    private static let prefix = "postgres:"

    private func check() throws(StoreError) {
        // libpq reads a C string, which ends at a NUL.
        guard !connectionString.utf8.contains(0) else { throw .invalidAddress(reason: nil) }
        var message: UnsafeMutablePointer<CChar>?
        let parsed = unsafe PQconninfoParse(connectionString, &message)
        defer {
            unsafe PQconninfoFree(parsed)
            unsafe PQfreemem(message)
        }
        guard let options = unsafe parsed else {
            throw unsafe .invalidAddress(reason: message.map { unsafe String(cString: $0) })
        }
        if let secret = unsafe ConnectionSettings(options).secret { throw .secretInAddress(secret) }
    }
}

extension PostgresAddress: CustomStringConvertible {
    /// The connection string, with the prefix that distinguishes it from a path.
    public var description: String {
        Self.isAddress(connectionString) ? connectionString : Self.prefix + connectionString
    }
}

extension StoreError {
    /// Creates the error for a connection string that libpq cannot read.
    ///
    /// libpq's messages quote parts of the string, which may be a password. Only the name of an unknown keyword is shown.
    fileprivate static func invalidAddress(reason: String?) -> Self {
        let unknown = ["invalid connection option ", "invalid URI query parameter: "]
            .first {
                reason?.hasPrefix($0) == true
            }
        let name = unknown.flatMap { prefix in
            reason?.dropFirst(prefix.count).split(separator: "\"").first.map { ": “\($0)” is not a keyword of libpq" }
        }
        let forms = "“postgres:service=clinic”, “postgres:host=… dbname=…”, or “postgres://user@host/database”"
        return Self(.invalidAddress, "the connection string is invalid\(name ?? ""); write \(forms)")
    }

    fileprivate static func secretInAddress(_ keyword: String) -> Self {
        let rule = "a connection string must not contain"
        switch keyword {
        case "password":
            let remedy = "store it in ~/.pgpass, or in a file that the environment variable PGPASSFILE names"
            return Self(.invalidAddress, "\(rule) a password; \(remedy)")
        case "sslpassword":
            let remedy = "use a client key without one, and keep its file private"
            return Self(.invalidAddress, "\(rule) the password of a key; \(remedy)")
        default:
            let remedy = "write it into the service file, and keep that file private"
            return Self(.invalidAddress, "\(rule) a secret such as “\(keyword)”; \(remedy)")
        }
    }
}
