internal import CPostgres
internal import TransformableModel

/// The keywords of a connection and their values.
struct ConnectionSettings {
    private var values: [String: String] = [:]

    /// Copies libpq's list, which ends with an option without a keyword.
    @unsafe init(_ options: UnsafePointer<PQconninfoOption>) {
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
    }

    init(_ values: [String: String]) {
        self.values = values
    }

    /// The value of a keyword, if it has one that is not empty.
    subscript(keyword: String) -> String? {
        values[keyword].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The keywords of secrets, the last three of which libpq knows from version 18 on.
    ///
    /// A SCRAM key is as good as the password that it is computed from.
    private static let secrets = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]

    /// The keyword of a secret that has a value, if there is one.
    var secret: String? { Self.secrets.first { self[$0] != nil } }
}

// MARK: - Encryption

extension ConnectionSettings {
    /// Whether each of the connection's servers runs on this machine.
    ///
    /// A server whose address is given is where the address says, whatever its name. In a list, an address may be empty.
    var isLocal: Bool {
        let (names, addresses) = (list("host"), list("hostaddr"))
        return (0..<max(names.count, addresses.count))
            .allSatisfy { index in
                let address = addresses.dropFirst(index).first ?? ""
                return Self.isLocal(address.isEmpty ? names.dropFirst(index).first ?? "" : address)
            }
    }

    /// Returns the entries of a keyword's list, one for each server.
    func list(_ keyword: String) -> [Substring] {
        (self[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }

    /// Returns a Boolean value that indicates whether a host is this machine: a folder with a Unix socket, an abstract
    /// socket, or a loopback address.
    private static func isLocal(_ host: Substring) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
        if ["localhost", "::1"].contains(host.lowercased()) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && numbers.allSatisfy { $0 != nil }
    }

    /// The settings that must be added so that a server on another machine is verified, and its end noticed.
    ///
    /// - Throws: `StoreError` with the code `invalid-address` if a setting asks for less.
    func missing() throws(StoreError) -> [String: String] {
        guard !isLocal else { return [:] }
        return try missingVerification().merging(missingKeepalives) { old, _ in old }
    }

    private func missingVerification() throws(StoreError) -> [String: String] {
        // By default, libpq uses encryption if the server offers it, and accepts any certificate. It would even prefer
        // the encryption of GSSAPI, in which case there is no certificate.
        guard let mode = self["sslmode"], mode != "prefer", mode != "verify-full" else {
            return ["sslmode": "verify-full", "gssencmode": "disable"]
        }
        let rule = "connections to another machine must verify the server (sslmode=verify-full)"
        throw StoreError(
            .invalidAddress,
            "\(rule), and the connection string, the service file, or PGSSLMODE says “sslmode=\(mode)”; remove it"
        )
    }

    /// Without these, the system takes hours to notice that a machine has disappeared.
    private var missingKeepalives: [String: String] {
        let defaults = [
            "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "60000",
        ]
        return defaults.filter { self[$0.key] == nil }
    }
}
