import Foundation
import StandardPlugin
import Testing
import Transformable
import _HostileInputs

/// Damaged input gives a ``TransformerError`` or a value that encodes again; a trap would end the test run.
@Suite struct MutationTests {
    private static let json = #"{"a":[1,-2.5e3,true,null,"é\u00e9\n"],"b":{"c":18446744073709551615}}"#

    /// An expression, and input that it reads.
    private static let inputs: [(expression: String, type: any (Codable & Sendable).Type, input: Data)] = [
        ("json", JSONValue.self, Data(json.utf8)),
        ("json", [String: [Date]].self, Data(#"{"a":["2015-09-25T07:00:00.5Z"]}"#.utf8)),
        ("plist", PropertyListValue.self, Data(PropertyListFixtures.xml.utf8)),
        ("plist", PropertyListValue.self, Data(base64Encoded: PropertyListFixtures.binary) ?? Data()),
        ("list(of: (iso8601))", [Date].self, Data(#"["2015-09-25T07:00:00.5Z"]"#.utf8)),
        ("list(of: (double))", [Double].self, Data(#"["AAAAAAAA8D8="]"#.utf8)),
        ("iso8601", Date.self, Data("2015-09-25T07:00:00.125+02:00".utf8)),
        ("rfc2822", Date.self, Data("Fri, 25 (a (b)) Sep 2015 07:00:00 +0000".utf8)),
        ("http-date", Date.self, Data("Friday, 25-Sep-15 07:00:00 GMT".utf8)),
        ("date-format(pattern: \"MMMM d, yyyy HH:mm\")", Date.self, Data("September 25, 2015 07:00".utf8)),
        ("unix-time(form: integer) | int64", Date.self, Data(count: 8)),
        ("reference-time | double", Date.self, Data(count: 8)),
        ("number-format(style: percent)", Double.self, Data("1,234.5%".utf8)),
        ("decimal", Decimal.self, Data("-123.456e7".utf8)), ("double-text", Double.self, Data("-1.5e-3".utf8)),
        ("integer-text", Int.self, Data("-123".utf8)), ("bool", Bool.self, Data("1".utf8)),
        ("url", URL.self, Data("http://user@[::1]:80/p%20q?x=1#f".utf8)),
        ("uuid", UUID.self, Data("4A275FBD-8217-4397-964B-403F4C2B8545".utf8)),
        ("base16 | text", Data.self, Data("00FFaa".utf8)), ("base32", Data.self, Data("MZXW6YTBOI======".utf8)),
        ("base64", Data.self, Data("Zm9vYg==".utf8)), ("base85", Data.self, Data("NM&qnZ!92pZ*pv8Ap".utf8)),
        ("deflate", Data.self, Data(hex: "cb48cdc9c957c8409000")),
        ("zlib", Data.self, Data(hex: "78dacb48cdc9c957c84090003a2e067d")),
        ("gzip", Data.self, Data(hex: "1f8b0800000000000203cb48cdc9c957c84090008088f9e511000000")),
        ("camel-case", String.self, Data("CamelCaseÉa".utf8)), ("reversed", String.self, Data("ae\u{301}\r\nb".utf8)),
        ("text(encoding: utf-16)", String.self, Data(hex: "feff0041d83dde00")),
    ]

    /// A sample: `make fuzz` reads millions, in a release build.
    @Test(arguments: inputs.indices)
    func survivesDamage(index: Int) throws {
        let (expression, type, input) = Self.inputs[index]
        let resolved = try standardRegistry().resolve(expression, for: type)
        var generator = SeededGenerator(seed: UInt64(index))
        _ = try resolved.decode(any: input, in: .none)
        for round in 0..<input.count + 1000 {
            let damaged = Self.damage(input, round, &generator)
            do {
                let value = try resolved.decode(any: damaged, in: .none)
                let again = try resolved.encode(any: value, in: .none)
                _ = try resolved.decode(any: again, in: .none)
            } catch is TransformerError {
                continue
            }
        }
    }

    /// Cuts, flips, overwrites, inserts or repeats.
    private static func damage(_ input: Data, _ round: Int, _ generator: inout SeededGenerator) -> Data {
        var bytes = [UInt8](input)
        if round < bytes.count { return Data(bytes.prefix(round)) }
        for _ in 0...Int.random(in: 0..<3, using: &generator) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
            case 3: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(16), at: place)
            }
        }
        return Data(bytes)
    }
}

/// Strings that made Foundation or the standard library hang.
@Suite struct HostileTextTests {
    @Test(arguments: ["2001-01-01\u{301}", "2001\u{301}-01-01", "2001-01-01 \u{301}", "2001-01-01\r\n"])
    func rejectsDatesWithCombinedCharacters(text: String) throws {
        let transformer = try DateFormatTransformer(pattern: "yyyy-MM-dd")
        #expect(throws: TransformerError.invalidData("")) { try transformer.decode(text) }
    }

    /// Hindi writes February as “फ़रवरी”, whose letters are of several code points.
    @Test func doesNotWriteDatesThatItCannotRead() throws {
        let transformer = try DateFormatTransformer(pattern: "d MMMM yyyy", locale: "hi_IN")
        #expect(throws: TransformerError.invalidValue("")) {
            try transformer.encode(Date(timeIntervalSince1970: 951_782_400))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func reversesManyFlagsInReasonableTime() throws {
        let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 50_000)
        #expect(try ReversedTextTransformer().encode(flags).utf8.elementsEqual(flags.utf8))
    }
}
