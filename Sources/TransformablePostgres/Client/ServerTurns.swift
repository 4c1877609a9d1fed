/// The servers that a connection may be made to, each of which gets a share of the time.
///
/// libpq turns to the next server if one refuses the connection, but not if one does not answer at all. It chooses their
/// order, so a server is found by its name.
struct ServerTurns {
    /// An entry of the lists of an address, each of which may be missing from it.
    private struct Server {
        let host: String?
        let address: String?
        let port: String?
    }

    /// The server that libpq is connecting to.
    struct Current: Equatable {
        let host: String
        let port: String
    }

    private var servers: [Server] = []
    // Whether each server has a port of its own.
    private let hasPorts: Bool
    // The most time that each server has, or `nil` if that is not stated.
    private let timeout: Duration?
    private let deadline: ContinuousClock.Instant
    private var current: Current?
    private var turnCount = 0
    /// When the turn of the current server ends.
    private(set) var end: ContinuousClock.Instant

    init(_ settings: ConnectionSettings, before deadline: ContinuousClock.Instant) {
        let lists = ["host", "hostaddr", "port"]
            .map { settings[$0] == nil ? [] : settings.list($0).map(String.init) }
        let (hosts, addresses, ports) = (lists[0], lists[1], lists[2])
        hasPorts = ports.count > 1
        timeout = settings["connect_timeout"].flatMap { Int64($0) }.flatMap { $0 > 0 ? .seconds($0) : nil }
        self.deadline = deadline
        end = deadline
        // A list with an empty entry could become empty, and would then stand for what the environment says.
        guard !(hosts + addresses + ports).contains("") else { return }
        for index in 0..<max(hosts.count, addresses.count) {
            let (host, address) = (hosts.dropFirst(index).first, addresses.dropFirst(index).first)
            servers.append(Server(host: host, address: address, port: ports.dropFirst(index).first))
        }
    }

    /// The keywords that limit a connection to the servers that are left.
    var parameters: [(keyword: String, value: String)] {
        let lists = [
            ("host", servers.map(\.host)), ("hostaddr", servers.map(\.address)),
            ("port", hasPorts ? servers.map(\.port) : []),
        ]
        return lists.compactMap { keyword, entries in
            let entries = entries.compactMap(\.self)
            return entries.isEmpty ? nil : (keyword: keyword, value: entries.joined(separator: ","))
        }
    }

    /// Begins the turn of a server, unless it is the one that had the turn before.
    mutating func begin(_ server: Current) {
        guard server != current else { return }
        current = server
        let others = max(servers.count - turnCount, 1)
        turnCount += 1
        let rest = ContinuousClock.now.duration(to: deadline)
        end = others > 1 ? .now + min(rest / others, timeout ?? rest) : deadline
    }

    /// Removes the current server, which does not answer.
    ///
    /// - Returns: `false` if there is no other one, or if the time is over.
    mutating func removeCurrent() -> Bool {
        guard servers.count > 1, let current, ContinuousClock.now < deadline else { return false }
        let index = servers.firstIndex { server in
            server.host ?? server.address == current.host && (!hasPorts || server.port == current.port)
        }
        guard let index else { return false }
        servers.remove(at: index)
        (self.current, turnCount) = (nil, 0)
        return true
    }
}
