import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableTesting

/// The laws of every transformer, by their names and with their arguments.
@Suite struct LawTests {
    private static let texts = [
        "", "a", "Two Words", "one two three", "Straße 12", "e\u{301}\u{E9}", "👨‍👩‍👧 x", "\u{0}\u{1F}", "Ünï", "0123456789",
    ]

    @Test(arguments: [
        "text", "uppercase", "lowercase", "capitalized", "camel-case", "lower-camel-case", "snake-case", "kebab-case",
        "reversed", "nfc", "trim", "digits", "first(count: 2)", "last(count: 2)", "remove-diacritics", "latin",
        "transliterate(transform: \"Any-Hex\")",
    ])
    func textObeysTheLaws(expression: String) throws {
        try check(expression, Self.texts)
    }

    @Test(arguments: [CompressionFormat.zlib, .gzip])
    func dataThatCannotBeDecompressedIsNotCompressed(format: CompressionFormat) {
        assertTransformerLaws(
            of: CompressionTransformer(format, limit: 300),
            values: [Data([1, 2, 3])],
            refusing: [Data(count: 301)],
            limiting: [Data(count: 300), Data(count: 5000)]
        )
    }

    private static let bytes = [
        Data(), Data([0]), Data([255, 254]), Data([1, 2, 3]), Data("hello hello".utf8), Data(repeating: 7, count: 300),
    ]

    @Test(arguments: [
        "base16", "base16(lowercase: true)", "base32", "base32(padding: false)", "base64", "base64(padding: false)",
        "base64url", "base64url(padding: true)", "base85", "deflate", "zlib", "gzip", "gzip(level: 0)",
    ])
    func bytesObeyTheLaws(expression: String) throws {
        try check(expression, Self.bytes)
    }

    @Test(arguments: [
        "int64", "int64(order: big)", "integer-text", "integer", "json", "plist", "plist(format: xml)",
        "list(of: (integer-text))",
    ])
    func integersObeyTheLaws(expression: String) throws {
        if expression.hasPrefix("list") {
            try check(expression, [[], [1], [Int.min, 0, Int.max]])
        } else {
            try check(expression, [0, 1, -1, 255, 65_536, Int.min, Int.max])
        }
    }

    @Test(arguments: ["int8", "int16", "int32", "uint8", "uint16(order: big)", "uint32(order: big)", "uint64"])
    func smallIntegersObeyTheLaws(expression: String) throws {
        try check(expression, [0, 1, 100, 127])
        let transformer = try standardRegistry().transformer(expression, for: Int.self)
        let refused = expression.hasPrefix("u") ? [-1] : [Int.max, Int.min]
        assertTransformerLaws(of: transformer, values: [5], refusing: refused)
    }

    @Test(arguments: ["double", "double(order: big)", "double-text", "json", "real", "number-format", "plist"])
    func doublesObeyTheLaws(expression: String) throws {
        try check(expression, [0, -0.0, 1, -1.5, 12345.678, 1e15, .leastNormalMagnitude])
    }

