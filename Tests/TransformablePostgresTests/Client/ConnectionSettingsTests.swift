import Testing
import TransformableModel

// The settings are checked before a connection to another machine is made, which tests cannot do.
@testable import TransformablePostgres

@Suite struct ConnectionSettingsTests {
    @Test(
        arguments: [
            ([:], true), (["host": "/run/postgresql"], true), (["host": "@abstract"], true),
            (["host": "localhost"], true),
            (["host": "127.0.0.1,::1"], true), (["host": "127.255.0.9"], true), (["host": "db.example.org"], false),
            (["host": "localhost", "hostaddr": "192.0.2.1"], false), (["host": "db", "hostaddr": "127.0.0.1"], true),
            (["host": "localhost,db.example.org"], false), (["host": "127.0.0.1.example.org"], false),
            (["host": "127.1"], false), (["host": "a,b", "hostaddr": "127.0.0.1,::1"], true),
            (["host": "localhost,db.example.org", "hostaddr": "127.0.0.1,"], false),
            (["host": "db.example.org,localhost", "hostaddr": "127.0.0.1,"], true),
            (["host": "localhost,localhost", "hostaddr": ",192.0.2.1"], false), (["hostaddr": "127.0.0.1,"], true),
            (["host": "localhost.example.org"], false),
        ] as [([String: String], Bool)]
    )
    func tellsLocalServersFromOthers(values: [String: String], isLocal: Bool) {
        #expect(ConnectionSettings(values).isLocal == isLocal)
    }

    /// The versions of libpq that some tests run with do not know the last three.
    @Test(arguments: ["password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"])
    func findsSecrets(keyword: String) {
        #expect(ConnectionSettings(["host": "db", keyword: "abc"]).secret == keyword)
        #expect(ConnectionSettings(["host": "db", keyword: ""]).secret == nil)
    }

    @Test(arguments: ["", "prefer", "verify-full"]) func addsVerificationForAnotherMachine(mode: String) throws {
        let missing = try ConnectionSettings(["host": "db", "sslmode": mode, "tcp_user_timeout": "5"]).missing()
        #expect(missing["sslmode"] == "verify-full")
        #expect(missing["gssencmode"] == "disable")
        #expect(missing["tcp_user_timeout"] == nil)
        #expect(missing["keepalives_idle"] != nil)
    }

    @Test(
        arguments: [
            (["host": "a,b"], "a", "5432", ["host=b"]), (["host": "a,b,c", "port": "5432"], "b", "5432", ["host=a,c"]),
            (["host": "a,a,b", "port": "1,2,3"], "a", "2", ["host=a,b", "port=1,3"]),
            (["hostaddr": "192.0.2.1,192.0.2.2"], "192.0.2.1", "5432", ["hostaddr=192.0.2.2"]),
            (["host": "a,b", "hostaddr": "192.0.2.1,192.0.2.2"], "b", "5432", ["host=a", "hostaddr=192.0.2.1"]),
        ] as [([String: String], String, String, [String])]
    )
    func leavesOutAServerThatDoesNotAnswer(values: [String: String], host: String, port: String, rest: [String]) {
        var turns = ServerTurns(ConnectionSettings(values), before: .now + .seconds(60))
        turns.begin(ServerTurns.Current(host: host, port: port))
        #expect(turns.end < .now + .seconds(31))
        let isRemoved = turns.removeCurrent()
        #expect(isRemoved)
        #expect(turns.parameters.map { "\($0.keyword)=\($0.value)" } == rest)
    }

    @Test(
        arguments: [
            [:], ["host": "a"], ["host": "a,"], ["host": "a,b", "port": "1,"],
            ["host": "a,b", "hostaddr": ",192.0.2.1"],
        ] as [[String: String]]
    )
    func leavesASingleServerAllTheTime(values: [String: String]) {
        let deadline = ContinuousClock.now + .seconds(60)
        var turns = ServerTurns(ConnectionSettings(values), before: deadline)
        turns.begin(ServerTurns.Current(host: "a", port: "5432"))
        #expect(turns.end == deadline)
        let isRemoved = turns.removeCurrent()
        #expect(!isRemoved)
    }

    @Test func heedsTheTimeoutOfEachServer() {
        let settings = ConnectionSettings(["host": "a,b", "connect_timeout": "2"])
        var turns = ServerTurns(settings, before: .now + .seconds(60))
        turns.begin(ServerTurns.Current(host: "a", port: "5432"))
        #expect(turns.end < .now + .seconds(3))
    }

    /// The words are the server's, and the label of the last line is libpq's.
    @Test(
        arguments: [
            ("28000: Rolle »x« existiert nicht", .accessDenied),
            ("28P01: Passwort-Authentifizierung für Benutzer »x« fehlgeschlagen", .accessDenied),
            ("42501: keine Berechtigung für Datenbank »x«", .accessDenied),
            ("53300: tut mir leid, schon zu viele Verbindungen", .busy),
            ("57P03: das Datenbanksystem startet", .busy), ("08P01: password authentication failed", .accessDenied),
            ("3D000: Datenbank »x« existiert nicht", .connectionFailed),
        ] as [(String, StoreError.Code)]
    )
    func understandsErrorsInAnyLanguage(error: String, code: StoreError.Code) {
        let text = "Verbindung zum Server auf »db«, Port 28000 fehlgeschlagen: FATAL:  \(error)"
        let failure = PostgresConnection.failure(text + "\nORT:  InitPostgres, postinit.c:948\n")
        #expect(failure.code == code)
        #expect(failure.message.hasSuffix("FATAL: \(error)"))
    }

    @Test func addsNothingForAServerOnThisMachine() throws {
        #expect(try ConnectionSettings(["host": "localhost", "sslmode": "prefer"]).missing() == [:])
    }
}
