import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import _HostileInputs

@Suite struct ConditionTests {
    @Test(arguments: [
        ("", 0), ("3", 1), ("name + 1", 8), ("\"a\"", 3), ("name.@length", 12), ("-name", 5), ("name ==", 7),
        ("== 1", 0), ("name == \"a", 8), ("name == 1 2", 10), ("name & 1", 5),
        ("(name == 1", 10), ("name in 1", 8), ("name in (1", 10), ("name between 1 or 2", 15), ("name is 3", 8),
        ("name not == 1", 9), ("name == 1 and", 13), ("name == 12x", 8), ("name == \"\\x\"", 8), ("name ! 3", 5),
        ("é == 2024-13-01", 6), ("name == 1e400", 8), ("name == -1e-400", 8),
    ])
    func namesTheOffsetOfAMistake(text: String, offset: Int) {
        let error = #expect(throws: StoreError.self) { try Condition(text) }
        #expect(error?.code == .invalidCondition)
        #expect(error?.offset == offset)
    }

    @Test(arguments: [("age # 3", "#"), ("age > 3;", ";"), ("name == a@b", "@")])
    func reportsAnUnexpectedCharacter(text: String, character: String) {
        let error = #expect(throws: StoreError.self) { try Condition(text) }
        #expect(error?.message.hasPrefix("the character “\(character)” has no meaning here") == true)
    }

    @Test(arguments: [
        String(repeating: "(", count: 100_000), String(repeating: "not ", count: 10_000) + "true",
        String(repeating: "(", count: 65) + "true" + String(repeating: ")", count: 65),
    ])
    func limitsNesting(text: String) {
        #expect(throws: StoreError(code: .limitExceeded)) { try Condition(text) }
    }

    @Test func acceptsLongChains() throws {
        let store = try Store.inMemory(model: Models.person(), transformers: Transformers().registry())
        try store.addPerson("7")
        let text = (0..<2000).map { "name == \"\($0)\"" }.joined(separator: " or ")
        #expect(try store.names(where: Condition(text)) == ["7"])
    }

    @Test func acceptsLongChainsFromEitherEnd() throws {
        let store = try Store.inMemory(model: Models.person(), transformers: Transformers().registry())
        try store.addPerson("7")
        let tests = (0..<2000).map { Field("name") == "\($0)" }
        let others = (8..<2000).map { Field("name") != "\($0)" }
        #expect(try store.names(where: tests.reduce(Condition.none) { $0 || $1 }) == ["7"])
        #expect(try store.names(where: tests.reduce(Condition.none) { $1 || $0 }) == ["7"])
        #expect(try store.names(where: others.reduce(Condition.all) { $1 && $0 }) == ["7"])
    }

    private static let dates = (0..<4).map { Date(timeIntervalSinceReferenceDate: Double($0) * 86400) }

