import Foundation
import StandardPlugin
import Testing
import Transformable
import _HostileInputs

@Suite struct JSONTests {
    struct Order: Codable, Equatable {
        struct Line: Codable, Equatable {
            var name: String
            var count: Int
            var price: Decimal
        }

        var id: UUID
        var placed: Date
        var lines: [Line]
        var note: String?
        var link: URL
        var signature: Data
        var weight: Float
    }

    private static let order = Order(
        id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        placed: Date(timeIntervalSince1970: 1_443_164_400.5),
        lines: [Order.Line(name: "tea/milk", count: 2, price: Decimal(string: "12.10") ?? 0)],
        note: nil,
        link: URL(filePath: "/a"),
        signature: Data([0xFB, 0xFF]),
        weight: 0.1
    )

    @Test func writesCanonicalJSONForAnyCodableType() throws {
        let json = """
            {"id":"01020304-0506-0708-090A-0B0C0D0E0F10","lines":[{"count":2,"name":"tea/milk","price":"12.1"}],\
            "link":"file:///a","placed":"2015-09-25T07:00:00.5Z","signature":"+/8=","weight":0.1}
            """
        #expect(String(decoding: try encode("json", Self.order, to: Data.self), as: UTF8.self) == json)
        #expect(try decode("json", Data(json.utf8), as: Order.self) == Self.order)
    }

    @Test(arguments: [
        ("unix", "1443164400.5"), ("reference", "464857200.5"), ("iso8601", "\"2015-09-25T07:00:00.5Z\""),
    ])
    func writesDatesInTheRequestedForm(style: String, json: String) throws {
        let expression = "json(dates: \(style))"
        #expect(try encode(expression, Self.order.placed, to: Data.self) == Data(json.utf8))
        #expect(try decode(expression, Data(json.utf8), as: Date.self) == Self.order.placed)
    }

