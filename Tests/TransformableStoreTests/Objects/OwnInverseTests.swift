import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// To-one relationships that are their own inverses.
@Suite(.eachEngine) struct OwnInverseTests {
    private static func model() throws -> Model {
        var wing = AttributeDescription.integer("wing", .optional, .range(0...9))
        wing.encoding = .onSet
        return try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [.string("name", .unique), wing],
                relationships: [.toOne("spouse", "Person", inverse: "spouse")]
            )
        ])
    }

    private static func store(_ hooks: EntityHooks = EntityHooks()) throws -> Store {
        try Store.trial(model: model(), transformers: TransformerRegistry {}, hooks: ["Person": hooks])
    }

    private static func people(_ names: String, in context: StoreContext) throws -> [ManagedObject] {
        try names.map { name in
            let person = try context.insert("Person")
            try person.setValue(String(name), for: "name")
            return person
        }
    }

    /// The names of people and their spouses, such as `["ab", "ba", "c"]`.
    private static func couples(_ store: Store) throws -> [String] {
        try store.read { context in
            try context.fetch("Person", sortedBy: [.ascending("name")])
                .map { person in
                    let spouse = try person.object("spouse")?.value("name", as: String.self)
                    return try person.value("name", as: String.self) + (spouse ?? "")
                }
        }
    }

    /// Other programs, and bulk insertions, may set only one side.
    @Test func anExportIsImportedAsItIs() throws {
        let folder = try Folder()
        let store = try Self.store()
        let number = try store.write { context in
            let people = try Self.people("ab", in: context)
            try people[0].setObject(people[1], for: "spouse")
            return people[0].id.number
        }
        try store.insert(many: ["c"], into: "Person") { person, name in
            try person.setValue(name, for: "name")
            try person.setValue(number, for: "spouse")
        }
        #expect(try Self.couples(store) == ["ab", "ba", "ca"])
        try store.export(to: folder.file("export"))
        let copy = try Self.store()
        try copy.importExport(from: folder.file("export"))
        #expect(try Self.couples(copy) == ["ab", "ba", "ca"])
    }

    @Test(arguments: [false, true]) func aHookCanDeleteTheSpouse(isEditing: Bool) throws {
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { person in
            if let spouse = try person.object("spouse"), !spouse.isDeleted { try person.context.delete(spouse) }
        }
        let store = try Self.store(hooks)
        try store.write { context in
            let people = try Self.people("abc", in: context)
            try people[0].setObject(people[1], for: "spouse")
        }
        let body = { (context: StoreContext) in
            let people = try context.fetch("Person", sortedBy: [.ascending("name")])
            try context.delete(people[0])
            try context.save()
        }
        if isEditing { try body(store.makeContext()) } else { try store.write { try body($0) } }
        #expect(try Self.couples(store) == ["c"])
    }

    @Test(arguments: [false, true]) func refreshingOneSideAlsoDiscardsTheOther(isEditing: Bool) throws {
        let store = try Self.store()
        try store.write { context in
            let people = try Self.people("abc", in: context)
            try people[0].setObject(people[2], for: "spouse")
        }
        let body = { (context: StoreContext) in
            let people = try context.fetch("Person", sortedBy: [.ascending("name")])
            try people[0].setObject(people[1], for: "spouse")
            try context.refresh(people[0])
            try context.save()
        }
        if isEditing { try body(store.makeContext()) } else { try store.write { try body($0) } }
        #expect(try Self.couples(store) == ["ac", "b", "ca"])
    }

    /// The values are set in the order of their names, and the last one is rejected.
    @Test(arguments: ["new", "a"]) func aRejectedUpsertSeparatesNobody(name: String) throws {
        let store = try Self.store()
        let number = try store.write { context in
            let people = try Self.people("abcd", in: context)
            try people[0].setObject(people[2], for: "spouse")
            try people[1].setObject(people[3], for: "spouse")
            return people[1].id.number
        }
        try store.write { context in
            _ = #expect(throws: StoreError(code: .invalidValue)) {
                try context.upsert("Person", ["name": name, "spouse": number, "wing": 10])
            }
        }
        #expect(try Self.couples(store) == ["ac", "bd", "ca", "db"])
    }

    @Test(.sqliteOnly("On a server, a number cannot be text.")) func damagedNumbersCanBeReplaced() throws {
        let folder = try Folder()
        let store = try Store.trial(at: folder.file(), model: Self.model(), transformers: TransformerRegistry {})
        try store.write { _ = try Self.people("ab", in: $0) }
        try shell(folder.file()) { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; UPDATE Person SET spouse = 'x' WHERE _id = 1")
        }
        #expect(throws: StoreError(code: .undecodable)) {
            try store.write { try $0.fetch("Person")[0].setValue(2, for: "spouse") }
        }
        try store.write { try $0.fetch("Person")[0].replaceValue(nil as Int64?, for: "spouse") }
        #expect(try Self.couples(store) == ["a", "b"])
    }
}
