import CPeers
import Foundation
import GRDB

extension Area {
    /// The store compared with plain C on SQLite, and with GRDB records.
    static var store: Area {
        Area(
            name: "store",
            scenarios: [
                Scenario("write 200,000 rows of a name, a rect and a sealed text", maximumRounds: 5) {
                    try writers(of: 200_000)
                },
                Scenario("read 200,000 rows of a name, a rect and a sealed text", maximumRounds: 5) {
                    try readers(of: 200_000)
                },
                Scenario("read the names of 200,000 such rows", maximumRounds: 5) {
                    try nameReaders(of: 200_000)
                },
                Scenario("fetch 200,000 objects and read all of six attributes", maximumRounds: 5) {
                    try faces(of: 200_000)
                },
                Scenario("open a store of a million rows") {
                    let store = try LargeStore()
                    return [
                        Contender("Store") { try store.open() },
                        Contender("GRDB, and its schema read") { try store.openPlain() },
                    ]
                },
                Scenario("find one of a million rows by its sealed text") {
                    let store = try LargeStore()
                    return [
                        Contender("blind index") { consume(try store.find(765_432)) },
                        Contender("GRDB on an indexed column") { consume(try store.findPlain(765_432)) },
                    ]
                },
            ] + RelatedObjects.scenarios + StoreGrowth.scenarios + TenantBlocks.scenarios,
            footprints: StoreGrowth.footprints
        )
    }

    private static func writers(of count: Int64) throws -> [Contender] {
        let folder = try TemporaryFolder()
        try checkAll(of: 100, in: folder)
        return [
            Contender("Store") { try folder.withFile { try StorePatients(at: $0).write(count) } },
            Contender("Store, insert(many:)") {
                try folder.withFile { try StorePatients(at: $0).writeOnAllCores(count) }
            },
            Contender("C on SQLite") {
                try folder.withFile { try SQLitePatients(at: $0, SealedAttribute()).write(count) }
            },
            Contender("GRDB records") { try folder.withFile { try RecordPatients(at: $0).write(count) } },
        ]
    }

    private static func readers(of count: Int64) throws -> [Contender] {
        let folder = try TemporaryFolder()
        try checkAll(of: 100, in: folder)
        let store = try StorePatients(at: folder.file("store"))
        let plain = try SQLitePatients(at: folder.file("plain"), SealedAttribute())
        let records = try RecordPatients(at: folder.file("records"))
        try store.write(count)
        try plain.write(count)
        try records.write(count)
        return [
            Contender("Store") { consume(try withExtendedLifetime(folder) { try store.sum() }) },
            Contender("C on SQLite") { consume(try plain.sum()) },
            Contender("GRDB records") { consume(try records.sum()) },
        ]
    }

    private static func nameReaders(of count: Int64) throws -> [Contender] {
        let folder = try TemporaryFolder()
        let store = try StorePatients(at: folder.file("store"))
        let plain = try SQLitePatients(at: folder.file("plain"), SealedAttribute())
        try store.write(count)
        try plain.write(count)
        return [
            Contender("Store") { consume(try withExtendedLifetime(folder) { try store.sumOfNames() }) },
            Contender("C on SQLite, which decodes all") { consume(try plain.sum()) },
        ]
    }

    private static func faces(of count: Int) throws -> [Contender] {
        let folder = try TemporaryFolder()
        let rows = try EntityRows(at: folder.file("rows"), count: count)
        try Disagreement.unless(try rows.sumOfObjects() == rows.sumByName(), "the same rows by class and by name")
        return [
            Contender("@Entity") { consume(try withExtendedLifetime(folder) { try rows.sumOfObjects() }) },
            Contender("by name") { consume(try rows.sumByName()) },
        ]
    }

    /// All read back the same values, and the plain C program can read our store.
    private static func checkAll(of count: Int64, in folder: TemporaryFolder) throws {
        let store = try StorePatients(at: folder.file("small store"))
        let plain = try SQLitePatients(at: folder.file("small plain"), SealedAttribute())
        let records = try RecordPatients(at: folder.file("small records"))
        try store.write(count)
        try plain.write(count)
        try records.write(count)
        let sum = try plain.sum()
        try Disagreement.unless(try store.sum() == sum, "the store's rows")
        try Disagreement.unless(try records.sum() == sum, "the records")
        let reader = try SQLitePatients(at: folder.file("small store"), store.attribute)
        try Disagreement.unless(try reader.sum() == sum, "the store's rows as C reads them")
    }
}
