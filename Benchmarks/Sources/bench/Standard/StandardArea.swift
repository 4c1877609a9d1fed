import Foundation
import StandardPlugin
import Transformable
import _HostileInputs

extension Area {
    /// Text, structured data, and compression, compared with Foundation and zlib.
    static var standard: Area {
        Area(
            name: "standard",
            scenarios: [
                Scenario("write 1 MB as base64") { try base64Writers() },
                Scenario("read 1 MB of base64") { try base64Readers() },
                Scenario("write 1,000 Codable records as JSON") { try jsonWriters() },
                Scenario("read 1,000 Codable records of JSON") { try jsonReaders() },
                Scenario("gzip 1 MB of JSON") { try gzipWriters() },
                Scenario("gunzip 1 MB of JSON") { try gzipReaders() },
                Scenario("write 1,000 dates as ISO 8601") { try dateWriters() },
                Scenario("read 1,000 dates of ISO 8601") { try dateReaders() },
            ]
        )
    }

    private static func base64Writers() throws -> [Contender] {
        let bytes = Data.random(1_000_000)
        let transformer = Base64Transformer()
        try Disagreement.unless(try transformer.encode(bytes) == bytes.base64EncodedString(), "base64")
        return [
            Contender("base64") { consume(try transformer.encode(bytes)) },
            Contender("Foundation") { consume(bytes.base64EncodedString()) },
        ]
    }

    private static func base64Readers() throws -> [Contender] {
        let bytes = Data.random(1_000_000)
        let text = bytes.base64EncodedString()
        let transformer = Base64Transformer()
        try Disagreement.unless(try transformer.decode(text) == bytes, "base64")
        return [
            Contender("base64") { consume(try transformer.decode(text)) },
            Contender("Foundation") { consume(Data(base64Encoded: text)) },
        ]
    }

    private static func gzipWriters() throws -> [Contender] {
        let text = try Visit.json
        let transformer = CompressionTransformer(.gzip)
        let level = transformer.level
        let theirs = Peer.gzip(text, level: level).data ?? Data()
        try Disagreement.unless(try transformer.decode(theirs) == text, "gzip")
        try Disagreement.unless(try transformer.encode(text).count <= theirs.count * 102 / 100, "sizes of gzip")
        return [
            Contender("gzip") { consume(try transformer.encode(text)) },
            Contender("C on zlib") { consume(Peer.gzip(text, level: level).isThere) },
        ]
    }

    private static func gzipReaders() throws -> [Contender] {
        let text = try Visit.json
        let transformer = CompressionTransformer(.gzip)
        let file = try transformer.encode(text)
        try Disagreement.unless(Peer.gunzip(file, size: text.count).data == text, "gzip")
        return [
            Contender("gzip") { consume(try transformer.decode(file)) },
            Contender("C on zlib") { consume(Peer.gunzip(file, size: text.count).isThere) },
        ]
    }
}

extension Area {
    private static func jsonWriters() throws -> [Contender] {
        let visits = Visit.all
        let transformer = JSONTransformer<[Visit]>()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let read = try JSONDecoder().decode([Visit].self, from: transformer.encode(visits))
        try Disagreement.unless(read == visits, "JSON")
        return [
            Contender("json") { consume(try transformer.encode(visits)) },
            Contender("JSONEncoder, sorted keys") { consume(try encoder.encode(visits)) },
        ]
    }

    private static func jsonReaders() throws -> [Contender] {
        let transformer = JSONTransformer<[Visit]>()
        let decoder = JSONDecoder()
        let json = try JSONEncoder().encode(Visit.all)
        try Disagreement.unless(try transformer.decode(json) == Visit.all, "JSON")
        return [
            Contender("json") { consume(try transformer.decode(json)) },
            Contender("JSONDecoder") { consume(try decoder.decode([Visit].self, from: json)) },
        ]
    }

    private static func dateWriters() throws -> [Contender] {
        let dates = Visit.dates
        let transformer = ISO8601Transformer()
        let style = Date.ISO8601FormatStyle()
        try Disagreement.unless(dates.map { try transformer.encode($0) } == dates.map(style.format), "ISO 8601")
        return [
            Contender("iso8601") { for date in dates { consume(try transformer.encode(date)) } },
            Contender("Foundation") { for date in dates { consume(style.format(date)) } },
        ]
    }

    private static func dateReaders() throws -> [Contender] {
        let transformer = ISO8601Transformer()
        let style = Date.ISO8601FormatStyle()
        let texts = Visit.dates.map(style.format)
        try Disagreement.unless(texts.map { try transformer.decode($0) } == Visit.dates, "ISO 8601")
        return [
            Contender("iso8601") { for text in texts { consume(try transformer.decode(text)) } },
            Contender("Foundation") { for text in texts { consume(try style.parse(text)) } },
        ]
    }
}

/// A typical record.
private struct Visit: Codable, Equatable {
    let name: String
    let ward: Int
    let weight: Double
    let isOpen: Bool
    let notes: [String]

    /// A thousand records, the same in each run.
    static var all: [Visit] { records(1_000) }

    /// About a megabyte of records.
    static var json: Data {
        get throws { try JSONTransformer().encode(records(8_000)) }
    }

    private static func records(_ count: Int) -> [Visit] {
        var generator = SeededGenerator(seed: 5)
        return (0..<count)
            .map { number in
                Visit(
                    name: "Patient \(number)",
                    ward: number % 17,
                    weight: Double.random(in: 40..<120, using: &generator),
                    isOpen: number.isMultiple(of: 3),
                    notes: ["größer", "a \"quoted\" word", "plain"]
                )
            }
    }

    /// Whole seconds, some forty years of them.
    static var dates: [Date] {
        (0..<1_000).map { Date(timeIntervalSince1970: Double($0) * 1_234_567) }
    }
}
