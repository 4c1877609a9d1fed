import Foundation
import GRDB

/// The rows as Codable records of GRDB: the rect as JSON, the text sealed by libsodium.
struct RecordPatients {
    private struct Record: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "Patient"

        let id: Int64
        let name: String
        let bed: CGRect
        let ssn: Data
    }

    private let database: DatabasePool
    private let attribute: SealedAttribute

    init(at url: URL) throws {
        database = try DatabasePool(path: url.path)
        attribute = try SealedAttribute()
        try database.write { database in
            try database.create(table: "Patient") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("name", .text)
                table.column("bed", .text)
                table.column("ssn", .blob)
            }
        }
    }

    func write(_ count: Int64) throws {
        try database.write { database in
            for number in 1...count {
                let text = Data(Patient.ssn(number).utf8)
                guard let ssn = attribute.peer.seal(text, object: number).data else {
                    throw Disagreement(description: "libsodium fails")
                }
                try Record(id: number, name: Patient.name(number), bed: Patient.bed(number), ssn: ssn).insert(database)
            }
        }
    }

    func sum() throws -> Double {
        try database.read { database in
            var sum = 0.0
            let records = try Record.fetchCursor(database)
            while let record = try records.next() {
                guard let ssn = attribute.peer.open(record.ssn, object: record.id).data else {
                    throw Disagreement(description: "libsodium does not open a text")
                }
                sum += Patient.sum(record.name, record.bed, ssn: ssn.count)
            }
            return sum
        }
    }
}
