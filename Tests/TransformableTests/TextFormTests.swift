import Foundation
import Testing
import Transformable
import _HostileInputs

/// Dates and decimals as text, beside what Python's fractions give, and there and back.
@Suite struct TextFormTests {
    /// How many random values of a type are tried; a million when it is asked for.
    private static let count = ProcessInfo.processInfo.environment["TRANSFORMABLE_RANDOM_VALUES"].flatMap(Int.init)
    private static let randomCount = count ?? 10_000

    /// The rows of a file that `text-forms.py` wrote, without its header.
    private static func rows(_ name: String) throws -> [[String]] {
        let url = Bundle.module.bundleURL.appending(path: "Vectors/\(name)")
        return try String(decoding: Data(contentsOf: url), as: UTF8.self).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",").map(String.init) }
    }

    // MARK: - Dates

    @Test func readsAndWritesDatesLikePython() throws {
        let rows = try Self.rows("dates.csv")
        #expect(rows.count > 1_000)
        for row in rows {
            let seconds = try DateText.seconds(row[0])
            #expect(
                String(seconds.bitPattern, radix: 16) == String(UInt64(row[1], radix: 16) ?? 0, radix: 16),
                "\(row)"
            )
            #expect(DateText.text(ofSeconds: seconds) == row[2], "\(row)")
            #expect(try DateText.seconds(row[2]).bitPattern == seconds.bitPattern, "\(row)")
        }
    }

    @Test func readsBackEveryDateThatItWrites() throws {
        var generator = SeededGenerator(seed: 1)
        for index in 0..<Self.randomCount {
            let seconds =
                switch index % 4 {
                case 0: Double(Int64.random(in: -3_187_296_000...3_155_760_000, using: &generator))
                case 1: Double.random(in: -4e9...4e9, using: &generator)
                case 2: Double(Int64.random(in: -4_000_000_000_000...4_000_000_000_000, using: &generator)) / 1_000
                default: Double(bitPattern: generator.next())
                }
            guard !seconds.isNaN, seconds != 0 else { continue }
            let text = DateText.text(ofSeconds: seconds)
            guard try DateText.seconds(text).bitPattern == seconds.bitPattern else {
                Issue.record("\(seconds) is written as \(text)")
                return
            }
            let isWhole = seconds == seconds.rounded() && text.hasSuffix("Z")
            #expect(!isWhole || !text.contains("."))
        }
    }

    @Test(
        arguments: [
            ("2024-05-22", 738_028_800.0), ("2024-05-22 00:59:00", 738_032_340), ("2024-05-22t00:59:00z", 738_032_340),
            ("2024-05-22T00:59:00,5", 738_032_340.5), ("2024-05-22T02:59:00.5+0200", 738_032_340.5),
            ("1e+300 s since 2001", 1e300), ("-inf s since 2001", -.infinity), ("-0004-02-29", -63_266_659_200),
        ] as [(String, Double)]
    )
    func readsOtherForms(text: String, seconds: Double) throws {
        #expect(try DateText.seconds(text) == seconds)
    }

    @Test(arguments: [
        ("2024-05-22T25:00:00Z", 11), ("2024-05-22T24:00:00Z", 11), ("2024-05-22T00:61:00Z", 14),
        ("2024-05-22T00:00:99Z", 17), ("2016-12-31T23:59:60Z", 17), ("2024-02-30", 8), ("2023-02-29T00:00:00Z", 8),
        ("2024-13-01", 5), ("2024-00-01", 5), ("2024-01-00", 8), ("2024-1-01", 5), ("20240101", 0), ("", 0),
        ("yesterday", 0), ("12024-01-01", 0), ("+300000000000-01-01", 0), ("2024-01-01T", 11),
        ("2024-01-01T1:00:00", 11),
        ("2024-01-01T00:00", 16), ("2024-01-01T00:00:00.", 20), ("2024-01-01T00:00:00+24:00", 20),
        ("2024-01-01T00:00:00Zx", 20), ("nan s since 2001", 0), ("0x1p3 s since 2001", 0),
        ("1974-03-02T21:50:410.0000000024Z", 17),
    ])
    func rejectsNonexistentDates(text: String, offset: Int) throws {
        let error = try #require(throws: TransformerError.self) { try DateText.seconds(text) }
        #expect(error.code == .invalidData)
        #expect(error.offset == offset)
    }

    // MARK: - Decimals

    @Test func readsAndWritesDecimalsLikePython() throws {
        let rows = try Self.rows("decimals.csv")
        #expect(rows.count > 700)
        for row in rows {
            let number = try DecimalText.decimal(row[0])
            #expect(DecimalText.text(of: number) == row[1], "\(row)")
            #expect(try DecimalText.decimal(row[1]) == number, "\(row)")
        }
    }

    @Test func readsBackEveryDecimalThatItWrites() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<Self.randomCount {
            let digits = "\(generator.next())\(generator.next())".prefix(Int.random(in: 1...38, using: &generator))
            let significand = try #require(Decimal(string: String(digits)))
            let exponent = Int.random(in: -128...89, using: &generator)
            let number = Decimal(sign: .minus, exponent: exponent, significand: significand)
            let text = DecimalText.text(of: number)
            guard try DecimalText.decimal(text) == number, try DecimalText.text(of: DecimalText.decimal(text)) == text
            else {
                Issue.record("\(digits)e\(exponent) is written as \(text)")
                return
            }
        }
    }

    @Test(arguments: [
        "", "-", ".", "1,5", "1 ", "0x10", "nan", "inf", "1e", "340282366920938463463374607431768211456",
        "4.23456789012345678901234567890123456789", "1e128", "1e-129", "1e999999999999999999999", "15e-129",
    ])
    func rejectsNumbersThatDecimalsCannotRepresent(text: String) {
        let error = #expect(throws: TransformerError.self) { try DecimalText.decimal(text) }
        #expect(error?.code == .invalidData)
    }

    @Test func equalDecimalsHaveEqualText() {
        let sum =
            Decimal(sign: .plus, exponent: -2, significand: 125) + Decimal(sign: .plus, exponent: -2, significand: 25)
        #expect(DecimalText.text(of: sum) == "1.5")
    }
}

