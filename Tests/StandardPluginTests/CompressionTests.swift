import Foundation
import StandardPlugin
import Testing
import Transformable
import _HostileInputs

/// The files are Python's: `zlib.compress(…, 9)`, a raw `compressobj(9)` and `gzip.compress(…, mtime=0)`.
@Suite struct CompressionTests {
    private static let text = Data("hello hello hello".utf8)
    private static let raw = "cb48cdc9c957c8409000"
    private static let zlib = "78da\(raw)3a2e067d"
    private static let gzip = "1f8b0800000000000203\(raw)8088f9e511000000"

    @Test(arguments: [("deflate", raw), ("zlib", zlib), ("gzip", gzip)])
    func agreesWithPython(name: String, hex: String) throws {
        #expect(try decode(name, Data(hex: hex), as: Data.self) == Self.text)
        #expect(try encode("\(name)(level: 9)", Self.text, to: Data.self) == Data(hex: hex))
    }

    private static let megabyte: Data = {
        var generator = SeededGenerator(seed: 42)
        return Data((0..<1_000_003).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 61) })
    }()

    @Test(arguments: ["deflate", "zlib", "gzip"], [0, 1, 6, 9])
    func aMegabyteRoundTrips(name: String, level: Int) throws {
        let bytes = Self.megabyte
        let packed = try encode("\(name)(level: \(level))", bytes, to: Data.self)
        #expect(try decode(name, packed, as: Data.self) == bytes)
        #expect(level == 0 || packed.count < bytes.count / 2)
    }

    @Test(arguments: ["deflate", "zlib", "gzip"])
    func emptyDataRoundTrips(name: String) throws {
        #expect(try decode(name, try encode(name, Data(), to: Data.self), as: Data.self).isEmpty)
    }

    @Test(arguments: [("deflate", raw), ("zlib", zlib), ("gzip", gzip)])
    func reportsEveryTruncation(name: String, hex: String) {
        let whole = Data(hex: hex)
        for length in 0..<whole.count {
            expectFailure(.truncatedData) { try decode(name, whole.prefix(length), as: Data.self) }
        }
    }

    @Test(arguments: [("deflate", raw), ("zlib", zlib)])
    func reportsTrailingBytes(name: String, hex: String) {
        let whole = Data(hex: hex)
        expectFailure(.trailingData, at: whole.count) { try decode(name, whole + [0], as: Data.self) }
    }

    @Test func joinsTheMembersOfAGzipFile() throws {
        let member = Data(hex: Self.gzip)
        #expect(try decode("gzip", member + member, as: Data.self) == Self.text + Self.text)
        expectFailure(.trailingData, at: member.count) { try decode("gzip", member + [0, 0, 0, 0], as: Data.self) }
    }

    @Test(arguments: [("zlib", zlib, 4), ("gzip", gzip, 8), ("gzip", gzip, 4)])
    func reportsAWrongChecksum(name: String, hex: String, fromEnd: Int) {
        var bytes = Data(hex: hex)
        bytes[bytes.count - fromEnd] ^= 1
        expectFailure(.checksumMismatch) { try decode(name, bytes, as: Data.self) }
    }

    @Test func stopsAtTheLimit() throws {
        let packed = try encode("gzip", Data(count: 50_000_000), to: Data.self)
        #expect(packed.count < 60_000)
        expectFailure(.limitExceeded) { try decode("gzip(limit: 49999999)", packed, as: Data.self) }
        #expect(try decode("gzip(limit: 50000000)", packed, as: Data.self).count == 50_000_000)
    }

    @Test func rejectsOtherFormats() {
        expectFailure(.invalidData) { try decode("gzip", Data(hex: Self.zlib), as: Data.self) }
        expectFailure(.invalidData) { try decode("zlib", Data(hex: Self.gzip), as: Data.self) }
        expectFailure(.unsupported) {
            try decode("zlib", Data(hex: "78f900000001") + Data(hex: Self.raw), as: Data.self)
        }
    }

    /// A byte after the end is neither a further member nor a truncated one.
    @Test(arguments: [[0x1F], [0x1F, 0x8C], [0x1F, 0x00, 0x00], [0x00], [0x0A], [0x1E, 0x8B]] as [[UInt8]])
    func reportsTrailingBytesOfAGzipFile(rest: [UInt8]) throws {
        let whole = try encode("gzip", Data("horse".utf8), to: Data.self)
        expectFailure(.trailingData, at: whole.count) { try decode("gzip", whole + rest, as: Data.self) }
        expectFailure(.truncatedData) { try decode("gzip", whole + whole.prefix(2), as: Data.self) }
    }
}
