import Testing

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

    @Test func addsVerificationForAnotherMachine() throws {
        let missing = try ConnectionSettings(["host": "db", "sslmode": "prefer", "tcp_user_timeout": "5"]).missing()
        #expect(missing["sslmode"] == "verify-full")
        #expect(missing["gssencmode"] == "disable")
        #expect(missing["tcp_user_timeout"] == nil)
        #expect(missing["keepalives_idle"] != nil)
    }

    @Test func addsNothingForAServerOnThisMachine() throws {
        #expect(try ConnectionSettings(["host": "localhost", "sslmode": "prefer"]).missing() == [:])
    }
}
