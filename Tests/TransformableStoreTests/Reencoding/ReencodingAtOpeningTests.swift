import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Attributes that move to other entities and are also stored in a different way.
@Suite(.eachEngine) struct ReencodingAtOpeningTests {
    private let folder: Folder
    private static let reencoding = Store.Options(changedTransformers: .reencode)

    init() throws {
        folder = try Folder()
    }

    private func open(
        _ version: Int,
        _ entities: [EntityDescription],
        _ options: Store.Options = reencoding,
        steps: [MigrationStep] = []
    ) throws -> Store {
        try Store.trial(
            at: folder.file(),
            model: Model(version: version, entities: entities),
            transformers: Transformers().registry(),
            options: options,
            migrations: steps
        )
    }

    private static func text(_ expression: String) -> AttributeDescription {
        .transformed("text", expression, as: String.self, .optional)
    }

    private static let other = AttributeDescription.transformed("other", "text", as: String.self, .optional)

    /// A parent that declares the text, and two children.
    private static func family(_ text: AttributeDescription, abstract: Bool = true) -> [EntityDescription] {
        [
            EntityDescription("Note", abstract: abstract, attributes: [text, other]),
            EntityDescription("Letter", parent: "Note"), EntityDescription("Memo", parent: "Note"),
        ]
    }

    /// The same where the children declare it.
    private static func children(_ letter: AttributeDescription, _ memo: AttributeDescription) -> [EntityDescription] {
        [
            EntityDescription("Note", abstract: true, attributes: [other]),
            EntityDescription("Letter", parent: "Note", attributes: [letter]),
            EntityDescription("Memo", parent: "Note", attributes: [memo]),
        ]
    }

    private func first(_ entities: [EntityDescription], _ names: [String] = ["Letter", "Memo"]) throws {
        let store = try open(1, entities)
        try store.write { context in
            for name in names {
                let note = try context.insert(name)
                try note.setValue("text of \(name)", for: "text")
                try note.setValue("other", for: "other")
            }
        }
        try store.close()
    }

    private func texts(_ store: Store, _ names: [String] = ["Letter", "Memo"]) throws -> [String] {
        try store.read { context in
            try names.flatMap { try context.fetch($0).map { try $0.value("text", as: String.self) } }
        }
    }

    private static let expected = ["text of Letter", "text of Memo"]

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func followsTheAttributeToTheChildren() throws {
        try first(Self.family(Self.text("text")))
        let sealed = Self.text("text | bound")
        let store = try open(2, Self.children(sealed, sealed))
        #expect(try texts(store) == Self.expected)
        try store.close()
        let cells = try shell(folder.file()) { try Data.fetchAll($0, sql: "SELECT text FROM Letter") }
        #expect(cells.allSatisfy { $0 != Data("text of Letter".utf8) })
        let plain = AttributeDescription.string("text", .optional)
        #expect(try texts(open(3, Self.children(plain, plain))) == Self.expected)
    }

    @Test func followsTheAttributeFromAParentThatKeepsIt() throws {
        try first(Self.family(Self.text("text"), abstract: false), ["Note", "Letter", "Memo"])
        let sealed = Self.text("text | bound")
        var entities = Self.children(sealed, sealed)
        entities[0] = EntityDescription("Note", attributes: [Self.other])
        let store = try open(2, entities)
        #expect(try texts(store) == Self.expected)
        #expect(try store.namesSetAside() == ["Note.text"])
    }

    @Test func followsTheAttributeToTheParent() throws {
        try first(Self.children(Self.text("text"), Self.text("text")))
        let store = try open(2, Self.family(Self.text("text | bound")))
        #expect(try texts(store) == Self.expected)
    }

