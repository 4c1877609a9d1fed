import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct QuarantineTests {
    @Test func aDamagedCellDoesNotAffectOthers() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let ids = try store.write { context in
            try (0..<1000)
                .map { number in
                    let person = try context.insert("Person")
                    try person.setValue("name \(number)", for: "name")
                    try person.setValue(Box(width: number, height: 1), for: "box")
                    return person.id
                }
        }
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET box = x'00FF00' WHERE _id = 500") }

        let reopened = try Store.people(in: folder)
        try reopened.write { context in
            let people = try context.fetch("Person")
            #expect(people.count == 1000)
            #expect(people.filter { (try? $0.value("box", as: Box.self)) == nil }.map(\.id) == [ids[499]])
            let failure = try people[499].failure(of: "box")
            #expect(failure?.code == .undecodable)
            #expect(failure?.object == ids[499])
            #expect(failure?.transformerError?.code == .invalidData)
            #expect(try people[499].encodedBytes("box") == Data([0, 255, 0]))
            try people[499].setValue(7, for: "age")
        }
        try reopened.close()
        let row = try shell(folder.file()) {
            try String.fetchOne($0, sql: "SELECT hex(box) || age FROM Person WHERE _id = 500")
        }
        #expect(row == "00FF007")
    }

    @Test func otherBytesStayUnchanged() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        try store.write { context in
            for number in 0..<1000 {
                let person = try context.insert("Person")
                try person.setValue("name \(number)", for: "name")
                try person.setValue(Box(width: number, height: 1), for: "box")
                try person.setValue("secret \(number)", for: "secret")
            }
        }
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET box = x'00FF00' WHERE _id = 500") }
        let before = try cells(folder)

        let reopened = try Store.people(in: folder)
        try reopened.write { context in
            for person in try context.fetch("Person") {
                _ = try? person.value("box", as: Box.self)
                _ = try person.value("secret", as: String.self)
                try person.setValue(7, for: "age")
            }
        }
        try reopened.close()
        #expect(try cells(folder) == before)
        let ages = try shell(folder.file()) { try Int.fetchOne($0, sql: "SELECT count(*) FROM Person WHERE age = 7") }
        #expect(ages == 1000)
    }

    /// Everything except what the test changes.
    private func cells(_ folder: Folder) throws -> [String] {
        try shell(folder.file()) { database in
            let sql = "SELECT _id || name || hex(box) || hex(secret) || area || secret_blind FROM Person ORDER BY _id"
            return try String.fetchAll(database, sql: sql)
        }
    }

    // The bytes are bound to the object's number, so another key and another location cause the same error.
    @Test func aMissingKeyKeepsTheBytes() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("Ada", secret: "alpha")
        let bytes = try store.read { try $0.object(id).encodedBytes("secret") }
        try store.close()
        let keyless = try TransformerRegistry {
            Registration.text
            Registration("box", form: .text(BoxTransformer()), BoxTransformer())
            Registration("bound", .reading("key", "the key", default: 42)) { (_: Int) in Keyless() }
            Registration("blind", BlindTransformer(keys: [7]))
            Registration("area", AreaTransformer())
        }
        let reopened = try Store(at: folder.file(), model: Models.person(), transformers: keyless)
        try reopened.write { context in
            let person = try context.object(id)
            let error = #expect(throws: StoreError.self) { try person.value("secret", as: String.self) }
            #expect(error?.code == .undecodable)
            #expect(error?.transformerError?.code == .invalidData)
            try person.setValue(3, for: "age")
        }
        // Values that cannot be read without the key are not replaced, and a replacement cannot be sealed.
        #expect(throws: StoreError(code: .undecodable)) {
            try reopened.write { try $0.object(id).setValue("beta", for: "secret") }
        }
        #expect(throws: StoreError(code: .invalidValue)) {
            try reopened.write { try $0.object(id).replaceValue("beta", for: "secret") }
        }
        #expect(try reopened.read { try $0.object(id).encodedBytes("secret") } == bytes)
        try reopened.close()
        #expect(try Store.people(in: folder).names(where: Field("secret") == "alpha" && Field("age") == 3) == ["Ada"])
    }

    /// The replacement for `bound` in a program without the key.
    private struct Keyless: Transformer {
        var traits: TransformerTraits { [.contextual, .authenticated, .confidential] }

        func encode(_ value: Data, in context: TransformContext) throws -> Data {
            throw TransformerError.invalidData("there is no key")
        }

        func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
            throw TransformerError.invalidData("there is no key")
        }
    }

    @Test func conditionsOnADamagedValueThrow() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { database in
            try database.execute(
                sql: "INSERT INTO Person (name, box, area) VALUES ('a', x'00', 4), ('b', CAST('2x2' AS BLOB), 4)"
            )
        }
        let condition = Field("box") == Box(width: 2, height: 2)
        #expect(throws: StoreError(code: .undecodable)) { try Store.people(in: folder).names(where: condition) }
        let lenient = try Store(
            at: folder.file(),
            transformers: Transformers().registry(),
            options: Store.Options(quarantine: .report)
        )
        #expect(throws: StoreError(code: .undecodable)) { try lenient.names(where: Condition("box == '2x2'")) }
        #expect(try lenient.names(where: Condition("name == 'b'")) == ["b"])
    }

    @Test func aDamagedValueBehindTheLimitIsNotDecoded() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { database in
            try database.execute(
                sql: "INSERT INTO Person (name, box, area) VALUES ('a', CAST('2x2' AS BLOB), 4), ('b', x'00', 4)"
            )
        }
        let condition = Field("box") == Box(width: 2, height: 2)
        try Store.people(in: folder)
            .read { (context: StoreContext) throws in
                #expect(try context.exists("Person", where: condition))
                #expect(try context.ids("Person", where: condition, limit: 1).map(\.number) == [1])
                #expect(try context.ids("Person", where: condition, limit: 0).isEmpty)
                #expect(try context.values("Person", of: ["name"], where: condition, limit: 1).count == 1)
            }
    }

    /// Damaged bytes are replaced only explicitly.
    enum Setting: CaseIterable {
        case unread, afterReading, removing, primitive, stillUndecided
    }

    @Test(arguments: Setting.allCases, [true, false])
    func aDamagedValueIsNotReplacedImplicitly(setting: Setting, isEditing: Bool) throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { try $0.execute(sql: "INSERT INTO Person (name, box) VALUES ('a', x'00FF')") }
        let store = try Store(
            at: folder.file(),
            model: Models.person(),
            transformers: Transformers().registry(),
            options: Store.Options(quarantine: .report)
        )
        let box = Box(width: 1, height: 1)
        func set(_ context: StoreContext) throws {
            let person = try context.fetch("Person")[0]
            try person.setValue(7, for: "age")
            switch setting {
            case .unread: try person.setValue(box, for: "box")
            case .afterReading:
                #expect(try person.failure(of: "box") != nil)
                try person.setValue(box, for: "box")
            case .removing: try person.removeValue(for: "box")
            case .primitive: try person.setPrimitiveValue(box, for: "box")
            case .stillUndecided: for _ in 0..<2 { try person.setValue(box, for: "box") }
            }
            try context.save()
        }
        let error = #expect(throws: StoreError.self) {
            if isEditing { try set(store.makeContext()) } else { try store.write { try set($0) } }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.attribute == "box")
        try store.close()
        let row = try shell(folder.file()) {
            try String.fetchOne($0, sql: "SELECT hex(box) || coalesce(age, '-') FROM Person")
        }
        #expect(row == "00FF-")
    }

    @Test func aDamagedValueCanBeReplacedExplicitly() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { try $0.execute(sql: "INSERT INTO Person (name, box) VALUES ('a', x'00')") }
        let store = try Store.people(in: folder)
        try store.write { context in
            try context.fetch("Person")[0].replaceValue(Box(width: 1, height: 1), for: "box")
        }
        #expect(try store.names(where: Condition("box == '1x1' and area == 1")) == ["a"])
    }

    @Test func aSealedValueIsBoundToItsCell() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let first = try store.addPerson("a", secret: "alpha")
        let second = try store.addPerson("b", secret: "beta")
        try store.close()
        let file = try Data(contentsOf: folder.file())
        #expect(file.range(of: Data("alpha".utf8)) == nil)
        try shell(folder.file()) { database in
            try database.execute(
                sql: "UPDATE Person SET secret = (SELECT secret FROM Person WHERE _id = 1) WHERE _id = 2"
            )
        }
        try Store.people(in: folder)
            .read { context in
                let alpha = try context.object(first).value("secret", as: String.self)
                #expect(alpha == "alpha")
                let error = #expect(throws: StoreError.self) {
                    try context.object(second).value("secret", as: String.self)
                }
                #expect(error?.code == .undecodable)
            }
    }
}