    private func kinds() throws -> Store {
        let model = try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [
                    .string("name"), .date("day", .optional), .decimal("price", .optional), .uuid("key", .optional),
                    .boolean("flag", .optional), .float("ratio", .optional), .string("größe", .optional),
                ]
            )
        ])
        let store = try Store.inMemory(model: model, transformers: Transformers().registry())
        try store.write { context in
            for number in 0..<4 {
                let object = try context.insert("Person")
                try object.setValue(["a%b", "a\0c", "E\u{301}", ""][number], for: "name")
                try object.setValue(Self.dates[number], for: "day")
                try object.setValue([Decimal(9), Decimal(10), Decimal(string: "9.50"), nil][number], for: "price")
                try object.setValue(
                    number == 2 ? UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") : nil,
                    for: "key"
                )
                try object.setValue(number % 2 == 0, for: "flag")
                try object.setValue(Float(number) / 10, for: "ratio")
                try object.setValue("\(number)", for: "größe")
            }
        }
        return store
    }

    static let cases: [(String, [Int64])] = [
        ("day == 2001-01-02", [2]), ("day > \"2001-01-02T00:00:00Z\"", [3, 4]), ("day < 2001-01-01T01:00:00+01:00", []),
        ("day <= 2001-01-01T01:00:00+01:00", [1]), ("day between 2001-01-02 and 2001-01-03", [2, 3]),
        ("price > 9.5", [2]), ("price >= 9.5", [2, 3]), ("price == 9.5", [3]), ("price != 9.5", [1, 2, 4]),
        ("price in (9, \"10.0\", null)", [1, 2, 4]), ("key == '00112233-4455-6677-8899-aabbccddeeff'", [3]),
        ("flag == true", [1, 3]), ("flag", [1, 3]), ("not flag == true", [2, 4]), ("ratio == 0.1", [2]),
        ("name contains '%'", [1]), ("name contains \"\\u0000\"", [2]), ("name startsWith \"a\\u0000\"", [2]),
        ("name endsWith 'c'", [2]), ("name like 'a%b'", [1]), ("name like 'a_c'", [2]), ("name like 'A%'", []),
        ("name like ''", [4]), ("name like '%'", [1, 2, 3, 4]), ("name not like 'a%'", [3, 4]),
        // The stored text is not composed, and text is compared as in Swift.
        ("name == '\u{C9}'", [3]), ("name contains 'E'", []), ("name > 'F'", [1, 2, 3]), ("name like '\u{C9}'", [3]),
        ("name == 'E\u{301}'", [3]), ("name == ''", [4]), ("name contains ''", [1, 2, 3, 4]),
        ("größe == '1' or `größe` == '2'", [2, 3]), ("_id in (1, 4)", [1, 4]), ("_id > 2.5", [3, 4]),
        ("true", [1, 2, 3, 4]), ("false or not true", []), ("name IN ()", []), ("price IS NOT NULL", [1, 2, 3]),
        ("NOT (price == 9 AND flag == true)", [2, 3, 4]), ("!(flag == false) && ratio < 0.15", [1]),
        ("not flag", [2, 4]), ("!flag", [2, 4]), ("!(flag)", [2, 4]), ("flag and ratio < 0.15", [1]),
        ("`flag`", [1, 3]),
        ("ratio < 0.15 && flag", [1]), ("flag || ratio == 0.1", [1, 2, 3]), ("not not flag", [1, 3]),
        ("(flag) == true", [1, 3]), ("flag == flag", [1, 2, 3, 4]), ("_id between 2 and 3 and flag", [3]),
        ("flag or _id not between 1 and 3", [1, 3, 4]), ("_id BETWEEN 1 AND 2 AND NOT flag", [2]),
        ("price between 9.2 and 10 || flag", [1, 2, 3]),
        ("0.1 in (ratio)", [2]), ("0.1 between ratio and ratio", [2]), ("1 not in (flag, _id)", [2, 4]),
        ("'9.50' in (price, name)", [3]), ("'00112233-4455-6677-8899-aabbccddeeff' in (name, key)", [3]),
    ]

    @Test(arguments: cases)
    func findsMatchingObjects(text: String, numbers: [Int64]) throws {
        let store = try kinds()
        let condition = try Condition(text)
        #expect(try store.read { try $0.ids("Person", where: condition).map(\.number) } == numbers)
        #expect(try store.read { try $0.count("Person", where: condition) } == numbers.count)
        #expect(try store.read { try $0.exists("Person", where: condition) } == !numbers.isEmpty)
        #expect(try store.read { try $0.count("Person", where: !condition) } == 4 - numbers.count)
    }

    @Test(
        arguments: [
            ("$mode == 'all' or flag", [1, 3]), ("'all' == $mode or flag", [1, 3]), ("$mode != 5 and flag", [1, 3]),
            ("$mode in ('all', 5)", []), ("$mode in (price, 3)", [4]), ("not $mode in (2001-01-01)", [1, 2, 3, 4]),
            ("$mode in (true, null)", [1, 2, 3, 4]), ("$mode == $mode", [1, 2, 3, 4]),
        ] as [(String, [Int64])]
    )
    func nullIsComparedWithValuesOfAnyType(text: String, numbers: [Int64]) throws {
        let store = try kinds()
        let condition = try Condition(text, parameters: ["mode": nil])
        #expect(try store.read { try $0.ids("Person", where: condition).map(\.number) } == numbers)
    }

    @Test(
        arguments: [
            ("page like 'https://%.example.com/%'", [1]), ("page like '%_b'", [1, 2]), ("page contains ' '", []),
            ("page contains '%20'", [1]), ("page contains ''", [1, 2]), ("page startsWith 'https:/'", [1]),
            ("page endsWith[c] '#B'", [2]), ("page contains $part", [2]),
        ] as [(String, [Int64])]
    )
    func aPartOfAURLNeedNotBeAURL(text: String, numbers: [Int64]) throws {
        let model = try Model(entities: [EntityDescription("Link", attributes: [.url("page", .optional)])])
        let store = try Store.inMemory(model: model, transformers: Transformers().registry())
        try store.write { context in
            for page in ["https://www.example.com/a%20b", "http://example.org/#b", nil] {
                try context.insert("Link").setValue(page.flatMap { URL(string: $0) }, for: "page")
            }
        }
        let condition = try Condition(text, parameters: ["part": "/#"])
        #expect(try store.read { try $0.ids("Link", where: condition).map(\.number) } == numbers)
    }

    @Test(arguments: [
        ("nothing == 1", StoreError.Code.unknownAttribute), ("name == 1", .invalidCondition),
        ("flag == 'x'", .invalidCondition), ("day == 'tomorrow'", .invalidCondition),
        ("ratio contains 'x'", .unsupported),
        ("name", .invalidCondition), ("not ratio", .invalidCondition), ("day and flag", .invalidCondition),
        ("nothing or flag", .unknownAttribute),
        ("name < null", .invalidCondition), ("name like 3", .invalidCondition), ("key == 'x'", .invalidCondition),
    ])
    func rejectsInvalidConditions(text: String, code: StoreError.Code) throws {
        let store = try kinds()
        let error = #expect(throws: StoreError.self) {
            try store.read { _ = try $0.fetch("Person", where: Condition(text)) }
        }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("name == Ada", "Ada"), ("name in ('Bob', Ada)", "Ada"), ("name like Ada.Lovelace", "Ada.Lovelace"),
        ("secret == Ada", "Ada"),
    ])
    func asksForQuotesAroundText(condition: String, word: String) throws {
        let store = try Store.inMemory(model: Models.person(), transformers: Transformers().registry())
        let error = #expect(throws: StoreError.self) {
            try store.read { _ = try $0.fetch("Person", where: Condition(condition)) }
        }
        #expect(error?.code == .unknownAttribute && error?.attribute == word)
        let advice = "; if you mean the text “\(word)”, write it in quotes: \"\(word)\""
        #expect(error?.message.hasSuffix(advice) == true, "\(error as Any)")
    }

    /// The umlaut consists of two scalars, unlike in the model.
    @Test func namesCanBeWrittenWithOtherScalars() throws {
        let name = "gro\u{308}ße"
        try kinds()
            .read { (context: StoreContext) throws in
                #expect(try context.count("Person", where: Field(name) == "1") == 1)
                #expect(try context.count("Person", where: Condition("`\(name)` > '1'")) == 2)
                #expect(try context.ids("Person", sortedBy: [.descending(name)]).map(\.number) == [4, 3, 2, 1])
                #expect(try context.aggregate("Person", [.max(name)], groupedBy: [name]).count == 4)
                let rows = try context.values("Person", of: [name])
                #expect(try rows.map { try $0.value(name, as: String.self) } == ["0", "1", "2", "3"])
            }
    }

    @Test func sortsAndLimits() throws {
        let store = try kinds()
        try store.read { (context: StoreContext) throws in
            let descending = try context.ids("Person", sortedBy: [.descending("flag"), .ascending("name")])
            // “É” comes after “a”, in any normalization.
            #expect(descending.map(\.number) == [1, 3, 4, 2])
            #expect(
                try context.ids("Person", sortedBy: [.descending("_id")], limit: 2, offset: 1).map(\.number) == [3, 2]
            )
            #expect(throws: StoreError(code: .unknownAttribute)) {
                try context.fetch("Person", sortedBy: [.ascending("x")])
            }
            #expect(throws: StoreError(code: .invalidCondition)) { try context.fetch("Person", limit: -1) }
        }
    }

    // MARK: - Against Swift's own evaluation

    struct Sample {
        var name: String
        var age: Int?
        var box: Box?
        var secret: String?
    }

    /// A condition, and the equivalent function.
    struct Rule {
        var condition: Condition
        var holds: (Sample) -> Bool
    }

    static func rule(_ depth: Int, _ random: inout SeededGenerator) -> Rule {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return leaf(&random) }
        let left = rule(depth - 1, &random)
        let right = rule(depth - 1, &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return Rule(condition: left.condition && right.condition) { left.holds($0) && right.holds($0) }
        case 1: return Rule(condition: left.condition || right.condition) { left.holds($0) || right.holds($0) }
        default: return Rule(condition: !left.condition) { !left.holds($0) }
        }
    }

    static func leaf(_ random: inout SeededGenerator) -> Rule {
        let age = Int.random(in: 0..<5, using: &random)
        let letter = String("abcd".randomElement(using: &random) ?? "a")
        let box = Box(width: age, height: 1)
        switch Int.random(in: 0..<13, using: &random) {
        case 0: return Rule(condition: Field("age") == age) { $0.age == age }
        case 1: return Rule(condition: Field("age") != age) { $0.age != age }
        case 2: return Rule(condition: Field("age") < age) { $0.age.map { $0 < age } ?? false }
        case 3: return Rule(condition: Field("age") >= Double(age) - 0.5) { $0.age.map { $0 >= age } ?? false }
        case 4: return Rule(condition: Field("age") == nil) { $0.age == nil }
        case 5: return Rule(condition: Field("age").isIn([age, age + 1])) { [age, age + 1].contains($0.age) }
        case 6: return Rule(condition: Field("name").contains(letter)) { $0.name.contains(letter) }
        case 7: return Rule(condition: Field("name").starts(with: letter)) { $0.name.hasPrefix(letter) }
        case 8: return Rule(condition: Field("name") <= letter) { $0.name <= letter }
        case 9: return Rule(condition: Field("box") == box) { $0.box == box }
        case 10: return Rule(condition: Field("box") != nil) { $0.box != nil }
        case 11: return Rule(condition: Field("secret") == letter) { $0.secret == letter }
        default: return Rule(condition: Field("secret") > letter) { $0.secret.map { $0 > letter } ?? false }
        }
    }

    @Test func agreesWithSwift() throws {
        var random = SeededGenerator(seed: 20_260_101)
        let store = try Store.inMemory(model: Models.person(), transformers: Transformers().registry())
        let samples = (0..<200)
            .map { _ in
                Sample(
                    name: String(
                        (0..<Int.random(in: 0..<4, using: &random))
                            .map { _ in "abcd".randomElement(using: &random) ?? "a" }
                    ),
                    age: Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil,
                    box: Bool.random(using: &random)
                        ? Box(width: Int.random(in: 0..<5, using: &random), height: 1) : nil,
                    secret: Bool.random(using: &random) ? String("abcd".randomElement(using: &random) ?? "a") : nil
                )
            }
        for sample in samples {
            try store.addPerson(sample.name, age: sample.age, box: sample.box, secret: sample.secret)
        }
        for round in 0..<300 {
            let rule = Self.rule(4, &random)
            let expected = samples.indices.filter { rule.holds(samples[$0]) }.map { Int64($0 + 1) }
            let condition = rule.condition
            let found = try store.read { try $0.ids("Person", where: condition).map(\.number) }
            try #require(found == expected, "round \(round): \(condition)")
        }
    }
}
