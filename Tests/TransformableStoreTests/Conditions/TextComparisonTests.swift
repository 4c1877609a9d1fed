import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Text is compared by characters as in Swift, regardless of the scalars.
@Suite struct TextComparisonTests {
    static let attributes = ["name", "note", "secret", "loose"]

    static func registry() throws -> TransformerRegistry {
        try TransformerRegistry {
            Registration.text
            Registration("bound", BoundTransformer(key: 42))
            Registration("blind", BlindTransformer(keys: [7]))
            Registration("lowercase", OneWayFunctionTransformer(encode: { (text: String) in text.lowercased() }))
        }
    }

    static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Word",
                attributes: [
                    .string("name", .indexed, .optional), .string("note", .optional),
                    .transformed("secret", "text | bound", as: String.self, .optional, .projected("text | blind")),
                    .transformed(
                        "loose",
                        "text",
                        as: String.self,
                        .optional,
                        .projected("lowercase", as: "lower")
                    ),
                ]
            )
        ])
    }

    /// A comparison, and Swift's result.
    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let condition: @Sendable (Field, [String]) -> Condition
        let holds: @Sendable (String?, [String]) -> Bool
    }

    static let rules: [Rule] = [
        Rule(testDescription: "==") {
            $0 == $1[0]
        } holds: {
            $0 == $1[0]
        },
        Rule(testDescription: "!=") {
            $0 != $1[0]
        } holds: {
            $0 != $1[0]
        },
        Rule(testDescription: "<") {
            $0 < $1[0]
        } holds: { text, other in
            text.map { Characters.precedes($0, other[0]) } ?? false
        },
        Rule(testDescription: "<=") {
            $0 <= $1[0]
        } holds: { text, other in
            text.map { !Characters.precedes(other[0], $0) } ?? false
        },
        Rule(testDescription: ">") {
            $0 > $1[0]
        } holds: { text, other in
            text.map { Characters.precedes(other[0], $0) } ?? false
        },
        Rule(testDescription: ">=") {
            $0 >= $1[0]
        } holds: { text, other in
            text.map { !Characters.precedes($0, other[0]) } ?? false
        },
        Rule(testDescription: "in") {
            $0.isIn($1)
        } holds: { text, others in
            text.map(others.contains) ?? false
        },
        Rule(testDescription: "not in") {
            !$0.isIn($1)
        } holds: { text, others in
            text.map { !others.contains($0) } ?? true
        },
        Rule(testDescription: "contains") {
            $0.contains($1[0])
        } holds: { text, other in
            text.map { Characters.contains($0, other[0]) } ?? false
        },
        Rule(testDescription: "not contains") {
            !$0.contains($1[0])
        } holds: { text, other in
            text.map { !Characters.contains($0, other[0]) } ?? true
        },
        Rule(testDescription: "starts") {
            $0.starts(with: $1[0])
        } holds: { text, other in
            text?.starts(with: other[0]) ?? false
        },
        Rule(testDescription: "ends") {
            $0.ends(with: $1[0])
        } holds: { text, other in
            text.map { $0.reversed().starts(with: other[0].reversed()) } ?? false
        },
    ]

    /// UUIDs are stored as text in uppercase, but not by every other program.
    @Test(arguments: [1, 3, 5000]) func findsUUIDsInLowercase(count: Int) throws {
        let folder = try Folder()
        let model = try Model(entities: [EntityDescription("Item", attributes: [.uuid("key", .optional)])])
        try Store(at: folder.file(), model: model, transformers: TransformerRegistry {}).close()
        try shell(folder.file()) { database in
            let key = "00112233-4455-6677-8899-aabbccddeeff"
            try database.execute(sql: "INSERT INTO Item (key) VALUES ('\(key)'), (NULL)")
        }
        let key = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let others = (1..<count).map { _ in UUID() }
        let condition = count == 1 ? Field("key") == key : Field("key").isIn([key] + others)
        let store = try Store(at: folder.file(), transformers: TransformerRegistry {})
        #expect(try store.read { try $0.ids("Item", where: condition).map(\.number) } == [1])
        #expect(try store.read { try $0.ids("Item", where: !condition).map(\.number) } == [2])
    }

    /// A character with more marks than any language has could be written in more ways than there is time to list.
    @Test(arguments: attributes, [34, 20_000]) func manyMarksAreCompared(attribute: String, count: Int) throws {
        let store = try Store.inMemory(model: Self.model(), transformers: Self.registry())
        let marks = String(repeating: "\u{301}\u{323}", count: count / 2)
        let text = "a\u{E9}x\(marks)"
        // Marks of different classes have no order.
        let same =
            "ae\u{301}x" + String(repeating: "\u{323}", count: count / 2)
            + String(repeating: "\u{301}", count: count / 2)
        try store.insert(many: [text, "a\u{E9}x\u{323}"], into: "Word") { try $0.setValue($1, for: attribute) }
        let found = { (condition: Condition) in try store.read { try $0.count("Word", where: condition) } }
        #expect(try found(Field(attribute) == same) == 1)
        #expect(try found(Field(attribute).starts(with: same)) == 1)
        #expect(try found(Field(attribute).isIn([same + "\u{323}", "b"])) == 0)
    }

    /// Swift's result for parts of a text, by characters.
    private enum Characters {
        /// The order that Swift documents for strings: that of the scalars of the composed form (NFC).
        ///
        /// The `<` of Swift 6.3 departs from it where texts part inside a syllable of Hangul or before a nukta.
        static func precedes(_ text: String, _ other: String) -> Bool {
            // Decomposed first: Foundation leaves some syllables of Hangul in two parts otherwise.
            let (text, other) = (text.decomposedStringWithCanonicalMapping, other.decomposedStringWithCanonicalMapping)
            return text.precomposedStringWithCanonicalMapping.unicodeScalars
                .lexicographicallyPrecedes(other.precomposedStringWithCanonicalMapping.unicodeScalars)
        }

        static func contains(_ text: String, _ part: String) -> Bool {
            let (text, part) = (Array(text), Array(part))
            return text.count >= part.count
                && (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
        }
    }

    static let seeds: [UInt64] = [1, 2]

    private static func words(_ seed: UInt64) -> [String?] {
        var random = RandomText(seed: seed)
        return (0..<400).map { _ in random.maybe() }
    }

    private static func store(_ words: [String?], at url: URL? = nil) throws -> Store {
        let store =
            if let url { try Store(at: url, model: model(), transformers: registry()) } else {
                try Store.inMemory(model: model(), transformers: registry())
            }
        try store.insert(many: words, into: "Word") { word, text in
            for name in attributes { try word.setValue(text, for: name) }
        }
        return store
    }

    /// The stores of each seed's words, which tests only read.
    private static let stores = Dictionary(
        uniqueKeysWithValues: seeds.map { seed in (seed, Result { try Self.store(Self.words(seed)) }) }
    )

    private static func check(_ store: Store, _ words: [String?], _ rule: Rule, _ seed: UInt64) throws {
        var random = RandomText(seed: seed &+ 99)
        for _ in 0..<10 {
            let operands = (0..<3).map { _ in random.next() }
            let expected = words.indices.filter { rule.holds(words[$0], operands) }.map { Int64($0 + 1) }
            for name in attributes {
                let found = try store.read { try $0.ids("Word", where: rule.condition(Field(name), operands)) }
                let scalars = operands.map { $0.unicodeScalars.map { String($0.value, radix: 16) } }
                #expect(found.map(\.number) == expected, "\(name) \(scalars)")
            }
        }
    }

    @Test(arguments: rules, seeds) func findsTheSameTextAsSwift(_ rule: Rule, _ seed: UInt64) throws {
        try Self.check(#require(Self.stores[seed]).get(), Self.words(seed), rule, seed)
    }

    @Test(arguments: ["==", "<", "in", "starts"]) func findsTextInAStoreOfAnEarlierVersion(_ name: String) throws {
        let folder = try Folder()
        let words = Self.words(3)
        try Self.store(words, at: folder.file()).close()
        // It projected text as it was written, and had no index of text that is not composed.
        try shell(folder.file()) { database in
            for index in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE name LIKE '_text.%'")
            {
                try database.execute(sql: "DROP INDEX \"\(index)\"")
            }
            for (index, word) in words.enumerated() {
                guard let word else { continue }
                let blind = BlindTransformer(keys: [7]).encode(Data(word.utf8), in: .none)
                let arguments: StatementArguments = [blind, Data(word.lowercased().utf8), index + 1]
                let sql = "UPDATE Word SET secret_blind = ?, \"lower\" = CAST(? AS TEXT) WHERE _id = ?"
                try database.execute(sql: sql, arguments: arguments)
            }
        }
        let rule = try #require(Self.rules.first { $0.testDescription == name })
        let options = Store.Options(opening: .readOnly)
        do {
            let store = try Store(at: folder.file(), transformers: Self.registry(), options: options)
            try Self.check(store, words, rule, 3)
            let faults = try store.verify().faults.map(\.description)
            #expect(faults == [])
        }
        try Self.check(Store(at: folder.file(), transformers: Self.registry()), words, rule, 3)
    }

    @Test(arguments: ["name", "note"], seeds) func sortsLikeSwift(_ name: String, _ seed: UInt64) throws {
        let words = Self.words(seed)
        let store = try #require(Self.stores[seed]).get()
        let numbers = words.indices.sorted { left, right in
            guard let first = words[left], let second = words[right] else {
                return words[left] == nil && words[right] == nil ? left < right : words[left] == nil
            }
            return first == second ? left < right : Characters.precedes(first, second)
        }
        let found = try store.read { try $0.ids("Word", sortedBy: [.ascending(name)]) }
        #expect(found.map(\.number) == numbers.map { Int64($0 + 1) })
        let first = try store.read { try $0.ids("Word", sortedBy: [.ascending(name)], limit: 70) }
        #expect(first == Array(found.prefix(70)))
    }

    @Test(arguments: seeds) func comparesAttributesWithEachOther(_ seed: UInt64) throws {
        let (names, notes) = (Self.words(seed), Self.words(seed + 50))
        let store = try Self.store(names)
        try store.write { context in
            for (word, note) in zip(try context.fetch("Word"), notes) { try word.setValue(note, for: "note") }
        }
        let count = { (text: String) in try store.read { try $0.count("Word", where: Condition(text)) } }
        let pairs = zip(names, notes)
        let both = pairs.compactMap { name, note in name.flatMap { name in note.map { (name, $0) } } }
        #expect(try count("name == note") == pairs.count { $0 == $1 })
        #expect(try count("name < note") == both.count { Characters.precedes($0, $1) })
        #expect(try count("name contains note") == both.count { Characters.contains($0, $1) })
        #expect(try count("name startsWith note") == both.count { $0.starts(with: $1) })
        #expect(try count("name.@length > note.@length") == both.count { $0.count > $1.count })
    }

    @Test(arguments: ["name", "note"]) func groupsText(name: String) throws {
        let words = Self.words(5)
        let store = try Self.store(words)
        let groups = try store.read { try $0.aggregate("Word", [.count], groupedBy: [name]) }
        let counts = try groups.map { try $0.value(.count, as: Int.self) }
        let expected = Dictionary(grouping: words, by: \.self).mapValues(\.count)
        #expect(counts.count == expected.count)
        let keys = try groups.map { try $0.value(name, as: String?.self) }
        #expect(Dictionary(zip(keys, counts)) { first, _ in first } == expected)
    }

    @Test func returnsTextAndItsExtremesUnchanged() throws {
        let words = Self.words(5)
        let store = try Self.store(words)
        let read = try store.read { try $0.fetch("Word").map { try $0.value("name", as: String?.self) } }
        #expect(read.map { $0.map { Array($0.utf8) } } == words.map { $0.map { Array($0.utf8) } })
        let least = try store.read { try $0.aggregate("Word", [.min("name"), .max("note")]) }
        #expect(try least[0].value(.min("name"), as: String?.self) == words.compactMap(\.self).min())
        #expect(try least[0].value(.max("note"), as: String?.self) == words.compactMap(\.self).max())
    }

    /// A condition on one of the attributes, which equal text satisfies.
    struct Lookup: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let condition: @Sendable (String) -> Condition
    }

    static let equalities: [Lookup] = attributes.flatMap { name in
        [
            Lookup(testDescription: "\(name) ==") { Field(name) == $0 },
            Lookup(testDescription: "\(name) in") { Field(name).isIn([$0, "y"]) },
        ]
    }

    static let beginnings: [Lookup] = attributes.map { name in
        Lookup(testDescription: "\(name) startsWith") { Field(name).starts(with: $0) }
    }

    @Test(
        arguments: [
            "\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}",
            "a\u{323}\u{302}\u{301}\u{328}\u{31B}",
        ],
        equalities + beginnings
    )
    func findsTextWithManyEquivalentForms(_ text: String, lookup: Lookup) throws {
        let words = [text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping, "x"]
        let store = try Self.store(words)
        let condition = lookup.condition(text)
        #expect(try store.read { try $0.ids("Word", where: condition).map(\.number) } == [1, 2, 3])
        #expect(try store.read { try $0.ids("Word", where: !condition).map(\.number) } == [4])
    }

    /// Foundation composes the first three to the same text.
    private static let letters = [
        "\u{C1}", "\u{10041}\u{301}", "\u{20041}\u{301}", "A\u{301}\u{1F600}", "\u{1F600}A\u{301}",
    ]

    static let searches: [(word: String, number: Int64)] =
        letters.enumerated().map { (word: $0.element, number: Int64($0.offset + 1)) }
        + [(word: "A\u{301}", number: 1), (word: "\u{C1}\u{1F600}", number: 4)]

    @Test(arguments: searches, equalities)
    func distinguishesLettersWithTheSameLast16Bits(search: (word: String, number: Int64), lookup: Lookup) throws {
        let store = try Self.store(Self.letters)
        let condition = lookup.condition(search.word)
        #expect(try store.read { try $0.ids("Word", where: condition).map(\.number) } == [search.number])
    }
}
