import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct StoreTests {
    @Test(arguments: [false, true])
    func valuesRoundTrip(inMemory: Bool) throws {
        let folder = try Folder()
        let model = try Models.person()
        let registry = try Transformers().registry()
        let store =
            try inMemory
            ? Store.inMemory(model: model, transformers: registry)
            : Store(at: folder.file(), model: model, transformers: registry)
        let id = try store.write { context in
            let person = try context.insert("Person")
            try person.setValue("Ada", for: "name")
            try person.setValue(36, for: "age")
            try person.setValue(Box(width: 3, height: 4), for: "box")
            try person.setValue("hush", for: "secret")
            return person.id
        }
        #expect(id == ObjectID(entity: "Person", number: 1))
        try store.read { context in
            let person = try context.object(id)
            #expect(try person.value("name", as: String.self) == "Ada")
            #expect(try person.value("age", as: Int.self) == 36)
            #expect(try person.value("box", as: Box.self) == Box(width: 3, height: 4))
            #expect(try person.value("secret", as: String?.self) == "hush")
            #expect(try context.fetch("Person", where: Condition("name == \"Ada\"")) == [person])
            #expect(try context.count("Person", where: Condition("secret == \"hush\"")) == 1)
            #expect(try context.count("Person", where: Condition("secret == \"nope\"")) == 0)
            #expect(try context.count("Person", where: Condition("box == \"3x4\"")) == 1)
            #expect(try context.count("Person", where: Condition("area > 11 and age between 30 and 40")) == 1)
        }
    }
}
