import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

struct Settings: Codable, Hashable {
    struct Window: Codable, Hashable {
        var title: String
        var width: Double
        var isOpen: Bool
    }

    enum Theme: String, Codable {
        case light, dark
    }

    enum Action: Codable, Hashable {
        case none
        case open(path: String, line: Int)
    }

    var name: String
    var count: Int
    var ratio: Double
    var small: Int8
    var large: UInt64
    var float: Float
    var isOn: Bool
    var missing: String?
    var theme: Theme
    var actions: [Action]
    var created: Date
    var id: UUID
    var home: URL
    var bytes: Data
    var price: Decimal
    var windows: [Window]
    var numbers: [String: Int]
    var byIndex: [Int: String]
    var tags: Set<String>
    var optionals: [Int?]

    static let sample = Self(
        name: "naïve",
        count: -3,
        ratio: 0.1,
        small: -128,
        large: .max,
        float: 1.5,
        isOn: true,
        missing: nil,
        theme: .dark,
        actions: [.none, .open(path: "/tmp", line: 3)],
        created: Date(timeIntervalSinceReferenceDate: 0.5),
        id: ArchivedValueTransformerTests.sampleUUID,
        home: URL(filePath: "/home/ada"),
        bytes: Data([1, 2, 3]),
        price: Decimal(sign: .plus, exponent: -2, significand: 1995),
        windows: [Window(title: "a", width: 640, isOpen: true), Window(title: "b", width: 0.5, isOpen: false)],
        numbers: ["one": 1, "two": 2],
        byIndex: [1: "one", 20: "twenty"],
        tags: ["red", "green", "blue"],
        optionals: [1, nil, 3]
    )
}

@Suite struct KeyedArchiveTransformerTests {
    @Test(arguments: KeyedArchiveFormat.allCases)
    func roundTrips(format: KeyedArchiveFormat) throws {
        let transformer = KeyedArchiveTransformer<Settings>(format: format)
        #expect(try transformer.decode(transformer.encode(.sample)) == .sample)
    }

    @Test func writesPlainValueClasses() throws {
        let bytes = try KeyedArchiveTransformer<Settings>().encode(.sample)
        let value = try ArchivedValueTransformer().decode(bytes)
        #expect(value["name"] == "naïve")
        #expect(value["count"] == -3)
        #expect(value["large"] == .integer(Int128(UInt64.max)))
        #expect(value["isOn"] == true)
        #expect(value["missing"] == nil)
        #expect(value["created"] == .date(Date(timeIntervalSinceReferenceDate: 0.5)))
        #expect(value["tags"] == .set(["blue", "green", "red"]))
        #expect(value["optionals"] == [1, .null, 3])
        #expect(value["byIndex"] == ["1": "one", "20": "twenty"])
        #expect(value["price"] == .decimal(Decimal(sign: .plus, exponent: -2, significand: 1995)))
        #expect(value["home"] == .url(ArchivedURL("file:///home/ada")))
    }

