import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct LargeValueTests {
    private func store(_ folder: Folder) throws -> Store {
        let model = try Model(entities: [
            EntityDescription(
                "Document",
                attributes: [
                    .string("name"), .data("data", .optional), .string("text", .optional),
                    .transformed("sealed", "bound", as: Data.self, .optional),
                ]
            )
        ])
        return try Store(at: folder.file(), model: model, transformers: Transformers().registry())
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 2_000_000])
    func largeValuesAreReadAsAWhole(count: Int) throws {
        let folder = try Folder()
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let text = String(repeating: "ä\0", count: count / 3)
        let store = try store(folder)
        let id = try store.write { context in
            let document = try context.insert("Document")
            try document.setValue("a", for: "name")
            try document.setValue(bytes, for: "data")
            try document.setValue(text, for: "text")
            try document.setValue(bytes, for: "sealed")
            return document.id
        }
        try store.write { context in
            let document = try #require(try context.fetch("Document").first)
            #expect(try document.value("data", as: Data.self) == bytes)
            #expect(try document.value("text", as: String.self).utf8.elementsEqual(text.utf8))
            #expect(try document.storedValue("data") == .blob(bytes))
            try document.setValue(bytes, for: "sealed")
            try document.setValue("b", for: "name")
            try context.save()
            #expect(try document.value("sealed", as: Data.self) == bytes)
        }
        try store.read { context in
            let document = try context.object(id)
            #expect(try document.value("sealed", as: Data.self) == bytes)
            #expect(try context.count("Document", where: Field("data") == bytes) == 1)
            #expect(try context.count("Document", where: Field("sealed") == bytes && Field("data") != nil) == 1)
        }
    }

    @Test func aNumberInPlaceOfBytesIsNotALength() throws {
        let folder = try Folder()
        try store(folder).close()
        try shell(folder.file()) {
            try $0.execute(sql: "INSERT INTO Document (name, data, sealed) VALUES ('a', 70000, 5)")
        }
        try store(folder)
            .write { context in
                let document = try #require(try context.fetch("Document").first)
                #expect(throws: StoreError(code: .undecodable)) { try document.value("data", as: Data.self) }
                #expect(try document.storedValue("data") == .integer(70_000))
                try document.setValue("b", for: "name")
            }
        let row = try shell(folder.file()) {
            try String.fetchOne($0, sql: "SELECT name || data || typeof(data) || sealed FROM Document")
        }
        #expect(row == "b70000integer5")
    }
}
