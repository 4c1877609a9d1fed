import Foundation
import Testing
import TransformableModel

// The parser reads what a server sends, and no honest server sends what it must refuse.
@testable import TransformablePostgres

@Suite struct CopyParserTests {
    /// Two rows of two columns, written down from the section “Binary Format” of PostgreSQL's documentation of COPY.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [0, 0, 0, 0, 0, 0, 0, 0]
    private static let rows: [UInt8] =
        [0, 2, 0, 0, 0, 2, 0x61, 0x62, 0xFF, 0xFF, 0xFF, 0xFF]
        + [0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0x63]
    private static let trailer: [UInt8] = [0xFF, 0xFF]
    private static let expected = [["ab", nil], ["", "c"]]

    private func parse(_ messages: [[UInt8]], columns: Int = 2) throws -> [[String?]] {
        var parser = CopyParser(columnCount: columns)
        var rows: [[String?]] = []
        for message in messages {
            try unsafe message.withUnsafeBytes { bytes in
                try unsafe parser.read(bytes) { row in
                    rows.append(try (0..<row.count).map { try row.valueIfPresent($0, as: String.self) })
                }
            }
        }
        #expect(try parser.finish() == rows.count)
        return rows
    }

    @Test func readsOneMessage() throws {
        #expect(try parse([Self.header + Self.rows + Self.trailer]) == Self.expected)
    }

    @Test func readsRowsThatAreDividedAnywhere() throws {
        let bytes = Self.header + Self.rows + Self.trailer
        for size in 1...bytes.count {
            let messages = stride(from: 0, to: bytes.count, by: size)
                .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
            #expect(try parse(messages) == Self.expected, "messages of \(size) bytes")
        }
    }

    @Test func skipsTheExtensionOfTheHeader() throws {
        let header = Self.header.dropLast() + [3, 9, 9, 9]
        #expect(try parse([Array(header) + Self.rows + Self.trailer]) == Self.expected)
    }

    @Test func refusesEveryTruncation() {
        let bytes = Self.header + Self.rows + Self.trailer
        for count in 0..<bytes.count {
            let error = #expect(throws: StoreError.self) { try parse([Array(bytes.prefix(count))]) }
            #expect(error?.code == .corruptFile)
        }
    }

    @Test(
        arguments: [
            [0, 3, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0xFF, 0xFE], [0, 2, 0xFF, 0xFF, 0xFF, 0xFE],
            [0, 2, 0x7F, 0xFF, 0xFF, 0xFF],
            [0xFF, 0xFF, 0], [0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]]
    )
    func refusesRowsThatContradictTheFormat(bytes: [UInt8]) {
        let error = #expect(throws: StoreError.self) { try parse([Self.header + bytes]) }
        #expect(error?.code == .corruptFile)
    }

    @Test func refusesUnknownCriticalFlags() {
        var header = Self.header
        header[12] = 1
        #expect(throws: StoreError(.corruptFile, "")) { try parse([header + Self.rows + Self.trailer]) }
    }

    @Test func everyChangedByteIsReadOrMakesTheRowsMalformed() {
        let bytes = Self.header + Self.rows + Self.trailer
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                do {
                    _ = try parse([changed])
                } catch {
                    #expect((error as? StoreError)?.code == .corruptFile, "byte \(index): \(value)")
                }
            }
        }
    }
}