    @Test func reencodesPartsOfComposites() throws {
        func open(_ version: Int, _ zip: AttributeDescription) throws -> Store {
            let home = CompositeDescription("home", parts: [zip])
            return try self.open(version, [EntityDescription("Note", composites: [home])])
        }
        func zips(_ store: Store) throws -> [String] {
            try store.read { try $0.fetch("Note").map { try $0.value("home_zip", as: String.self) } }
        }
        let store = try open(1, .transformed("zip", "text", as: String.self))
        try store.write { try $0.insert("Note").setValue("123", for: "home_zip") }
        try store.close()
        #expect(try zips(open(2, .transformed("zip", "text | bound", as: String.self))) == ["123"])
        #expect(try zips(open(3, .string("zip"))) == ["123"])
    }

    /// Transformed values cannot have rules.
    @Test func dropsTheRulesOfAPlainAttribute() throws {
        let plain = EntityDescription("Note", attributes: [.string("text", .length(0...20), .pattern("[a-z ]*"))])
        let store = try open(1, [plain])
        try store.write { try $0.insert("Note").setValue("abc", for: "text") }
        #expect(throws: StoreError(code: .unsupported)) {
            try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound")))
        }
        try store.close()
        let sealed = EntityDescription("Note", attributes: [.transformed("text", "text | bound", as: String.self)])
        #expect(try texts(open(2, [sealed]), ["Note"]) == ["abc"])
    }

    @Test(arguments: [
        (EntityDescription("Note", attributes: [.string("text", .unique)]), "its values must be unique"),
        (
            EntityDescription("Note", attributes: [.string("text"), .string("x")], unique: [["x", "text"]]),
            "its values must be unique"
        ),
        (
            EntityDescription("Note", attributes: [.string("text"), .string("y", .derived(.folded("text")))]),
            "“y” is derived from it"
        ),
    ])
    func refusesAnAttributeWhoseValuesAreNeeded(plain: EntityDescription, message: String) throws {
        let store = try open(1, [plain])
        try store.close()
        let sealed = EntityDescription("Note", attributes: [.transformed("text", "text | bound", as: String.self)])
        let error = #expect(throws: StoreError.self) { try open(2, [sealed]) }
        #expect(error?.description.contains(message) == true, "\(error as Any)")
        #expect(error?.description.contains("or convert them in a step") == true)
    }

    /// No version of the model in between has to be opened.
    @Test func leavesToAStepAnAttributeWhoseValuesMustBeUnique() throws {
        let store = try open(1, [EntityDescription("Note", attributes: [.string("text", .unique)])])
        try store.write { try $0.insert("Note").setValue("abc", for: "text") }
        try store.close()
        let sealed = AttributeDescription.transformed("text", "text | bound", as: String.self)
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Note") { note in
                try note.setValue(migration.oldValue("text", of: note, as: String.self), for: "text")
            }
        }
        let opened = try open(2, [EntityDescription("Note", attributes: [sealed])], steps: [step])
        #expect(try texts(opened, ["Note"]) == ["abc"])
    }

    /// The attributes that are re-encoded, the second of which can fail, and a plain one.
    private static func letter(_ text: String, _ second: AttributeDescription) -> [EntityDescription] {
        [EntityDescription("Letter", attributes: [self.text(text), second, .int64("pages", .optional)])]
    }

    private static func second(_ expression: String) -> AttributeDescription {
        .transformed("second", expression, as: String.self, .optional)
    }

    /// Expects that the first model opens the store, reads it, and writes to it, and that nothing is left to finish.
    private func expectUnchanged(_ entities: [EntityDescription], second: [String?]) throws {
        let store = try open(1, entities, Store.Options())
        let letters = try store.read { context in
            try context.fetch("Letter")
                .map { letter in
                    let second = try? letter.value("second", as: String?.self)
                    return [try letter.value("text", as: String?.self), second.flatMap(\.self)]
                }
        }
        #expect(letters == second.map { ["text of Letter", $0] })
        #expect(try store.unfinishedReencodings().isEmpty)
        try store.write { try $0.insert("Letter").setValue("new", for: "text") }
        try store.close()
    }

    private func letters(_ entities: [EntityDescription], second: [String]) throws {
        let store = try open(1, entities)
        try store.write { context in
            for value in second {
                let letter = try context.insert("Letter")
                try letter.setValue("text of Letter", for: "text")
                try letter.setValue(value, for: "second")
            }
        }
        try store.close()
    }

    // The store is opened without a model first, and then with its own model.
    @Test func opensAStoreThatAnotherProgramMigratesInTheMeantime() throws {
        let before = Self.letter("text", Self.second("text"))
        let after = Self.letter("text | bound", Self.second("text"))
        try letters(before, second: ["a"])
        let opening = try StoreOpening(
            model: Model(version: 2, entities: after),
            registry: Transformers().registry(),
            options: Self.reencoding
        )
        var count = 0
        let store = try opening.run(isNew: false) { model, options in
            count += 1
            if count == 2 { try open(2, after).close() }
            return try Store.trial(
                at: folder.file(),
                model: model,
                transformers: Transformers().registry(),
                options: options
            )
        } opened: { opening in
            #expect(opening.prelude == nil)
            return try open(2, after)
        }
        #expect(try texts(store, ["Letter"]) == ["text of Letter"])
        #expect(count == 4)
    }

    // On a server, a program that re-encodes the same values at the same time is in the way of each transaction.
    @Test(.withoutTenants("The opening has a model without tenants."))
    func continuesWhatAnotherProgramWasInTheWayOf() throws {
        try letters(Self.letter("text", Self.second("text")), second: ["a"])
        let opening = try StoreOpening(
            model: Model(version: 2, entities: Self.letter("text | bound", Self.second("text"))),
            registry: Transformers().registry(),
            options: Self.reencoding
        )
        var count = 0
        let attempts = try opening.run(isNew: false) { model, options in
            try Store.trial(
                at: folder.file(),
                model: model,
                transformers: Transformers().registry(),
                options: options
            )
        } opened: { _ in
            count += 1
            guard count > 1 else { throw StoreError(code: .transactionConflict) }
            return count
        }
        #expect(attempts == 2)
    }

    // SQLite checks all views and triggers when a column gets another name, and does not say which one is at fault.
    @Test(
        .sqliteOnly("The view or the trigger is in a file."),
        arguments: [
            "VIEW \"texts\" AS SELECT \"text\" FROM \"Letter\"",
            "TRIGGER \"texts\" AFTER UPDATE ON \"Letter\" BEGIN SELECT new.\"text\"; END",
        ]
    )
    func saysThatAViewOrATriggerMayBeInTheWay(definition: String) throws {
        try letters(Self.letter("text", Self.second("text")), second: ["a"])
        try Trial.run("CREATE \(definition)", in: folder.file())
        let error = #expect(throws: StoreError(code: .statementFailed)) {
            try open(2, Self.letter("text | bound", Self.second("text")))
        }
        #expect(error?.message.contains("a view or a trigger") == true)
    }

    /// A number does not become text, unlike the other attribute, which is sealed as it is.
    @Test func leavesToAStepWhatCannotBeReencoded() throws {
        let store = try open(1, [EntityDescription("Note", attributes: [.int64("age"), .string("text")])])
        try store.write { context in
            let note = try context.insert("Note")
            try note.setValue(7, for: "age")
            try note.setValue("abc", for: "text")
        }
        try store.close()
        let age = AttributeDescription.transformed("age", "text", as: String.self)
        let text = AttributeDescription.transformed("text", "text | bound", as: String.self)
        let after = [EntityDescription("Note", attributes: [age, text])]
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Note") { note in
                let age = try migration.oldValue("age", of: note, as: Int.self)
                try note.setValue("\(age) years", for: "age")
            }
        }
        let plan = try Store.trialPlan(
            at: folder.file(),
            model: Model(version: 2, entities: after),
            transformers: Transformers().registry(),
            options: Self.reencoding,
            migrations: [step]
        )
        let outcomes = plan.changes.filter { $0.subject == .attribute }.map { "\($0.name ?? ""): \($0.outcome)" }
        #expect(outcomes == ["age: added", "text: re-encoded from “string” to “text | bound”", "age: set aside"])
        let opened = try open(2, after, steps: [step])
        let ages = try opened.read { try $0.fetch("Note").map { try $0.value("age", as: String.self) } }
        #expect(ages == ["7 years"])
        #expect(try texts(opened, ["Note"]) == ["abc"])
    }

    /// PostgreSQL has types of its own for these values, and the index is a reason to rebuild the table.
    @Test func decodesValuesIntoATableThatIsRebuilt() throws {
        let registry = try TransformerRegistry { StandardPlugin() }
        func open(_ version: Int, _ attributes: [AttributeDescription]) throws -> Store {
            try Store.trial(
                at: folder.file(),
                model: Model(version: version, entities: [EntityDescription("Note", attributes: attributes)]),
                transformers: registry,
                options: Self.reencoding
            )
        }
        let encoded: [AttributeDescription] = [
            .transformed("price", "decimal", as: Decimal.self), .transformed("isPaid", "bool", as: Bool.self),
            .transformed("key", "uuid", as: UUID.self),
        ]
        let store = try open(1, encoded)
        let price = try #require(Decimal(string: "1.5"))
        let key = UUID()
        try store.write { context in
            let note = try context.insert("Note")
            try note.setValue(price, for: "price")
            try note.setValue(true, for: "isPaid")
            try note.setValue(key, for: "key")
        }
        try store.close()
        let decoded = try open(2, [.decimal("price", .indexed), .boolean("isPaid"), .uuid("key")])
        try decoded.read { context in
            let note = try #require(try context.first("Note"))
            #expect(try note.value("price", as: Decimal.self) == price)
            #expect(try note.value("isPaid", as: Bool.self))
            #expect(try note.value("key", as: UUID.self) == key)
        }
    }

    struct Planned: Error, Equatable {}

    @Test(arguments: [("text", "text | bound"), ("text | bound", "text")])
    func leavesTheStoreAsItWasIfAStepThrows(old: String, new: String) throws {
        let before = Self.letter(old, Self.second(old))
        try letters(before, second: ["a", "b"])
        let after = Self.letter(new, Self.second(new))
        let step = MigrationStep(from: 1, to: 2) { migration in
            let second = try migration.context.fetch("Letter").map { try $0.value("second", as: String.self) }
            #expect(second == ["a", "b"])
            throw Planned()
        }
        #expect(throws: Planned()) { try open(2, after, steps: [step]) }
        try expectUnchanged(before, second: ["a", "b"])
        let store = try open(2, after)
        #expect(try texts(store, ["Letter"]) == ["text of Letter", "text of Letter", "new"])
    }

    // The error of a step has no room for what is left behind.
    @Test func logsWhatRemainsIfAStepThrows() throws {
        try letters(Self.letter("text | bound", Self.second("text")), second: ["a"])
        let step = MigrationStep(from: 1, to: 2) { _ in throw Planned() }
        let recorder = LogRecorder()
        let options = Store.Options(changedTransformers: .reencode, logger: recorder.logger)
        let after = Self.letter("text", Self.second("text"))
        #expect(throws: Planned()) { try open(2, after, options, steps: [step]) }
        let line = recorder.lines.last
        #expect(line?.hasPrefix("warning ") == true && line?.contains("may remain in unused space") == true)
    }

    // What has been decoded is kept, because the program in the way may be re-encoding the same values.
    @Test(.sqliteOnly("SQLite locks the file.")) func saysThatUnencryptedValuesWaitIfTheFileIsLocked() throws {
        let before = Self.letter("text | bound", Self.second("text"))
        try letters(before, second: ["a", "b"])
        let store = try open(1, before)
        let reencoding = Reencoding("text", of: "Letter", to: .transformer("text"))
        #expect(throws: Planned()) { try store.reencode(reencoding) { _ in throw Planned() } }
        try store.close()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.file().path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let options = Store.Options(busyTimeout: .milliseconds(50), changedTransformers: .reencode)
        let after = Self.letter("text", Self.second("text"))
        let error = #expect(throws: StoreError(code: .busy)) { try open(2, after, options) }
        let remedy = "open the store again with the same model, or run “store reseal --abort --scrub”"
        #expect(error?.faults == ["2 values of “Letter.text” wait in the file unencrypted; \(remedy)"])
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        let opened = try open(2, after, options)
        #expect(try texts(opened, ["Letter"]) == ["text of Letter", "text of Letter"])
        #expect(try opened.unfinishedReencodings().isEmpty)
    }

    /// Uniqueness can only be checked once the values are decoded.
    @Test func leavesTheStoreAsItWasIfDecodedValuesAreNotUnique() throws {
        let before = Self.letter("text | bound", Self.second("text | bound"))
        try letters(before, second: ["a", "a"])
        let unique = AttributeDescription.string("second", .optional, .unique)
        #expect(throws: StoreError(code: .notUnique)) { try open(2, Self.letter("text", unique)) }
        try expectUnchanged(before, second: ["a", "a"])
        let store = try open(2, Self.letter("text", .string("second", .optional)))
        #expect(try texts(store, ["Letter"]) == ["text of Letter", "text of Letter", "new"])
    }

    /// The first attribute can be re-encoded, and the second cannot.
    @Test(.sqliteOnly("SQLite’s shell damages a value.")) func leavesTheStoreAsItWasIfAValueCannotBeDecoded() throws {
        let before = Self.letter("text | bound", Self.second("text | bound"))
        try letters(before, second: ["a", "b"])
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Letter SET second = x'00' WHERE _id = 2") }
        let error = #expect(throws: StoreError.self) { try open(2, Self.letter("text", Self.second("text"))) }
        #expect(error?.attribute == "second" && error?.object?.number == 2)
        try expectUnchanged(before, second: ["a", nil])
    }

    /// The file's metadata about its columns, and their cells.
    private func content() throws -> [String] {
        try shell(folder.file()) { database in
            let rows = ["_transformable_attribute", "_transformable_model", "Letter", "Memo"]
            return try rows.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1").map(\.description)
            }
        }
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func rejectsChildrenThatDiffer() throws {
        try first(Self.family(Self.text("text")))
        let before = try content()
        var entities = Self.children(Self.text("text | bound"), Self.text("text"))
        // An attribute that could be re-encoded also stays unchanged.
        entities[0].attributes = [.transformed("other", "text | bound", as: String.self, .optional)]
        let error = #expect(throws: StoreError(code: .unsupported)) { try open(2, entities) }
        #expect(error?.entity == "Letter" && error?.attribute == "text")
        #expect(error?.message.contains("“Letter” and “Memo” have it in place of “Note”") == true)
        #expect(try content() == before)
        // The solution that the error suggests.
        try open(2, Self.children(Self.text("text"), Self.text("text"))).close()
        #expect(try texts(open(3, Self.children(Self.text("text | bound"), Self.text("text")))) == Self.expected)
    }

    @Test(
        .sqliteOnly("SQLite’s shell uses the file."),
        arguments: [
            (AttributeDescription.int64("text", .optional), StoreError.Code.unsupported),
            (.string("text"), .missingValue), (.string("text", .unique), .notUnique),
        ]
    )
    func reencodesNothingIfTheMigrationIsRejected(attribute: AttributeDescription, code: StoreError.Code) throws {
        let old = [EntityDescription("Letter", attributes: [Self.text("text"), .string("name", .optional)])]
        let store = try open(1, old + [EntityDescription("Memo", attributes: [Self.text("text")])])
        try store.write { context in
            for text in [nil, "a", "a"] {
                let letter = try context.insert("Letter")
                try letter.setValue(text, for: "text")
                try letter.setValue(text, for: "name")
                try context.insert("Memo").setValue("memo", for: "text")
            }
        }
        try store.close()
        let before = try content()
        var named = attribute
        if code == .notUnique { (named.name, named.isOptional) = ("name", true) }
        let letter = EntityDescription(
            "Letter",
            attributes: named.name == "name"
                ? [Self.text("text | bound"), named] : [named, .string("name", .optional)]
        )
        let memo = EntityDescription("Memo", attributes: [Self.text("text | bound")])
        #expect(throws: StoreError(code: code)) { try open(2, [memo, letter]) }
        #expect(try content() == before)
    }
}
