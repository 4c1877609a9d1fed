import Foundation
import KeyedArchivePlugin
import Transformable

extension Area {
    /// Keyed archives, compared with Foundation's, whose running time is quadratic in the archive's length.
    static var keyedArchive: Area {
        Area(
            name: "keyed-archive",
            scenarios: [
                Scenario("write 1,000 dictionaries of two keys", maximumRounds: 3) { try writers() },
                Scenario("read 1,000 dictionaries of two keys", maximumRounds: 3) { try readers() },
                Scenario("write 1,000 Codable records of two fields") { try recordWriters() },
                Scenario("read 1,000 Codable records of two fields") { try recordReaders() },
            ] + KeyedArchiveGrowth.scenarios,
            footprints: KeyedArchiveGrowth.footprints
        )
    }

    private static func writers() throws -> [Contender] {
        let values = ArchivedArray(try KeyedArchivePeer.values.map(ArchivedValue.init))
        let transformer = ArchivedValueTransformer()
        let read = try KeyedArchivePeer.read(transformer.encode(.array(values)))
        try Disagreement.unless(read == KeyedArchivePeer.values, "the archive as Foundation reads it")
        return [
            Contender("keyed-archive") { consume(try transformer.encode(.array(values))) },
            Contender("NSKeyedArchiver") { consume(try KeyedArchivePeer.write(KeyedArchivePeer.values)) },
        ]
    }

    private static func readers() throws -> [Contender] {
        let archive = try KeyedArchivePeer.write(KeyedArchivePeer.values)
        let transformer = ArchivedValueTransformer()
        let values = ArchivedArray(try KeyedArchivePeer.values.map(ArchivedValue.init))
        try Disagreement.unless(try transformer.decode(archive) == .array(values), "Foundation's archive as we read it")
        return [
            Contender("keyed-archive") { consume(try transformer.decode(archive)) },
            Contender("NSKeyedUnarchiver") { consume(try KeyedArchivePeer.read(archive)) },
        ]
    }

    /// `PropertyListEncoder` writes no archive; it is the nearest thing for `Codable` types that Foundation has.
    private static func recordWriters() throws -> [Contender] {
        let records = KeyedArchivePeer.values.map(Setting.init)
        let transformer = KeyedArchiveTransformer<[Setting]>()
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return [
            Contender("keyed-archive") { consume(try transformer.encode(records)) },
            Contender("PropertyListEncoder") { consume(try encoder.encode(records)) },
        ]
    }

    private static func recordReaders() throws -> [Contender] {
        let records = KeyedArchivePeer.values.map(Setting.init)
        let transformer = KeyedArchiveTransformer<[Setting]>()
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let list = try encoder.encode(records)
        let archive = try transformer.encode(records)
        let decoder = PropertyListDecoder()
        try Disagreement.unless(try transformer.decode(archive) == records, "records")
        return [
            Contender("keyed-archive") { consume(try transformer.decode(archive)) },
            Contender("PropertyListDecoder") { consume(try decoder.decode([Setting].self, from: list)) },
        ]
    }
}

/// One record, as a type of a program's own.
private struct Setting: Codable, Equatable {
    let name: String
    let value: Int

    init(_ values: [String: String]) {
        name = values["name"] ?? ""
        value = Int(values["value"] ?? "") ?? 0
    }
}