struct ByteTextTests {
    // RFC 4648, section 10.
    @Test(arguments: [("", ""), ("f", "66"), ("fo", "666F"), ("foobar", "666F6F626172")])
    func readsAndWritesHexadecimalDigits(text: String, digits: String) {
        #expect(HexadecimalText.text(of: text.utf8, uppercase: true) == digits)
        #expect(HexadecimalText.text(of: text.utf8) == digits.lowercased())
        #expect(HexadecimalText.bytes(of: digits.utf8) == Array(text.utf8))
        #expect(HexadecimalText.bytes(of: digits.lowercased().utf8) == Array(text.utf8))
    }

    @Test(arguments: ["6", "6g", "+f", " 66", "６６"])
    func rejectsWhatIsNotPairsOfHexadecimalDigits(digits: String) {
        #expect(HexadecimalText.bytes(of: digits.utf8) == nil)
    }

    // RFC 4648, section 10.
    @Test(arguments: [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), (" Zm9v\r\n\tYmFy ", "foobar")])
    func readsBase64(text: String, bytes: String) {
        #expect(Base64Text.bytes(of: text.utf8) == Data(bytes.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "=", "====", "Zg=v", "Zg==Zm9v", "Zm9v=", "Zm9v==", "Zm9v====", "Zm-_"])
    func rejectsBase64WithoutTheExactPadding(text: String) {
        #expect(Base64Text.bytes(of: text.utf8) == nil)
    }
}

@Suite struct CountedTests {
    @Test(arguments: [(0, "0 objects"), (1, "1 object"), (2, "2 objects"), (-1, "-1 objects")])
    func usesTheSingularOnlyForOne(number: Int, text: String) {
        #expect(number.counted("object") == text)
    }
}
