import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

@Suite struct QuarantineTests {
    @Test func oneBrokenCellSparesTheRest() throws {
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

    @Test func aBrokenValueSatisfiesNoConditionInSilence() throws {
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
        #expect(try lenient.names(where: Condition("box == '2x2'")) == ["b"])
        #expect(try lenient.names(where: Condition("not box == '2x2'")) == [])
    }

    @Test func aBrokenValueMayBeReplaced() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { try $0.execute(sql: "INSERT INTO Person (name, box) VALUES ('a', x'00')") }
        let store = try Store.people(in: folder)
        try store.write { context in
            try context.fetch("Person")[0].setValue(Box(width: 1, height: 1), for: "box")
        }
        #expect(try store.names(where: Condition("box == '1x1' and area == 1")) == ["a"])
    }

    @Test func aSealedValueBelongsToItsCell() throws {
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