    @Test func equalSetsAndDictionariesHaveEqualJSON() throws {
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let numbers = (0..<50).shuffled(using: &generator)
            let set = Set(numbers)
            let bytes = try encode("json", set, to: Data.self)
            #expect(try bytes == encode("json", Set(0..<50), to: Data.self))
            #expect(try decode("json", bytes, as: Set<Int>.self) == set)
            let ids = Dictionary(uniqueKeysWithValues: numbers.map { (Key(number: $0), $0) })
            let pairs = try encode("json", ids, to: Data.self)
            #expect(pairs.starts(with: Data(#"[{"number":0},0,{"number":10},10,"#.utf8)))
            #expect(try decode("json", pairs, as: [Key: Int].self) == ids)
        }
    }

    struct Key: Codable, Hashable {
        var number: Int
    }

    /// A type that encodes itself as its only value, as a property wrapper does.
    struct Wrapper<Content: Codable>: Codable {
        var content: Content

        init(_ content: Content) { self.content = content }

        init(from decoder: any Decoder) throws {
            content = try decoder.singleValueContainer().decode(Content.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(content)
        }
    }

    @Test(arguments: ["json", "plist"])
    func aWrapperOfASetHasTheEncodedFormOfTheSet(expression: String) throws {
        let set = Set(0..<50)
        let sorted = try encode(expression, set, to: Data.self)
        #expect(try encode(expression, Wrapper(set), to: Data.self) == sorted)
        #expect(try encode(expression, Wrapper(Wrapper(set)), to: Data.self) == sorted)
        let pairs = Dictionary(uniqueKeysWithValues: (0..<50).map { (Key(number: $0), $0) })
        #expect(try encode(expression, Wrapper(pairs), to: Data.self) == encode(expression, pairs, to: Data.self))
    }

    /// The right-hand sides follow from RFC 8259 and the order of UTF-8 bytes.
    @Test(arguments: [
        ("null", "null"), (" [ 1 , true,\n\"\\u00e9\\/\" ] ", "[1,true,\"é/\"]"), ("-0", "-0.0"), ("1.50", "1.5"),
        ("18446744073709551615", "18446744073709551615"), ("-9223372036854775808", "-9223372036854775808"),
        ("1e2", "100.0"), ("{\"b\":1,\"a\":{},\"\\u00e9\":[],\"aa\":2}", "{\"a\":{},\"aa\":2,\"b\":1,\"é\":[]}"),
        ("\"\\ud83d\\ude00\\u0000\\u001f\\\"\\\\\"", "\"😀\\u0000\\u001f\\\"\\\\\""), ("\"\"", "\"\""),
        ("\"\u{7F}\u{2028}\"", "\"\u{7F}\u{2028}\""), ("1e-7", "1e-07"),
        // No digit is lost where 64 bits and a double have too few.
        ("123456789012345678901", "123456789012345678901"), ("-18446744073709551616", "-18446744073709551616"),
        ("[3.14159265358979323846]", "[3.14159265358979323846]"), ("0.12345678901234567e-5", "1.2345678901234567e-06"),
        ("9007199254740993.0", "9007199254740993.0"), ("1e-400", "1e-400"), ("100000.00000000000000000", "100000.0"),
        // Exponents at the limit of 64 bits and beyond.
        ("1.5e-9223372036854775808", "1.5e-9223372036854775808"),
        ("[0.05e-9223372036854775807]", "[0.05e-9223372036854775807]"),
        ("{\"a\":[0.5e-9223372036854775807]}", "{\"a\":[0.5e-9223372036854775807]}"),
        ("[1.5e-99999999999999999999]", "[1.5e-99999999999999999999]"), ("0e99999999999999999999", "0.0"),
    ])
    func rewritesJSONInCanonicalForm(json: String, canonical: String) throws {
        let value = try decode("json", Data(json.utf8), as: JSONValue.self)
        let bytes = try encode("json", value, to: Data.self)
        #expect(String(decoding: bytes, as: UTF8.self) == canonical)
        #expect(try decode("json", bytes, as: JSONValue.self) == value)
    }

    @Test func readsAllDigitsOfADecimal() throws {
        let text = "12345678901234567890.123456789012345678"
        #expect(try decode("json", Data("[\(text)]".utf8), as: [Decimal].self) == [Decimal(string: text) ?? 0])
        #expect(try decode("json", Data("[3.14159265358979323846]".utf8), as: [Double].self) == [.pi])
        expectFailure(.invalidData) { try decode("json", Data("[123456789012345678901]".utf8), as: [Int].self) }
    }

    /// The double that is nearest to the text lies halfway between two floats, of which C's `strtof` returns this one.
    @Test(arguments: [("7.038531e-26", 0x15AE_43FD), ("-7.038531e-26", 0x95AE_43FD)] as [(String, UInt32)])
    func aFloatStaysTheSameBitForBit(text: String, bits: UInt32) throws {
        let json = Data("[\(text)]".utf8)
        #expect(try encode("json", [Float(bitPattern: bits)], to: Data.self) == json)
        #expect(try decode("json", json, as: [Float].self).map(\.bitPattern) == [bits])
    }

    /// The text is below 1 + 2^-24, which lies halfway between two floats.
    @Test func aFloatWithManyDigitsIsTheNearestToAllOfThem() throws {
        let json = Data("[1.000000059604644775390624]".utf8)
        #expect(try decode("json", json, as: [Float].self) == [1])
    }

    @Test(arguments: ["1.2.3", "x", "", "01", "1e", "Infinity"])
    func writesOnlyNumbersAsNumbers(text: String) {
        expectFailure(.invalidData) { try encode("json", JSONValue.number(text), to: Data.self) }
    }

    @Test(arguments: [
        ("", 0), ("tru", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{\"a\" 1}", 5), ("01", 0),
        ("1.", 2), ("+1", 0), (".5", 0), ("1e999", 0), ("\"\\x\"", 1), ("\"\\ud800\"", 1), ("\"\\u12g4\"", 5),
        ("\"a", 0), ("\"\n\"", 1), ("1 2", 2), ("{\"a\":1,\"a\":2}", 7), ("{\"e\\u0301\":1,\"\\u00e9\":2}", 13),
        ("NaN", 0), ("[", 1), ("\u{FEFF}1", 0), ("'a'", 0), ("[1]//", 3), ("nulll", 4),
        ("1.5e9223372036854775807", 0), ("[1.5e9223372036854775807]", 1), ("[1e99999999999999999999]", 1),
    ])
    func rejectsInvalidJSON(json: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode("json", Data(json.utf8), as: JSONValue.self) }
    }

    @Test func rejectsInvalidUTF8AndDeepNesting() throws {
        expectFailure(.invalidData, at: 1) { try decode("json", Data([0x22, 0xC3, 0x22]), as: JSONValue.self) }
        let deep = Data((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)
        _ = try decode("json", deep, as: JSONValue.self)
        let hostile = Data(String(repeating: "[", count: 1_000_000).utf8)
        expectFailure(.limitExceeded, at: 512) { try decode("json", hostile, as: JSONValue.self) }
        expectFailure(.limitExceeded, at: 512 * 5) {
            try decode("json", Data(String(repeating: "{\"a\":", count: 100_000).utf8), as: JSONValue.self)
        }
        var value = JSONValue.null
        for _ in 0...512 { value = .array([value]) }
        expectFailure(.limitExceeded) { try encode("json", value, to: Data.self) }
    }

    @Test func errorsIncludeThePathOfAMismatch() throws {
        let json = Data(#"{"lines":[{"name":"a","count":1,"price":"1"},{"name":7}]}"#.utf8)
        let error = #expect(throws: TransformerError.self) { try decode("json", json, as: [String: [Order.Line]].self) }
        #expect(error?.message == "at lines[1].name: expected a string, not a number")
        expectFailure(.invalidData) { try decode("json", Data("300".utf8), as: UInt8.self) }
        expectFailure(.invalidData) { try decode("json", Data("1.5".utf8), as: Int.self) }
        expectFailure(.invalidData) { try decode("json", Data("null".utf8), as: Int.self) }
        expectFailure(.invalidData) { try decode("json", Data("{}".utf8), as: Order.self) }
        expectFailure(.invalidData) { try decode("json", Data("\"2015-09-31T00:00:00Z\"".utf8), as: Date.self) }
        #expect(try decode("json", Data("3.0".utf8), as: Int.self) == 3)
        #expect(try decode("json", Data("[1,null]".utf8), as: [Int?].self) == [1, nil])
        #expect(try decode("json", Data("null".utf8), as: Int?.self) == nil)
    }

    @Test func rejectsNumbersThatJSONLacks() {
        let error = #expect(throws: TransformerError.self) {
            try encode("json", ["a": [1, Double.nan]], to: Data.self)
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "at a[1]: JSON cannot represent the number nan")
        expectFailure(.invalidValue) { try encode("json", JSONValue.double(.infinity), to: Data.self) }
        expectFailure(.unsupportedType) { try standardRegistry().resolve("json", for: NoCode.self) }
    }

    struct NoCode {}

    class Animal: Codable {
        var name = "Rex"
    }

    final class Dog: Animal {
        var age = 3

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            age = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .age)
            try super.init(from: decoder.container(keyedBy: Keys.self).superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(age, forKey: .age)
            try super.encode(to: container.superEncoder())
        }

        enum Keys: String, CodingKey { case age }
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case polygon([[Int]])
        case empty
    }

    @Test func supportsSynthesizedCodable() throws {
        let bytes = try encode("json", Dog(), to: Data.self)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"age":3,"super":{"name":"Rex"}}"#)
        #expect(try decode("json", bytes, as: Dog.self).name == "Rex")
        for shape in [Shape.circle(radius: 1), .polygon([[1, 2], []]), .empty] {
            #expect(try decode("json", try encode("json", shape, to: Data.self), as: Shape.self) == shape)
            #expect(try decode("plist", try encode("plist", shape, to: Data.self), as: Shape.self) == shape)
        }
        #expect(try encode("json", [1: "a"], to: Data.self) == Data(#"{"1":"a"}"#.utf8))
    }

    struct Split: Codable {
        enum CodingKeys: CodingKey { case parts, list, base, x, y, last }

        init() {}
        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var first = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .parts)
            try first.encode(1, forKey: .x)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try container.encode(["x": 3], forKey: .base)
            var again = encoder.container(keyedBy: CodingKeys.self)
            var second = again.nestedContainer(keyedBy: CodingKeys.self, forKey: .parts)
            try second.encode(2, forKey: .y)
            var rest = container.nestedUnkeyedContainer(forKey: .list)
            try rest.encode(2)
            var more = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .base)
            try more.encode(4, forKey: .y)
            try container.encode(["x": 5, "y": 6], forKey: .last)
            try container.encode(["x": 7], forKey: .last)
        }
    }

    struct Merged: Codable, Equatable {
        var parts: [String: Int]
        var list: [Int]
        var base: [String: Int]
        var last: [String: Int]
    }

    /// As with `JSONEncoder`: what is added to a container that was requested before is added to the same container, and
    /// a value that is encoded again replaces the former one.
    @Test(arguments: ["json", "plist"])
    func aNestedContainerThatIsRequestedTwiceIsTheSame(expression: String) throws {
        let expected = Merged(parts: ["x": 1, "y": 2], list: [1, 2], base: ["x": 3, "y": 4], last: ["x": 7])
        #expect(try JSONDecoder().decode(Merged.self, from: JSONEncoder().encode(Split())) == expected)
        #expect(try decode(expression, encode(expression, Split(), to: Data.self), as: Merged.self) == expected)
    }

    /// A dictionary that omits what it cannot encode.
    struct LenientObject: Codable {
        enum CodingKeys: CodingKey { case first, second }

        init() {}
        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try? container.encode(["a": 1, "b": Double.nan], forKey: .first)
            try container.encode(["a": 1], forKey: .second)
            try? container.encode(["a": Double.nan], forKey: .second)
        }
    }

    /// A list that omits what it cannot encode.
    struct LenientList: Codable {
        init() {}
        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            for number in [1, Double.infinity, 2] { try? list.encode([number]) }
        }
    }

    /// The expected values are those of `JSONEncoder`, which crashes on Linux if a type has both kinds of omissions.
    @Test func addsNothingForAValueThatCannotBeEncoded() throws {
        #expect(try JSONEncoder().encode(LenientObject()) == Data(#"{"second":{"a":1}}"#.utf8))
        let object = try decode("json", encode("json", LenientObject(), to: Data.self), as: JSONValue.self)
        #expect(object == ["second": ["a": 1]])
        #expect(try JSONEncoder().encode(LenientList()) == Data("[[1],[2]]".utf8))
        let list = try decode("json", encode("json", LenientList(), to: Data.self), as: JSONValue.self)
        #expect(list == [[1.0], [2.0]])
    }

    @Test func readsFoundationsJSONAndViceVersa() throws {
        let value: JSONValue = ["a": [1, 2.5, true, nil, "x/\u{1}"], "b": ["c": -7]]
        #expect(try decode("json", try JSONEncoder().encode(value), as: JSONValue.self) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: encode("json", value, to: Data.self)) == value)
        #expect(
            try decode("json(pretty: true)", encode("json(pretty: true)", value, to: Data.self), as: JSONValue.self)
                == value
        )
    }
}