    @Test(arguments: ["float", "double-text", "json", "real"])
    func floatsObeyTheLaws(expression: String) throws {
        try check(expression, [Float(0), 0.1, -1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    }

    @Test(arguments: ["decimal", "json"])
    func decimalsObeyTheLaws(expression: String) throws {
        let texts = ["0", "0.1", "-12.50", "1e127", "1e-128", "99999999999999999999999999999999999999"]
        try check(expression, texts.compactMap { Decimal(string: $0) })
    }

    @Test(arguments: ["bool", "bool(true: yes, false: no)", "integer", "json", "plist"])
    func booleansObeyTheLaws(expression: String) throws {
        try check(expression, [true, false]) { !$0 && $1 }
    }

    private static let dates = [-62_135_596_800, -0.25, 0, 0.1, 978_307_200, 1_443_164_400.678, 253_402_300_799]
        .map { Date(timeIntervalSince1970: $0) }

    @Test(arguments: [
        "iso8601", "iso8601(fraction: 0)", "iso8601(fraction: 3)", "unix-time", "unix-time(unit: milliseconds)",
        "unix-time(unit: nanoseconds, form: integer)", "unix-time(form: integer)", "reference-time",
        "reference-time | double", "unix-time(form: integer) | int64",
        "date-format(pattern: \"MMMM d, yyyy\")", "json", "json(dates: reference)", "json(dates: unix)", "plist",
    ])
    func datesObeyTheLaws(expression: String) throws {
        let isShort = expression.contains("nanoseconds")
        try check(expression, isShort ? Array(Self.dates.dropFirst().dropLast()) : Self.dates)
    }

    @Test(arguments: ["rfc2822", "http-date"])
    func modernDatesObeyTheLaws(expression: String) throws {
        try check(expression, Array(Self.dates.dropFirst()))
    }

    @Test(arguments: ["url", "url(relative: true)", "json", "plist"])
    func urlsObeyTheLaws(expression: String) throws {
        let texts = ["http://www.github.com/", "mailto:ada@example.org", "file:///a%20b?q#f"]
        try check(expression, texts.compactMap { URL(string: $0) })
    }

    @Test(arguments: ["uuid", "uuid(lowercase: true)", "uuid(form: bytes)", "json", "list(of: (uuid))"])
    func uuidsObeyTheLaws(expression: String) throws {
        let ids = ["00000000-0000-0000-0000-000000000000", "4A275FBD-8217-4397-964B-403F4C2B8545"]
            .compactMap(UUID.init)
        if expression.hasPrefix("list") {
            try check(expression, [[], ids])
        } else {
            try check(expression, ids) { $0.uuidString < $1.uuidString }
        }
    }

    @Test func mappingsObeyTheLaws() throws {
        try check("map(pairs: [[1, low], [2, high]])", [1, 2])
        try check("map(pairs: [[1, low], [2, high]], defaultValue: 1, defaultEncoded: other)", [1, 2, 3])
        try check("map(pairs: [[a, 1], [b, 2]])", ["a", "b"])
    }

    @Test(arguments: ["json", "json(pretty: true)"])
    func jsonValuesObeyTheLaws(expression: String) throws {
        let values: [JSONValue] = [
            nil, true, 1, -2.5, "é\u{0}", [], [1, [2, nil]], [:], ["a": 1, "b": ["c": [:]]], .unsignedInteger(.max),
            .integer(.min),
        ]
        try check(expression, values)
    }

    @Test func propertyListValuesObeyTheLaws() throws {
        let values: [PropertyListValue] = [
            .bool(true), .integer(.min), .unsignedInteger(.max), .real(-0.5), .string("é"), .data(Data([1])), .uid(3),
            .date(Date(timeIntervalSinceReferenceDate: 5)), .array([]), .array([.string(""), .array([])]),
            .dictionary(["a": .integer(1), "b": .dictionary([:])]),
        ]
        try check("plist", values)
        try check("plist(format: xml)", values)
    }

    /// Structures with 510 to 515 levels, of which 512 can be read.
    private static let depths = 510...515

    @Test(arguments: ["json", "json(pretty: true)"])
    func deepJSONValuesAreOnlyWrittenIfTheyCanBeRead(expression: String) throws {
        let arrays = Self.depths.map { (1..<$0).reduce(JSONValue.array([])) { inner, _ in [inner] } }
        let objects = Self.depths.map { (1..<$0).reduce(JSONValue.object([:])) { inner, _ in ["a": inner] } }
        let leaves = Self.depths.map { (0..<$0).reduce(JSONValue.null) { inner, _ in [inner] } }
        try check(expression, [[[]]], limited: arrays + objects + leaves)
    }

    @Test(arguments: ["plist", "plist(format: xml)"])
    func deepPropertyListsAreOnlyWrittenIfTheyCanBeRead(expression: String) throws {
        let arrays = Self.depths.map { depth in
            (1..<depth).reduce(PropertyListValue.array([])) { inner, _ in .array([inner]) }
        }
        let leaves = Self.depths.map { depth in
            (0..<depth).reduce(PropertyListValue.string("a")) { inner, _ in .dictionary(["b": inner]) }
        }
        try check(expression, [.array([])], limited: arrays + leaves)
    }

    private struct Folder: Codable, Equatable {
        var folders: [Folder] = []
    }

    /// A folder takes two levels: a dictionary and an array.
    @Test(arguments: ["json", "plist", "plist(format: xml)"])
    func deepTypesAreOnlyWrittenIfTheyCanBeRead(expression: String) throws {
        let folders = (254...258).map { (1..<$0).reduce(Folder()) { inner, _ in Folder(folders: [inner]) } }
        try check(expression, [Folder()], limited: folders)
    }

    @Test func containersObeyTheLaws() throws {
        try check("json", [[:], ["a": [1, 2]], ["b": [], "a": [3]]] as [[String: [Int]]])
        try check("json", [[], [1, 2, 3], [3, 2, 1]] as [Set<Int>])
        try check("plist", [[:], ["a": Data([1])]] as [[String: Data]])
    }

    private func check<Value: Equatable>(
        _ expression: String,
        _ values: [Value],
        limited: [Value] = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        areInIncreasingOrder: ((Value, Value) -> Bool)? = nil
    ) throws {
        let resolved = try standardRegistry().resolve(expression, for: Value.self, ending: .anything)
        func check<Base: OneWayTransformer>(_ base: Base) {
            guard let typed = base as? any OneWayTransformer<Value, Base.Encoded> else {
                Issue.record("\(expression) does not take \(Value.self)", sourceLocation: sourceLocation)
                return
            }
            var laws = TransformerLaws(of: typed, values: values)
            laws.limited = limited
            laws.areInIncreasingOrder = areInIncreasingOrder
            laws.options.damagesPerValue = 48
            assertHolds(laws, sourceLocation: sourceLocation)
        }
        check(resolved.transformer)
    }
}
