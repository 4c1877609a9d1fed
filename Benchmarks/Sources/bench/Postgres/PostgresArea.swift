import Foundation
import _PostgresServer

extension Area {
    /// The store in PostgreSQL compared with plain C on libpq, and with SQLAlchemy.
    ///
    /// There are no scenarios where PostgreSQL is not installed. The server has its own processes, so the figures of
    /// `--processor-time` are those of the clients.
    static var postgres: Area {
        Area(
            name: "postgres",
            scenarios: PostgresServer.programs == nil
                ? []
                : [
                    Scenario("insert 200,000 rows of a name, a rect and a sealed text", maximumRounds: 5) {
                        try writers(of: 200_000)
                    },
                    Scenario("fetch 200,000 rows of a name, a rect and a sealed text", maximumRounds: 5) {
                        try readers(of: 200_000)
                    },
                    Scenario("change 1,000 of 10,000 objects and save") { try changes() },
                    Scenario("the same over a link of 5 ms", maximumRounds: 5) {
                        try delayed { store in { try store.change(1000) } }
                    },
                    Scenario("save 1,000 changed objects of a context over a link of 5 ms", maximumRounds: 5) {
                        try delayed { try $0.edit(1000) }
                    },
                ],
            footprints: PostgresServer.programs == nil
                ? []
                : [
                    Footprint("insert 1,000,000 rows") { try footprint(ofReading: false) },
                    Footprint("fetch 1,000,000 rows") { try footprint(ofReading: true) },
                ]
        )
    }

    // Each round adds rows to the tables.
    private static func writers(of count: Int64) throws -> [Contender] {
        try checkAll(of: 100)
        let server = try PostgresServer()
        let store = try PostgresPatients(on: server)
        let plain = try LibpqPatients(on: server, store.attribute)
        let peer = try SQLAlchemyPeer(on: server)
        return [
            Contender("Store, insert(many:)") { try store.writeOnAllCores(count) },
            Contender("Store, object by object") { try store.write(count) },
            Contender("C on libpq, COPY") { try plain.write(count) },
        ] + [peer?.contender("insert", count)].compactMap(\.self)
    }

    private static func readers(of count: Int64) throws -> [Contender] {
        let server = try PostgresServer()
        let store = try PostgresPatients(on: server)
        let plain = try LibpqPatients(on: server, store.attribute)
        try store.writeOnAllCores(count)
        try plain.write(count)
        try Disagreement.unless(try store.sum() == plain.sum(), "the store's rows")
        let peer = try SQLAlchemyPeer(on: server)
        try peer?.contender("insert", count).work()
        return [
            Contender("Store") { consume(try store.sum()) },
            Contender("C on libpq") { consume(try plain.sum()) },
        ] + [peer?.contender("fetch", count)].compactMap(\.self)
    }

    private static func changes() throws -> [Contender] {
        let server = try PostgresServer()
        let store = try PostgresPatients(on: server)
        try store.writeOnAllCores(10_000)
        return [Contender("Store") { try store.change(1000) }]
    }

    // One round trip over the link takes 5 ms.
    private static func delayed(_ work: (PostgresPatients) throws -> () throws -> Void) throws -> [Contender] {
        let server = try PostgresServer()
        let link = try DelayedLink(to: server, 2.5)
        let store = try PostgresPatients(at: link.address)
        try store.writeOnAllCores(10_000)
        let work = try work(store)
        return [Contender("Store") { try withExtendedLifetime(link, work) }]
    }

    /// The memory that inserting or fetching takes, compared with the bytes of the rows in PostgreSQL.
    private static func footprint(ofReading isReading: Bool) throws -> Footprint.Bytes {
        let server = try PostgresServer()
        let store = try PostgresPatients(on: server)
        if isReading { try store.writeOnAllCores(1_000_000) } else { try store.writeOnAllCores(100) }
        let gauge = try MemoryGauge()
        if isReading { consume(try store.sum()) } else { try store.writeOnAllCores(1_000_000) }
        return Footprint.Bytes(peak: try gauge.peak(), size: 1_000_000 * rowSize)
    }

    /// The average size of a row: two numbers, a name of about 14 bytes, a rect of 40, and a sealed text of 120.
    private static let rowSize = 2 * 8 + 14 + 40 + 120

    /// All read back the same values, and the plain C program can read our store.
    private static func checkAll(of count: Int64) throws {
        let server = try PostgresServer()
        let store = try PostgresPatients(on: server)
        let plain = try LibpqPatients(on: server, store.attribute)
        try store.writeOnAllCores(count)
        try plain.write(count)
        let sum = try plain.sum()
        try Disagreement.unless(try store.sum() == sum, "the store's rows")
        try Disagreement.unless(try plain.sum(of: store.table) == sum, "the store's rows as C reads them")
        guard let peer = try SQLAlchemyPeer(on: server) else { return }
        try peer.contender("insert", count).work()
        try Disagreement.unless(try peer.sum() == sum, "the rows of SQLAlchemy")
    }
}
