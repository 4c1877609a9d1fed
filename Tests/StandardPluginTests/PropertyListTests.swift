import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct PropertyListTests {
    private static let common: [String: PropertyListValue] = [
        "a": .array([
            .integer(1), .bool(true), .real(2.5), .data(Data([1, 2])),
            .date(Date(timeIntervalSince1970: 1_443_164_400)), .string("é😀"), .string("xxxxxxxxxxxxxxxxxxxx"),
        ]),
        "n": .integer(-1), "big": .unsignedInteger(.max), "small": .integer(.min), "e": .dictionary([:]),
        "l": .array([]),
    ]

    @Test func readsPythonsPropertyLists() throws {
        let binary = try #require(Data(base64Encoded: PropertyListFixtures.binary))
        var expected = Self.common
        expected["k"] = .uid(7)
        #expect(try decode("plist", binary, as: PropertyListValue.self) == .dictionary(expected))
        let xml = Data(PropertyListFixtures.xml.utf8)
        expected["k"] = nil
        expected["t"] = .string("<&>\"'")
        #expect(try decode("plist", xml, as: PropertyListValue.self) == .dictionary(expected))
    }

    @Test(arguments: ["plist", "plist(format: xml)"])
    func everyTypeRoundTrips(expression: String) throws {
        var members = Self.common
        members["u"] = .array([.uid(0), .uid(.max)])
        members["r"] = .array([.real(.infinity), .real(-.infinity), .real(-0.0), .real(5e-300)])
        members["t"] = .string("<&>\"'\r\n\t ]]>")
        members["s"] = .array((0..<300).map { .string("\($0)") })
        members["d"] = .data(Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0) }))
        for value in [PropertyListValue.dictionary(members), .string(""), .array([]), .bool(false), .real(1)] {
            let bytes = try encode(expression, value, to: Data.self)
            #expect(try decode("plist", bytes, as: PropertyListValue.self) == value)
        }
    }

    @Test(arguments: ["plist", "plist(format: xml)"])
    func foundationReadsTheList(expression: String) throws {
        let order = ["a": ["x": [1, 2, 3]], "é": ["y": Array(0..<300)]]
        let bytes = try encode(expression, order, to: Data.self)
        #expect(try PropertyListDecoder().decode([String: [String: [Int]]].self, from: bytes) == order)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func readsFoundationsPropertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let date = Date(timeIntervalSinceReferenceDate: 12)
        let sample = Sample(name: "é", dates: [date], bytes: Data([1]), nothing: nil, numbers: [1.5: -3])
        let bytes = try encoder.encode(sample)
        #expect(try decode("plist", bytes, as: Sample.self) == sample)
        #expect(try PropertyListDecoder().decode(Sample.self, from: encode("plist", sample, to: Data.self)) == sample)
    }

    // Foundation writes URLs and decimals as dictionaries of their parts.
    @Test(arguments: [
        "0", "12.5", "-0.001", "65536", "-18446744073709551616", "340282366920938463463374607431768211455", "1e127",
        "-1e-128", "12345678901234567890123456789012345678",
    ])
    func readsFoundationsDecimals(text: String) throws {
        let number = try #require(Decimal(string: text))
        let bytes = try PropertyListEncoder().encode([number])
        #expect(try decode("plist", bytes, as: [Decimal].self) == [number])
    }

    @Test func readsFoundationsURLs() throws {
        let base = try #require(URL(string: "https://example.com/a/"))
        let urls = [base, URL(filePath: "/é"), try #require(URL(string: "../b?c#d", relativeTo: base))]
        let bytes = try PropertyListEncoder().encode(["urls": urls])
        #expect(try decode("plist", bytes, as: [String: [URL]].self) == ["urls": urls])
    }

    @Test func rejectsPartsThatAreNoDecimal() throws {
        let notANumber = try PropertyListEncoder().encode([Decimal.nan])
        expectFailure(.invalidData) { try decode("plist", notANumber, as: [Decimal].self) }
        let words = PropertyListValue.array(Array(repeating: .integer(65_535), count: 9))
        let parts: [String: PropertyListValue] = [
            "exponent": .integer(0), "length": .integer(2), "isNegative": .bool(false), "mantissa": words,
        ]
        func decimal(_ key: String, _ value: PropertyListValue?) throws -> Decimal {
            var changed = parts
            changed[key] = value
            return try decode("plist", encode("plist", changed, to: Data.self), as: Decimal.self)
        }
        #expect(try decimal("isNegative", .bool(true)) == -4_294_967_295)
        #expect(try decimal("length", .integer(0)) == 0)
        for length in [-1, 9, .max] as [Int64] {
            expectFailure(.invalidData) { try decimal("length", .integer(length)) }
        }
        expectFailure(.invalidData) { try decimal("exponent", .integer(128)) }
        expectFailure(.invalidData) { try decimal("exponent", nil) }
        expectFailure(.invalidData) { try decimal("mantissa", .array([.integer(-1), .integer(1)])) }
        expectFailure(.invalidData) { try decimal("mantissa", .array([])) }
    }

    struct Sample: Codable, Equatable {
        var name: String
        var dates: [Date]
        var bytes: Data
        var nothing: [Int?]?
        var numbers: [Double: Int]
    }

    @Test func preservesFractionsOfDatesOnlyInBinary() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        #expect(try decode("plist", encode("plist", [date], to: Data.self), as: [Date].self) == [date])
        let xml = try decode("plist", encode("plist(format: xml)", [date], to: Data.self), as: [Date].self)
        #expect(xml == [Date(timeIntervalSinceReferenceDate: 0)])
        #expect(try standardRegistry().resolve("plist(format: xml)").traits.contains(.lossy))
    }

    /// Foundation also writes nil as this text, and never decodes it as text.
    @Test(arguments: ["plist", "plist(format: xml)"])
    func refusesTheTextThatStandsForNil(expression: String) throws {
        expectFailure(.invalidValue) { try encode(expression, "$null", to: Data.self) }
        expectFailure(.invalidValue) { try encode(expression, ["a": "$null"], to: Data.self) }
        expectFailure(.invalidValue) { try encode(expression, ["$null", nil] as [String?], to: Data.self) }
        expectFailure(.invalidValue) { try encode(expression, [URL(string: "$null")], to: Data.self) }
        let list = try encode(expression, [nil, "a"] as [String?], to: Data.self)
        #expect(try decode("plist", list, as: [String?].self) == [nil, "a"])
        // The format's own value is kept as it is, and so is a key.
        let value = try decode("plist", list, as: PropertyListValue.self)
        #expect(value == .array([.string("$null"), .string("a")]))
        #expect(try encode(expression, value, to: Data.self) == list)
        let keyed = try encode(expression, ["$null": 1], to: Data.self)
        #expect(try decode("plist", keyed, as: [String: Int].self) == ["$null": 1])
    }

    @Test(arguments: ["plist", "plist(format: xml)"])
    func refusesADateThatIsNotATime(expression: String) {
        let date = Date(timeIntervalSinceReferenceDate: .nan)
        expectFailure(.invalidValue) { try encode(expression, ["a": date], to: Data.self) }
        expectFailure(.invalidValue) { try encode(expression, PropertyListValue.date(date), to: Data.self) }
    }

    @Test func suggestsTheBinaryFormatForValuesThatXMLLacks() throws {
        expectFailure(.invalidValue) { try encode("plist(format: xml)", "a\u{0}", to: Data.self) }
        #expect(try decode("plist", encode("plist", "a\u{0}", to: Data.self), as: String.self) == "a\u{0}")
    }

    @Test(arguments: [
        "", "<plist>", "<plist><true/>", "<plist></plist>", "<plist><true/></plist>x", "<plist><true/><true/></plist>",
        "<plist><dict><key>a</key></dict></plist>", "<plist><dict><true/></dict></plist>", "<plist><what/></plist>",
        "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", "<plist><integer>1.5</integer></plist>",
        "<plist><integer>18446744073709551616</integer></plist>", "<plist><data>AQ</data></plist>",
        "<plist><date>2015-09-31T00:00:00Z</date></plist>", "<plist><string>&what;</string></plist>",
        "<plist><string>&#0;</string></plist>", "<plist><string>a</plist>", "<plist><array><true/></plist>",
        "<true/>", "{ a = 1; }", "<plist><real>1,5</real></plist>", "<plist><string>&#xD800;</string></plist>",
        "<plist><true>x</true></plist>", "<plist><!-- <true/></plist>",
    ])
    func rejectsMalformedXML(xml: String) {
        expectFailure(.invalidData) { try decode("plist", Data(xml.utf8), as: PropertyListValue.self) }
    }

    @Test func readsAllXMLFeaturesOfPropertyLists() throws {
        let xml = """
            \u{FEFF}<?xml version='1.0' encoding="utf-8"?><!-- a --><!DOCTYPE plist SYSTEM "x"><?pi?>
            <plist version='1.0>'><array><string>a<![CDATA[<&>]]>&#x41;&#66;<!-- c -->&lt;</string><string/><data>
              AQ I=
            </data><integer> -7 </integer><real>nan</real><true></true></array></plist>
            """
        guard case .array(let values) = try decode("plist", Data(xml.utf8), as: PropertyListValue.self) else {
            Issue.record("the list is no array")
            return
        }
        #expect(values[0] == .string("a<&>AB<"))
        #expect(values[1] == .string(""))
        #expect(values[2] == .data(Data([1, 2])))
        #expect(values[3] == .integer(-7))
        #expect(values[5] == .bool(true))
    }

    @Test func rejectsEntitiesAndOtherEncodings() {
        let bomb = "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>"
        expectFailure(.unsupported) { try decode("plist", Data(bomb.utf8), as: PropertyListValue.self) }
        let utf16 = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>"
        expectFailure(.unsupported) { try decode("plist", Data(utf16.utf8), as: PropertyListValue.self) }
    }

    @Test func rejectsDeepNesting() {
        let xml = Data(("<plist>" + String(repeating: "<array>", count: 200_000)).utf8)
        expectFailure(.limitExceeded) { try decode("plist", xml, as: PropertyListValue.self) }
    }

    /// Objects that hold the next one twice: 60 of them would unfold to 2^60 values, and 18 to a quarter of a million.
    @Test func rejectsExponentialExpansion() throws {
        let small = try decode("plist", Self.list(of: 16) { [$0 + 1, $0 + 1] }, as: PropertyListValue.self)
        #expect(small.part(named: "1")?.part(named: "0")?.hasParts == true)
        expectFailure(.limitExceeded) {
            try decode("plist", Self.list(of: 18) { [$0 + 1, $0 + 1] }, as: PropertyListValue.self)
        }
        expectFailure(.limitExceeded) {
            try decode("plist", Self.list(of: 60) { [$0 + 1, $0 + 1] }, as: PropertyListValue.self)
        }
        expectFailure(.invalidData) {
            try decode("plist", Self.list(of: 3) { [($0 + 1) % 3] }, as: PropertyListValue.self)
        }
        expectFailure(.limitExceeded) {
            try decode("plist", Self.list(of: 5000) { [$0 + 1] }, as: PropertyListValue.self)
        }
    }

    /// The number of values that can be read, and one more for the array itself.
    @Test(arguments: ["plist", "plist(format: xml)"])
    func refusesMoreValuesThanItReads(expression: String) {
        let values = PropertyListValue.array(Array(repeating: .bool(true), count: 1 << 24))
        expectFailure(.limitExceeded) { try encode(expression, values, to: Data.self) }
    }

    /// A binary list of a megabyte can repeat it thousands of times.
    @Test func refusesTextThatIsOutOfProportion() throws {
        let text = PropertyListValue.string(String(repeating: "x", count: 1 << 20))
        let form = try #require(try standardRegistry().resolve("plist").form)
        let value = PropertyListValue.array(Array(repeating: .dictionary(["a": text]), count: 2048))
        expectFailure(.limitExceeded) { try form.print(value, nil) }
        expectFailure(.limitExceeded) { try encode("plist(format: xml)", value, to: Data.self) }
    }

    /// A binary list of arrays, each with the references that the closure gives, the last one empty.
    private static func list(of count: Int, _ references: (Int) -> [Int]) -> Data {
        var bytes = Data("bplist00".utf8)
        var table = Data()
        for index in 0..<count {
            table.append(contentsOf: [
                UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255),
            ])
            let targets = references(index).filter { $0 < count }
            bytes.append(0xA0 | UInt8(targets.count))
            for target in targets { bytes.append(contentsOf: [UInt8(target >> 8), UInt8(target & 255)]) }
        }
        let start = bytes.count
        bytes += table + [0, 0, 0, 0, 0, 0, 3, 2]
        for number in [count, 0, start] {
            bytes += withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
        }
        return bytes
    }

    /// In a binary list, the three references to equal data lead to the same bytes, and so do those to equal text.
    @Test(arguments: [16, 64, 100_000])
    func repeatedTextAndDataShareMemory(length: Int) throws {
        let (data, text) = (Data(repeating: 7, count: length), String(repeating: "x", count: length))
        let list = PropertyListValue.array(Array(repeating: .data(data), count: 3))
        let texts = PropertyListValue.array(Array(repeating: .dictionary([text: .string(text)]), count: 3))
        let bytes = try encode("plist", PropertyListValue.dictionary(["d": list, "t": texts]), to: Data.self)
        #expect(bytes.count < 400_000)
        guard case .dictionary(let root) = try decode("plist", bytes, as: PropertyListValue.self),
            case .array(let datas) = root["d"], case .array(let dictionaries) = root["t"]
        else {
            Issue.record("the property list has another structure")
            return
        }
        #expect(datas.allSatisfy { $0 == .data(data) })
        #expect(Set(datas.map(Self.address)).count == 1)
        #expect(dictionaries.allSatisfy { $0 == .dictionary([text: .string(text)]) })
        let members = dictionaries.flatMap { value -> [(String, PropertyListValue)] in
            guard case .dictionary(let members) = value else { return [] }
            return members.map { ($0.key, $0.value) }
        }
        #expect(Set(members.map { Self.address(.string($0.0)) }).count == 1)
        #expect(Set(members.map { Self.address($0.1) }).count == 1)
    }

    private static func address(_ value: PropertyListValue) -> UnsafeRawPointer? {
        switch value {
        case .data(let data): data.withUnsafeBytes { $0.baseAddress }
        case .string(let text): text.utf8.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
        default: nil
        }
    }

    @Test func hasAHumanForm() throws {
        let form = try #require(try standardRegistry().resolve("plist").form)
        let value = try form.parse(Data(#"{"a": [1, "x"]}"#.utf8))
        #expect(try form.print(value, nil) == Data("{\n  \"a\": [\n    1,\n    \"x\"\n  ]\n}".utf8))
        let withData = PropertyListValue.data(Data([1]))
        #expect(try form.parse(form.print(withData, nil)) as? PropertyListValue == withData)
    }

    // An export writes this form. A value that has none would not be in it.
    @Test(arguments: ["a\u{0}b", "\u{1}", "\u{FFFE}\u{FFFF}", "\r\n\u{85}\u{2028}", "\u{FEFF}]]>&#1;"])
    func theHumanFormKeepsCharactersThatXMLDoesNotAllow(text: String) throws {
        let value: PropertyListValue = .dictionary([text: .data(Data([1])), "t": .string(text)])
        let form = try #require(try standardRegistry().resolve("plist").form)
        #expect(try form.parse(form.print(value, nil)) as? PropertyListValue == value)
    }

    /// The human form shows a date with its fraction, and reads it to the same bits.
    @Test(arguments: [
        0.5, 464_857_200.126, -0.25, -1e9 - 0.1, 1e-9, 464_857_200, 3e11 + 0.5, -1e11 - 0.5, -63_145_000_000.25, 1e15,
    ])
    func theHumanFormShowsFractionsOfDates(time: Double) throws {
        let form = try #require(try standardRegistry().resolve("plist").form)
        let value = PropertyListValue.array([.date(Date(timeIntervalSinceReferenceDate: time))])
        let shown = try form.print(value, nil)
        #expect(try form.parse(shown) as? PropertyListValue == value)
    }

    @Test func theXMLFormatHasWholeSeconds() throws {
        let value = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0.5))
        let xml = try encode("plist(format: xml)", value, to: Data.self)
        #expect(String(decoding: xml, as: UTF8.self).contains("<date>2001-01-01T00:00:00Z</date>"))
        let fraction = Data(String(decoding: xml, as: UTF8.self).replacing(":00Z", with: ":00.5Z").utf8)
        #expect(try decode("plist", fraction, as: PropertyListValue.self) == value)
        for wrong in [":00.Z", ":00.5", ":00.-5Z", ":00.5.5Z"] {
            let bytes = Data(String(decoding: xml, as: UTF8.self).replacing(":00Z", with: wrong).utf8)
            expectFailure(.invalidData) { try decode("plist", bytes, as: PropertyListValue.self) }
        }
    }
}
