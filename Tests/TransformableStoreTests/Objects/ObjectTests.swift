import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore
import _HostileInputs

@Suite(.eachEngine) struct ObjectTests {
    // 2^53 is the first number that a double cannot distinguish from its successor.
    @Test(arguments: [
        ("i", "9007199254740992", true), ("i", "9007199254740993", false), ("i", "-1", true), ("i", "-2", false),
        ("d", "0.1", true), ("d", "0.10000000000000000001", false), ("d", "-0.5", true), ("d", "-0.51", false),
        ("f", "2.5", true), ("f", "2.6", false), ("f", "-1e300", true),
    ])
    func aRangeIsExact(name: String, text: String, isValid: Bool) throws {
        let model = try Model(entities: [
            EntityDescription(
                "A",
                attributes: [
                    .int64("i", .optional, .range(-1.5...9_007_199_254_740_992)),
                    .decimal("d", .optional, .range(-0.5...0.1)),
                    .double("f", .optional, .range(-Double.infinity...2.5)),
                ]
            )
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let write = { @Sendable (context: StoreContext) in try context.insert("A").setValue(text: text, for: name) }
        guard !isValid else { return try store.write(write) }
        #expect(throws: StoreError(code: .invalidValue)) { try store.write(write) }
    }

    @Test(arguments: [("a", true), ("ab", true), ("abc", false), ("ab\n", false), ("xab", false), ("", false)])
    func aPatternMatchesTheWholeText(text: String, isValid: Bool) throws {
        let model = try Model(entities: [EntityDescription("A", attributes: [.string("t", .pattern("a|ab"))])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let write = { @Sendable (context: StoreContext) in try context.insert("A").setValue(text, for: "t") }
        guard !isValid else { return try store.write(write) }
        #expect(throws: StoreError(code: .invalidValue)) { try store.write(write) }
    }

    @Test func aBlockCanFetchAnObjectThatBreaksARuleSoFar() throws {
        let model = try Model(entities: [EntityDescription("A", attributes: [.string("t", .pattern("a|ab"))])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { context in
            let object = try context.insert("A")
            try object.setValue("abc", for: "t")
            #expect(try context.fetch("A", where: Condition("t == 'abc'")) == [object])
            try object.setValue("ab", for: "t")
            #expect(try context.count("A", where: Condition("t == 'ab'")) == 1)
        }
        #expect(try store.read { try $0.count("A", where: Condition("t == 'ab'")) } == 1)
    }

    /// An update writes after each thousand objects, when the block may not have completed others yet.
    @Test func manyObjectsCanBeUpdatedBesideAnIncompleteOne() throws {
        let model = try Model(entities: [EntityDescription("A", attributes: [.string("t"), .int64("i", .default(0))])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        _ = try store.write { try $0.insert(many: 0..<1000, into: "A") { try $0.setValue("\($1)", for: "t") } }
        try store.write { context in
            let object = try context.insert("A")
            let count = try context.update("A", where: Condition("t != nil")) { try $0.setValue(1, for: "i") }
            #expect(count == 1000)
            try object.setValue("last", for: "t")
        }
        #expect(try store.read { try $0.count("A", where: Condition("i == 1")) } == 1000)
        #expect(try store.read { try $0.count("A") } == 1001)
    }

    /// A fetch that sees pending changes must not take them for what is stored.
    @Test func aFetchBesideAnInvalidObjectLosesNoChange() throws {
        let model = try Model(entities: [EntityDescription("A", attributes: [.string("t", .pattern("a|ab"))])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let id = try store.write { context in
            let object = try context.insert("A")
            try object.setValue("a", for: "t")
            return object.id
        }
        try store.write { context in
            let invalid = try context.insert("A")
            try invalid.setValue("abc", for: "t")
            try context.fault(id).setValue("ab", for: "t")
            #expect(try context.fetch("A").count == 2)
            try invalid.setValue("a", for: "t")
        }
        #expect(try store.read { try $0.object(id).value("t", as: String.self) } == "ab")
    }

    private func people() throws -> Store {
        try Store.trial(model: Models.person(), transformers: Transformers().registry())
    }

    @Test func thereIsOneObjectForEachRow() throws {
        let store = try people()
        let id = try store.addPerson("Ada")
        try store.write { context in
            let person = try context.object(id)
            #expect(try context.object(id) === person)
            #expect(try context.fetch("Person").first === person)
            try person.setValue("Bea", for: "name")
            #expect(try context.first("Person", where: Field("name") == "Bea") === person)
            #expect(try person.value("name", as: String.self) == "Bea")
        }
    }

    /// A program can get an id from outside, such as the one that is given out next.
    @Test(arguments: [true, false]) func aFaultWithoutARowBecomesTheNewObjectWithItsID(isEditing: Bool) throws {
        let store = try people()
        let id = ObjectID(entity: "Person", number: 1)
        func insert(_ context: StoreContext) throws {
            let fault = try context.fault(id)
            #expect(throws: StoreError(code: .noSuchObject)) { try fault.value("name", as: String.self) }
            let person = try context.insert("Person")
            #expect(person.id == id)
            #expect(person === fault)
            try person.setValue("Ada", for: "name")
            #expect(try context.fetch("Person") == [person])
            try context.save()
        }
        if isEditing { try insert(store.makeContext()) } else { try store.write { try insert($0) } }
        #expect(try store.names(where: .all) == ["Ada"])
    }

    @Test func thereIsOneObjectForEachOfManyRows() throws {
        let store = try people()
        var random = SeededGenerator(seed: 7)
        var numbers = Array(Int64(1)...5000)
        numbers.shuffle(using: &random)
        let shuffled = numbers
        try store.write { context in
            for number in 1...5000 { try context.insert("Person").setValue("\(number)", for: "name") }
        }
        try store.read { (context: StoreContext) throws in
            var kept: [Int64: ManagedObject] = [:]
            for (index, number) in shuffled.enumerated() {
                let object = try context.object(ObjectID(entity: "Person", number: number))
                if index % 3 != 0 { kept[number] = object }
            }
            // A third of them were released. The others are found, and the released ones are created again.
            let all = try context.fetch("Person")
            #expect(all.map(\.id.number) == Array(1...5000))
            #expect(all.allSatisfy { kept[$0.id.number] == nil || kept[$0.id.number] === $0 })
        }
    }

    @Test func anErrorRollsEverythingBack() throws {
        struct Stop: Error {}
        let store = try people()
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.insert("Person").setValue("Ada", for: "name")
                try context.save()
                throw Stop()
            }
        }
        #expect(try store.names(where: .all) == [])
    }

    @Test func errorsNameAMissingValue() throws {
        let error = #expect(throws: StoreError.self) {
            try people().write { context in _ = try context.insert("Person") }
        }
        #expect(error?.code == .missingValue)
        #expect(error?.attribute == "name")
    }

    @Test func settingTheSameValueChangesNothing() throws {
        let store = try people()
        let id = try store.addPerson("Ada", secret: "hush")
        let before = try store.read { try $0.object(id).encodedBytes("secret") }
        try store.write { context in
            let person = try context.object(id)
            try person.setValue("hush", for: "secret")
            try person.setValue("Ada", for: "name")
            #expect(person.changedAttributes == ["name", "secret"])
            try context.save()
            #expect(person.changedAttributes == [])
        }
        #expect(try store.read { try $0.object(id).encodedBytes("secret") } == before)
        try store.write { try $0.object(id).setValue("other", for: "secret") }
        #expect(try store.read { try $0.object(id).encodedBytes("secret") } != before)
    }

    @Test func aDeletedObjectCannotBeUsed() throws {
        let store = try people()
        let id = try store.addPerson("Ada")
        try store.write { context in
            let person = try context.object(id)
            try context.delete(person)
            #expect(person.isDeleted)
            #expect(try context.objectIfPresent(id) == nil)
            #expect(throws: StoreError(code: .noSuchObject)) { try person.value("age", as: Int?.self) }
            #expect(try context.count("Person") == 0)
        }
        #expect(throws: StoreError(code: .noSuchObject)) { try store.read { _ = try $0.object(id) } }
    }

    @Test func rejectsOtherTypesAndNames() throws {
        let store = try people()
        let id = try store.addPerson("Ada")
        try store.write { context in
            let person = try context.object(id)
            #expect(throws: StoreError(code: .wrongType)) { try person.value("name", as: Date.self) }
            #expect(throws: StoreError(code: .wrongType)) { try person.setValue(1, for: "name") }
            #expect(try person.value("name", as: String.self) == "Ada")
            #expect(throws: StoreError(code: .wrongType)) { try person.setValue(any: "x", for: "box") }
            #expect(throws: StoreError(code: .unknownAttribute)) { try person.value("nam", as: String.self) }
            #expect(throws: StoreError(code: .missingValue)) { try person.value("age", as: Int.self) }
            #expect(throws: StoreError(code: .unknownEntity)) { try context.insert("Persons") }
        }
        #expect(throws: StoreError(code: .readOnly)) { try store.read { try $0.object(id).setValue("x", for: "name") } }
    }

    @Test func defaultsAreSetImmediately() throws {
        let model = try Model(entities: [
            EntityDescription(
                "Thing",
                attributes: [
                    .string("text", .default("x")), .int16("small", .default(7)), .float("ratio", .default(0.5)),
                    .boolean("flag", .default(true)), .date("made", .default(.now)), .uuid("key", .default(.newUUID)),
                    .decimal("price", .default("1.10")), .date("day", .default("2024-02-29")),
                    .transformed("box", "box", as: Box.self, .default("1x2")),
                ]
            )
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { context in
            let thing = try context.insert("Thing")
            #expect(try thing.value("text", as: String.self) == "x")
            try context.save()
            #expect(try thing.value("small", as: Int16.self) == 7)
            #expect(try thing.value("ratio", as: Float.self) == 0.5)
            #expect(try thing.value("box", as: Box.self) == Box(width: 1, height: 2))
            #expect(try thing.value("price", as: Decimal.self).description == "1.1")
            // 2024-02-29 is day 8,459 after 2001-01-01.
            #expect(try thing.value("day", as: Date.self).timeIntervalSinceReferenceDate == 8459 * 86400)
        }
        #expect(try store.read { try $0.count("Thing", where: Condition("flag == true and small = 7")) } == 1)
    }

    @Test func defaultsAreExactWithAnyTransformer() throws {
        let attributes: [AttributeDescription] = [
            .transformed("count", "integer-text", as: Int.self, .default(1)),
            .transformed("half", "double-text", as: Double.self, .default(0.5)),
            .transformed("exact", "decimal", as: Decimal.self, .default(738_032_340.5)),
            .transformed("yes", "bool", as: Bool.self, .default(true)),
            .transformed("made", "iso8601", as: Date.self, .default(.now)),
            .decimal("amount", .default(738_032_340.5)), .date("time", .default("2024-05-22T00:59:00Z")),
        ]
        let model = try Model(entities: [EntityDescription("Thing", attributes: attributes)])
        let store = try Store.trial(model: model, transformers: TransformerRegistry { StandardPlugin() })
        let thing = try store.write { try $0.insert("Thing").id }
        try store.read { context in
            let thing = try context.object(thing)
            #expect(try thing.value("count", as: Int.self) == 1)
            #expect(try thing.value("half", as: Double.self) == 0.5)
            #expect(try thing.value("exact", as: Decimal.self).description == "738032340.5")
            #expect(try thing.value("yes", as: Bool.self))
            #expect(try thing.value("made", as: Date.self) <= .now)
            #expect(try thing.value("amount", as: Decimal.self).description == "738032340.5")
            #expect(try thing.value("time", as: Date.self).timeIntervalSinceReferenceDate == 738_032_340)
        }
    }

    @Test func rejectsADefaultThatATransformerDoesNotAccept() throws {
        let attribute = AttributeDescription.transformed("name", "text", as: String.self, .default(1))
        let model = try Model(entities: [EntityDescription("Thing", attributes: [attribute])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        #expect(throws: StoreError(code: .wrongType)) { try store.write { _ = try $0.insert("Thing") } }
    }

    @Test(arguments: [
        URL(string: "../b?c#d", relativeTo: URL(string: "https://example.com/a/")),
        URL(string: "b", relativeTo: URL(string: "a/")), URL(fileURLWithPath: "b c"),
        URL(string: "https://example.com"),
        URL(string: "b"),
    ])
    func keepsTheBaseOfAURL(url: URL?) throws {
        let url = try #require(url)
        let model = try Model(entities: [EntityDescription("Page", attributes: [.url("url", .unique)])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { try $0.insert("Page").setValue(url, for: "url") }
        try store.read { context in
            let page = try context.fetch("Page", where: Field("url") == url)[0]
            let found = try page.value("url", as: URL.self)
            #expect(found == url && found.baseURL == url.baseURL && found.relativeString == url.relativeString)
            #expect(try context.count("Page", where: Field("url") == url.absoluteURL) == (url.baseURL == nil ? 1 : 0))
        }
    }

    @Test(arguments: [
        ("age", "200"), ("age", "-1"), ("name", "Toolong"), ("name", ""), ("name", "ada"),
    ])
    func validatesWhenSaving(name: String, text: String) throws {
        let model = try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [
                    .integer("age", .range(0...150), .default(1)),
                    .string("name", .length(1...5), .pattern("[A-Z].*"), .default("Ada")),
                ]
            )
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Person").setValue(text: text, for: name) }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.attribute == name)
    }

    @Test func errorsCountASingleCharacter() throws {
        let note = EntityDescription("Note", attributes: [.string("text", .length(2...), .default("ab"))])
        let store = try Store.trial(model: Model(entities: [note]), transformers: Transformers().registry())
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Note").setValue("a", for: "text") }
        }
        #expect(error?.message == "the value has 1 character, but must have at least 2")
    }

    @Test func uniqueValuesOccurOnce() throws {
        let model = try Model(entities: [
            EntityDescription(
                "A",
                attributes: [.string("x", .unique), .integer("y"), .integer("z")],
                unique: [["y", "z"]]
            )
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let add: @Sendable (String, Int, Int) throws -> Void = { x, y, z in
            try store.write { context in
                let object = try context.insert("A")
                try object.setValue(x, for: "x")
                try object.setValue(y, for: "y")
                try object.setValue(z, for: "z")
            }
        }
        try add("a", 1, 1)
        let error = #expect(throws: StoreError.self) { try add("a", 1, 2) }
        #expect(error?.code == .notUnique)
        #expect(error?.attribute == "x")
        let compound = #expect(throws: StoreError.self) { try add("b", 1, 1) }
        #expect(compound?.message.contains("y and z") == true)
        try add("b", 1, 2)
    }

    @Test func aBlockInsideAnotherIsAnError() throws {
        let store = try people()
        #expect(throws: StoreError(code: .misuse)) { try store.write { _ in try store.addPerson("x") } }
        #expect(throws: StoreError(code: .misuse)) { try store.read { _ in _ = try store.names(where: .all) } }
    }

    @Test func worksAsynchronously() async throws {
        let store = try people()
        let id = try await store.write { context in
            let person = try context.insert("Person")
            try person.setValue("Ada", for: "name")
            return person.id
        }
        let name = try await store.read { try $0.object(id).value("name", as: String.self) }
        #expect(name == "Ada")
    }

    enum Level: String, Sendable { case low, high }

    @Test func storesEnumerationsByTheirRawValue() throws {
        let model = try Model(entities: [EntityDescription("A", attributes: [.raw("level", as: Level.self)])])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { try $0.insert("A").setValue(Level.high, for: "level") }
        try store.read { (context: StoreContext) throws in
            #expect(
                try context.fetch("A", where: Field("level") == Level.high).first?.value("level", as: Level.self)
                    == .high
            )
            #expect(try context.count("A", where: Condition("level == 'high'")) == 1)
        }
    }

    @Test func encodesWhenSetOnRequest() throws {
        let model = try Model(entities: [
            EntityDescription(
                "A",
                attributes: [.transformed("s", "text(encoding: latin-1)", as: String.self, .encode(.onSet))]
            )
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try? store.write { context in
            let object = try context.insert("A")
            #expect(throws: StoreError(code: .invalidValue)) { try object.setValue("日", for: "s") }
        }
    }
}
