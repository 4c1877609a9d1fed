import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Blocks end before `read` and `write` return, so they can use variables around them.
@Suite struct BlockCaptureTests {
    private static func store() throws -> Store {
        let model = try Model(entities: [EntityDescription("Patient", attributes: [.string("name")])])
        return try Store.inMemory(model: model, transformers: TransformerRegistry {})
    }

    @Test func blocksCanAssignVariablesOutside() throws {
        let store = try Self.store()
        var id: ObjectID?
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            id = patient.id
        }
        var names: [String] = []
        try store.read { context in
            try context.forEach("Patient") { names.append(try $0.value("name", as: String.self)) }
        }
        #expect(id?.entity == "Patient")
        #expect(names == ["Ada"])
    }

    @Test func blocksCanUseValuesThatAreNotSendable() throws {
        final class Log { var lines: [String] = [] }
        let log = Log()
        let store = try Self.store()
        let count = try store.write { context in
            log.lines.append("writing")
            return try context.count("Patient")
        }
        #expect(count == 0)
        #expect(log.lines == ["writing"])
    }

    @Test func receivesTheProgressOfABulkInsertion() throws {
        let store = try Self.store()
        var last = 0
        let note = { (count: Int) in last = count }
        try store.insert(many: ["Ada", "Bob"], into: "Patient", progress: note) { patient, name in
            try patient.setValue(name, for: "name")
        }
        #expect(last == 2)
    }

    @Test func tasksCanAwaitBlocks() async throws {
        let store = try Self.store()
        let id = try await store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        #expect(try await store.read { try $0.object(id).value("name", as: String.self) } == "Ada")
    }
}
