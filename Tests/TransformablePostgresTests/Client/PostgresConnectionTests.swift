import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import _PostgresServer

@Suite(.needsPostgres) struct PostgresConnectionTests {
    @Test func runsStatementsInOneRoundTripEach() throws {
        let connection = try PostgresServer.connect()
        try connection.run(
            script: "CREATE TEMP TABLE t (id int8 PRIMARY KEY, name text); INSERT INTO t VALUES (0, 'zero')"
        )
        #expect(connection.roundTrips == 1)
        let insert = PostgresStatement("INSERT INTO t VALUES ($1, $2)", .int8, .text)
        #expect(try connection.execute(insert, [.int8(1), .text("one")]) == 1)
        #expect(try connection.execute(insert, [.int8(2), .null]) == 1)
        #expect(connection.roundTrips == 3)
        let names = try connection.rows(PostgresStatement("SELECT name FROM t ORDER BY id")) { row in
            try row.valueIfPresent(0, as: String.self)
        }
        #expect(names == ["zero", "one", nil])
        #expect(connection.roundTrips == 4)
    }

    @Test func pipelinesAThousandStatementsInOneRoundTrip() throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (id int8 PRIMARY KEY, value bytea)")
        let insert = PostgresStatement("INSERT INTO t VALUES ($1, $2)", .int8, .bytea)
        let counts = try connection.pipeline { pipeline in
            // Larger than the buffers of the socket in both directions.
            for id in 0..<1000 { try pipeline.add(insert, [.int8(Int64(id)), .bytea(Data(count: 5000))]) }
        }
        #expect(counts == Array(repeating: 1, count: 1000))
        #expect(connection.roundTrips == 2)
        let sizes = try connection.rows(PostgresStatement("SELECT length(value) FROM t")) {
            try $0.value(0, as: Int32.self)
        }
        #expect(sizes == Array(repeating: 5000, count: 1000))
    }

    @Test func readsTheRowsOfSeveralStatementsOfAPipeline() throws {
        let connection = try PostgresServer.connect()
        let series = PostgresStatement("SELECT generate_series(1, $1)", .int8)
        var sums: [Int64] = [0, 0]
        let counts = try connection.pipeline { pipeline in
            try pipeline.add(series, [.int8(10)]) { sums[0] += try $0.value(0, as: Int64.self) }
            try pipeline.add(series, [.int8(100_000)]) { sums[1] += try $0.value(0, as: Int64.self) }
        }
        #expect(counts == [10, 100_000])
        #expect(sums == [55, 5_000_050_000])
        #expect(connection.roundTrips == 1)
    }

    @Test func runsNothingOfAPipelineThatFails() throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (id int8 PRIMARY KEY)")
        let insert = PostgresStatement("INSERT INTO t VALUES ($1)", .int8)
        let error = try #require(throws: StoreError.self) {
            _ = try connection.pipeline { pipeline in
                for id in [1, 2, 1, 3] as [Int64] { try pipeline.add(insert, [.int8(id)]) }
            }
        }
        #expect(error.code == .notUnique)
        #expect(error.entity == "t")
        #expect(error.postgresError?.constraint == "t_pkey")
        #expect(try count(in: "t", connection) == 0)
        #expect(try connection.execute(insert, [.int8(1)]) == 1)
    }

    @Test func runsNoStatementOfAnAbandonedPipeline() throws {
        struct Stop: Error {}
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (id int8 PRIMARY KEY)")
        #expect(throws: Stop.self) {
            _ = try connection.pipeline { pipeline in
                try pipeline.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                throw Stop()
            }
        }
        #expect(try count(in: "t", connection) == 0)
    }

    @Test(arguments: 0..<4)
    func refusesAStatementWhileAnotherOneIsRead(place: Int) throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (id int8)")
        let nested = { _ = try connection.execute(PostgresStatement("SELECT 2")) }
        let error = try #require(throws: StoreError.self) {
            switch place {
            case 0: try connection.query(PostgresStatement("SELECT 1")) { _ in try nested() }
            case 1: _ = try connection.pipeline { _ in try nested() }
            case 2: try connection.copyOut("COPY (SELECT 1) TO STDOUT (FORMAT binary)") { _ in try nested() }
            default:
                try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { _ in
                    try connection.transaction(.snapshot, nested)
                }
            }
        }
        #expect(error.code == .misuse)
        #expect(connection.isUsable)
    }

    @Test func staysUsableAfterAHandlerThrows() throws {
        struct Stop: Error {}
        let connection = try PostgresServer.connect()
        #expect(throws: Stop.self) {
            try connection.query(PostgresStatement("SELECT generate_series(1, 100000)")) { _ in throw Stop() }
        }
        #expect(connection.isUsable)
        #expect(try count(in: "generate_series(1, 3)", connection) == 3)
    }

    @Test(arguments: [
        ("INSERT INTO t (id) VALUES (1), (1)", StoreError.Code.notUnique),
        ("INSERT INTO t (id) VALUES (NULL)", .missingValue),
        ("INSERT INTO t (id, parent) VALUES (1, 5)", .danglingReference),
        ("INSERT INTO t (id, small) VALUES (1, -1)", .invalidValue),
        ("SELECT 'secret'::int8", .invalidValue),
        ("SELECT 1/0", .invalidValue),
        ("SELECT * FROM missing", .corruptFile),
        ("SELECT missing FROM t", .corruptFile),
        ("SELECT * FROM missing.t", .corruptFile),
        ("LOCK TABLE missing.t", .noSuchFile),
        ("SELEC", .statementFailed),
        ("SELECT pg_terminate_backend(pg_backend_pid())", .connectionLost),
        ("DO $$ BEGIN RAISE 'secret'; END $$", .statementFailed),
        ("DO $$ BEGIN RAISE 'x' USING ERRCODE = '40001'; END $$", .transactionConflict),
        ("DO $$ BEGIN RAISE 'x' USING ERRCODE = '40P01'; END $$", .transactionConflict),
        ("DO $$ BEGIN RAISE 'x' USING ERRCODE = '55P03'; END $$", .busy),
        ("DO $$ BEGIN RAISE 'x' USING ERRCODE = '53100'; END $$", .diskFull),
        ("DO $$ BEGIN RAISE 'x' USING ERRCODE = '42501'; END $$", .accessDenied),
        ("DO $$ BEGIN RAISE 'x' USING ERRCODE = 'XX001'; END $$", .corruptFile),
    ])
    func mapsErrorsOfTheServer(sql: String, code: StoreError.Code) throws {
        let connection = try PostgresServer.connect()
        try connection.run(
            script: "CREATE TEMP TABLE t (id int8 PRIMARY KEY, parent int8 REFERENCES t, small int8 CHECK (small > 0))"
        )
        let error = try #require(throws: StoreError.self) {
            try connection.transaction { try connection.execute(PostgresStatement(sql)) }
        }
        #expect(error.code == code)
        #expect(!error.description.contains("secret"))
        #expect(error.isRetryable == (code == .transactionConflict))
        #expect(connection.isUsable == (code != .connectionLost))
    }

    @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "COPY t FROM STDIN"])
    func closesTheConnectionAfterACopyThatIsRunAsAStatement(sql: String) throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (id int8)")
        let error = try #require(throws: StoreError.self) { try connection.execute(PostgresStatement(sql)) }
        #expect(error.code == .misuse)
        #expect(!connection.isUsable)
    }

    @Test func cancelsAStatementFromAnotherThread() throws {
        let connection = try PostgresServer.connect()
        let canceler = try #require(connection.canceler())
        let process = connection.process
        let thread = Thread {
            guard let other = try? PostgresServer.connect() else { return }
            let isRunning = PostgresStatement(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'",
                .int4
            )
            while (try? other.rows(isRunning, [.int4(process)]) { try $0.value(0, as: Int64.self) }) == [0] {}
            try? canceler.cancel()
        }
        thread.start()
        let error = try #require(throws: StoreError.self) {
            try connection.execute(PostgresStatement("SELECT pg_sleep(60)"))
        }
        #expect(error.code == .canceled)
        #expect(connection.isUsable)
    }

    @Test func waitsAsLongAsItIsAskedTo() throws {
        var options = PostgresOptions()
        options.connectionTimeout = .seconds(Int64.max)
        let connection = try PostgresServer.connect(options: options)
        #expect(connection.isUsable)
    }

    /// A server may send any number of messages that nobody asks for.
    @Test func discardsMessagesUnlessItListens() throws {
        let channel = "channel-\(UUID())"
        let (other, listener) = (try PostgresServer.connect(), try PostgresServer.connect())
        try other.execute(PostgresStatement("LISTEN \(channel.quotedIdentifier)"))
        try listener.listen(to: channel)
        try PostgresServer.connect().notify(channel)
        // The message arrives with the end of the first answer at the latest.
        for connection in [other, listener] {
            for _ in 0..<2 { try connection.execute(PostgresStatement("SELECT 1")) }
        }
        #expect(try other.notifications(until: .now).isEmpty)
        #expect(try listener.notifications(until: .now).count == 1)
    }

    @Test func preparesAgainWhatChangedTablesMadeStale() throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (id int8)")
        let select = PostgresStatement("SELECT * FROM t")
        try connection.query(select) { _ in }
        try connection.run(script: "ALTER TABLE t ADD name text; INSERT INTO t VALUES (1, 'one')")
        let error = try #require(throws: StoreError.self) { try connection.query(select) { _ in } }
        #expect(error.isRetryable)
        #expect(try connection.rows(select) { try $0.value(1, as: String.self) } == ["one"])
    }

    @Test func limitsTheNumberOfPreparedStatements() throws {
        let connection = try PostgresServer.connect()
        for number in 0..<300 { try connection.execute(PostgresStatement("SELECT \(number)")) }
        #expect(try count(in: "pg_prepared_statements", connection) <= 256)
        #expect(connection.roundTrips == 301)
    }

    /// The bytes of the second value are never touched, so they take no memory.
    @Test func refusesAStatementWithMoreThanAGigabyte() throws {
        let connection = try PostgresServer.connect()
        let select = PostgresStatement("SELECT length($1), length($2)", .bytea, .bytea)
        let error = try #require(throws: StoreError.self) {
            try connection.execute(select, [.bytea(Data(count: 2_000_000)), .bytea(Data(count: 1_073_000_000))])
        }
        #expect(error.code == .limitExceeded)
        #expect(try connection.execute(select, [.bytea(Data()), .bytea(Data())]) == 1)
    }

    @Test func namesPreparedStatementsDifferentlyInEachConnection() throws {
        let select = PostgresStatement("SELECT name FROM pg_prepared_statements")
        let names = try [PostgresServer.connect(), PostgresServer.connect()]
            .map { connection in
                try connection.rows(select) { try $0.value(0, as: String.self) }
            }
        #expect(names.map(\.count) == [1, 1])
        #expect(names[0] != names[1])
    }

    @Test func preparesStatementsIfItDetectsNoPooler() throws {
        var options = PostgresOptions()
        options.detectsTransactionPooling = true
        let connection = try PostgresServer.connect(options: options)
        #expect(try count(in: "pg_prepared_statements", connection) == 1)
    }

    @Test func preparesNothingWhereTransactionsGetDifferentConnections() throws {
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        let connection = try PostgresServer.connect(options: options)
        #expect(try count(in: "pg_prepared_statements", connection) == 0)
        let doubled = try connection.rows(PostgresStatement("SELECT $1 * 2", .int8), [.int8(21)]) {
            try $0.value(0, as: Int64.self)
        }
        #expect(doubled == [42])
    }

    @Test func failsWhereNoServerListens() throws {
        let address = try PostgresAddress("postgres:host=/nonexistent dbname=clinic")
        let error = try #require(throws: StoreError.self) { try PostgresConnection(address) }
        #expect(error.code == .connectionFailed)
    }

    @Test func failsForAnUnknownDatabase() throws {
        let folder = try PostgresServer.shared.get().folder.path
        let address = try PostgresAddress("postgres:host=\(folder) user=tester dbname=missing")
        let error = try #require(throws: StoreError.self) { try PostgresConnection(address) }
        #expect(error.code == .connectionFailed)
        #expect(error.description.contains("missing"))
    }

    @Test(arguments: ["missing", "guest"]) func failsForARoleThatCannotLogIn(name: String) throws {
        let folder = try PostgresServer.shared.get().folder.path
        if name == "guest" { try PostgresServer.connect().run(script: "CREATE ROLE guest NOLOGIN") }
        let address = try PostgresAddress("postgres:host=\(folder) user=\(name) dbname=postgres")
        let error = try #require(throws: StoreError.self) { try PostgresConnection(address) }
        #expect(error.code == .accessDenied)
        #expect(error.description.contains(name))
    }

    @Test(arguments: ["require", "disable", "allow", "verify-ca"])
    func refusesAWeakerModeForAnotherMachine(mode: String) throws {
        // An address that RFC 5737 reserves for documentation. Nothing answers there.
        let address = try PostgresAddress("postgres:host=192.0.2.1 sslmode=\(mode)")
        let error = try #require(throws: StoreError.self) { try PostgresConnection(address) }
        #expect(error.code == .invalidAddress)
        #expect(error.description.contains("sslmode=\(mode)"))
    }

    @Test func stopsWaitingForAServerThatDoesNotAnswer() throws {
        var options = PostgresOptions()
        options.connectionTimeout = .milliseconds(200)
        let listener = try SilentListener()
        let address = try PostgresAddress("postgres:host=127.0.0.1 port=\(listener.port)")
        let error = try #require(throws: StoreError.self) { try PostgresConnection(address, options: options) }
        #expect(error.code == .connectionFailed)
        #expect(error.description.contains("did not answer"))
    }

    @Test(arguments: ["any", "read-write", "prefer-standby"])
    func turnsToTheNextServerIfOneDoesNotAnswer(attributes: String) throws {
        var options = PostgresOptions()
        options.connectionTimeout = .seconds(3)
        let listener = try SilentListener()
        let folder = try PostgresServer.shared.get().folder.path
        let address = try PostgresAddress(
            """
            postgres:host=\(folder),127.0.0.1,\(folder) port=1,\(listener.port),5432 user=tester dbname=postgres \
            sslmode=disable target_session_attrs=\(attributes)
            """
        )
        let connection = try PostgresConnection(address, options: options)
        #expect(try count(in: "generate_series(1, 3)", connection) == 3)
    }

    @Test func stopsWaitingIfNoServerAnswers() throws {
        var options = PostgresOptions()
        options.connectionTimeout = .milliseconds(300)
        let (first, second) = (try SilentListener(), try SilentListener())
        let address = try PostgresAddress(
            "postgres:host=127.0.0.1,127.0.0.1 port=\(first.port),\(second.port) sslmode=disable"
        )
        let duration = try ContinuousClock()
            .measure {
                let error = try #require(throws: StoreError.self) { try PostgresConnection(address, options: options) }
                #expect(error.description.contains("did not answer"))
            }
        #expect(duration >= .milliseconds(300))
    }

    @Test func receivesNotifications() throws {
        let listener = try PostgresServer.connect()
        let sender = try PostgresServer.connect()
        try listener.listen(to: "a \"channel\"")
        #expect(try listener.notifications(until: .now) == [])
        try sender.transaction {
            try sender.notify("a \"channel\"", payload: "first")
            try sender.notify("a \"channel\"", payload: "zweite ✓")
        }
        let messages = try listener.notifications(until: .now + .seconds(10))
        #expect(messages.map(\.payload) == ["first", "zweite ✓"])
        #expect(messages.first?.process == sender.process)
    }

    private func count(in source: String, _ connection: PostgresConnection) throws -> Int64 {
        try connection.rows(PostgresStatement("SELECT count(*) FROM \(source)")) { try $0.value(0, as: Int64.self) }[0]
    }
}

/// A server that accepts connections and says nothing.
private final class SilentListener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try MutatingProxy.listen(descriptor)
    }

    deinit {
        close(descriptor)
    }
}

extension PostgresConnection {
    /// Sends a message to everyone who listens to a channel, when the transaction is committed.
    fileprivate func notify(_ channel: String, payload: String = "") throws {
        let statement = PostgresStatement("SELECT pg_notify($1, $2)", .text, .text)
        try execute(statement, [.text(channel), .text(payload)])
    }
}