    @Test func foundationReadsTheArchive() throws {
        var settings = Settings.sample
        settings.price = 0
        let bytes = try KeyedArchiveTransformer<[Settings.Window]>().encode(settings.windows)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: bytes)
        unarchiver.requiresSecureCoding = false
        let read = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSArray
        let expected: NSArray = [
            ["title": "a", "width": 640.0, "isOpen": true] as NSDictionary,
            ["title": "b", "width": 0.5, "isOpen": false] as NSDictionary,
        ]
        #expect(read == expected)
    }

    @Test func readsWhatFoundationArchives() throws {
        let windows: NSArray = [
            ["title": "a", "width": 640.25, "isOpen": true] as NSDictionary,
            ["title": NSMutableString(string: "b"), "width": 1, "isOpen": 1] as NSMutableDictionary,
        ]
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: windows, requiringSecureCoding: false)
        let read = try KeyedArchiveTransformer<[Settings.Window]>().decode(bytes)
        #expect(read.map(\.title) == ["a", "b"])
        #expect(read.map(\.width) == [640.25, 1])
        #expect(read.map(\.isOpen) == [true, true])
    }

    /// A coder that does not know decimals writes the parts that `Decimal` encodes itself as.
    @Test(arguments: ["0", "-12345.678901234567890123", "1e127", "-1e-128", "NaN"])
    func readsDecimalsInTheirParts(text: String) throws {
        let decimal = try #require(text == "NaN" ? .nan : Decimal(string: text))
        let parts = try PropertyListEncoder().encode([decimal])
        let list = try PropertyListSerialization.propertyList(from: parts, format: nil)
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: false)
        let read = try KeyedArchiveTransformer<[Decimal]>().decode(bytes)
        #expect(read == [decimal] || (decimal.isNaN && read.allSatisfy(\.isNaN) && read.count == 1))
    }

    @Test(
        arguments: [
            ["exponent": 0], ["exponent": 200, "length": 1, "isNegative": false, "mantissa": [1]],
            ["exponent": 0, "length": 9, "isNegative": false, "mantissa": [1, 2, 3, 4, 5, 6, 7, 8, 9]],
            ["exponent": 0, "length": 2, "isNegative": false, "mantissa": [1]],
            ["exponent": 0, "length": -1, "isNegative": false, "mantissa": [1]],
            ["exponent": 0, "length": 1, "isNegative": false, "mantissa": [65_536]],
            ["exponent": 0, "length": 1, "isNegative": false, "mantissa": "1"], [:],
        ] as [ArchivedValue]
    )
    func rejectsInvalidPartsOfDecimals(parts: ArchivedValue) throws {
        let bytes = try ArchivedValueTransformer().encode(parts)
        let error = #expect(throws: TransformerError.self) { try KeyedArchiveTransformer<Decimal>().decode(bytes) }
        #expect(error?.code == .invalidData)
    }

    @Test(arguments: [
        (3.133, "3.133"), (-0.1, "-0.1"), (5e-5, "0.00005"), (1e20, "100000000000000000000"), (-0.0, "0"),
    ])
    func aRealNumberIsTheDecimalOfItsText(number: Double, text: String) throws {
        let bytes = try ArchivedValueTransformer().encode([.real(number)])
        let read = try KeyedArchiveTransformer<[Decimal]>().decode(bytes)
        #expect(read.map(\.description) == [text])
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, .leastNonzeroMagnitude])
    func rejectsRealNumbersThatAreNotDecimals(number: Double) throws {
        let bytes = try ArchivedValueTransformer().encode([.real(number)])
        let error = #expect(throws: TransformerError.self) { try KeyedArchiveTransformer<[Decimal]>().decode(bytes) }
        #expect(error?.code == .invalidData)
    }

    /// The largest float is (2 − 2^−23) × 2^127 (IEEE 754, binary32).
    @Test func rejectsNumbersThatAreTooLargeForAFloat() throws {
        struct Size: Codable { var width: Float }
        let large = ArchivedValue.real(1e300)
        let errors = [
            #expect(throws: TransformerError.self) {
                try KeyedArchiveTransformer<Float>().decode(ArchivedValueTransformer().encode(large))
            },
            #expect(throws: TransformerError.self) {
                try KeyedArchiveTransformer<[Float]>().decode(ArchivedValueTransformer().encode([large]))
            },
            #expect(throws: TransformerError.self) {
                try KeyedArchiveTransformer<Size>().decode(ArchivedValueTransformer().encode(["width": large]))
            },
        ]
        #expect(errors.map { $0?.code } == [.invalidData, .invalidData, .invalidData])
        let exact = try ArchivedValueTransformer().encode([.real(.infinity), .real(0x1.fffffep127)])
        #expect(try KeyedArchiveTransformer<[Float]>().decode(exact) == [.infinity, .greatestFiniteMagnitude])
    }

    @Test func equalSetsAndDictionariesHaveEqualArchives() throws {
        let transformer = KeyedArchiveTransformer<[String: Set<Int>]>()
        var grown: [String: Set<Int>] = [:]
        for number in 0..<500 {
            grown["\(number % 10)", default: []].insert(number)
        }
        var other: [String: Set<Int>] = [:]
        for number in (0..<500).reversed() {
            other["\(number % 10)", default: []].insert(number)
        }
        #expect(try transformer.encode(grown) == transformer.encode(other))
    }

    @Test func dictionariesWithAnyKeysAreDeterministic() throws {
        let transformer = KeyedArchiveTransformer<[UUID: [Double: Int]]>()
        var values: [(UUID, [Double: Int])] = []
        for number: UInt8 in 0..<100 {
            let uuid = UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            values.append((uuid, [Double(number): 1, 0.5: 2]))
        }
        let dictionary = Dictionary(uniqueKeysWithValues: values)
        let bytes = try transformer.encode(dictionary)
        var other = Dictionary(uniqueKeysWithValues: values.reversed())
        other.reserveCapacity(10_000)
        #expect(try transformer.encode(other) == bytes)
        #expect(try transformer.decode(bytes) == dictionary)
    }

    @Test(arguments: [
        (["name": "x"] as ArchivedValue, "“count” is missing in the archive"),
        (
            ["name": 1, "count": 1] as ArchivedValue,
            "“name” cannot be decoded: it is an integer, but String is expected"
        ),
        (["name": .null, "count": 1] as ArchivedValue, "“name” cannot be decoded: it is null"),
        (
            ["name": "x", "count": 1.5] as ArchivedValue,
            "“count” cannot be decoded: the number cannot be represented as Int"
        ),
        ([] as ArchivedValue, "“root” cannot be decoded: it is an object of class NSArray"),
    ])
    func errorsIncludeThePath(value: ArchivedValue, message: String) throws {
        struct Pair: Codable {
            var name: String
            var count: Int
        }
        let bytes = try ArchivedValueTransformer().encode(value)
        let error = #expect(throws: TransformerError.self) { try KeyedArchiveTransformer<Pair>().decode(bytes) }
        #expect(error?.code == .invalidData)
        #expect(error?.message.hasPrefix(message) == true)
    }

    @Test func findsAKeyAmongMany() throws {
        let numbers = Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("key \($0)", $0) })
        let transformer = KeyedArchiveTransformer<[String: Int]>()
        #expect(try transformer.decode(transformer.encode(numbers)) == numbers)
    }

    /// As with `JSONEncoder`: what is added to a container that was requested before is added to the same container.
    @Test func aNestedContainerThatIsRequestedTwiceIsTheSame() throws {
        struct Split: Codable {
            enum CodingKeys: CodingKey { case parts, list, x, y }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                var first = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .parts)
                try first.encode(1, forKey: .x)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                var again = encoder.container(keyedBy: CodingKeys.self)
                var second = again.nestedContainer(keyedBy: CodingKeys.self, forKey: .parts)
                try second.encode(2, forKey: .y)
                var rest = container.nestedUnkeyedContainer(forKey: .list)
                try rest.encode(2)
            }

            init() {}
            init(from decoder: any Decoder) throws {}
        }
        struct Read: Codable, Equatable {
            var parts: [String: Int]
            var list: [Int]
        }
        let expected = Read(parts: ["x": 1, "y": 2], list: [1, 2])
        #expect(try JSONDecoder().decode(Read.self, from: JSONEncoder().encode(Split())) == expected)
        let bytes = try KeyedArchiveTransformer<Split>().encode(Split())
        #expect(try KeyedArchiveTransformer<Read>().decode(bytes) == expected)
    }

    /// Keys that differ only at the end.
    @Test func longKeysAreDistinct() throws {
        let prefix = String(repeating: "k", count: 100)
        let numbers = Dictionary(uniqueKeysWithValues: (0..<100).map { (prefix + "\($0)", $0) })
        let transformer = KeyedArchiveTransformer<[String: Int]>()
        #expect(try transformer.decode(transformer.encode(numbers)) == numbers)
    }

    @Test func recursionIsLimited() throws {
        final class Node: Codable {
            var next: Node?
        }
        let top = Node()
        var last = top
        for _ in 0..<600 {
            let next = Node()
            last.next = next
            last = next
        }
        let error = #expect(throws: TransformerError.self) { try KeyedArchiveTransformer<Node>().encode(top) }
        #expect(error?.code == .limitExceeded)
    }
}
