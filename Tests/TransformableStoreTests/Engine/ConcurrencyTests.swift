import Foundation
import Testing
import Transformable
import TransformableStore

@Suite struct ConcurrencyTests {
    @Test func manyThreadsLoseNothing() async throws {
        let folder = try Folder()
        let first = try Store.people(in: folder)
        let second = try Store.people(in: folder)
        let id = try first.addPerson("counter", age: 0)
        try await withThrowingTaskGroup { group in
            for worker in 0..<8 {
                let store = worker % 2 == 0 ? first : second
                group.addTask {
                    for round in 0..<25 {
                        try await store.write { context in
                            let person = try context.object(id)
                            try person.setValue(try person.value("age", as: Int.self) + 1, for: "age")
                            try context.insert("Person").setValue("\(worker).\(round)", for: "name")
                        }
                        _ = try await store.read { try $0.count("Person") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let age = try await first.read { try $0.object(id).value("age", as: Int.self) }
        let count = try await second.read { try $0.count("Person") }
        #expect(age == 200)
        #expect(count == 201)
    }

    @Test func aReaderKeepsItsSnapshot() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        try store.addPerson("a")
        let other = try Store.people(in: folder)
        let counts = try store.read { context in
            let before = try context.count("Person")
            try other.addPerson("b")
            return [before, try context.count("Person")]
        }
        #expect(counts == [1, 1])
        #expect(try store.read { try $0.count("Person") } == 2)
    }
}
