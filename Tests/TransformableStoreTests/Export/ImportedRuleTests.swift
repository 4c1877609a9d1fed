import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Imports of values from before a rule was added to the model.
@Suite(.eachEngine) struct ImportedRuleTests {
    private static func model(_ limit: ClosedRange<Double>, _ length: ClosedRange<Int>) throws -> Model {
        try Model(
            entities: [
                EntityDescription(
                    "Person",
                    attributes: [
                        .integer("age", .range(limit)), .string("name", .length(length)),
                        .data("scan", .externalStorage(over: 4), .length(length)),
                        .data("note", .length(length), .encode(.onSet)),
                    ]
                )
            ]
        )
    }

    @Test func valuesThatBreakARuleAreKept() throws {
        let folder = try Folder()
        let registry = try TransformerRegistry {}
        let first = try Store.trial(at: folder.file(), model: Self.model(0...1000, 0...1000), transformers: registry)
        try first.write { context in
            let person = try context.insert("Person")
            try person.setValue(200, for: "age")
            try person.setValue("Adalovelace", for: "name")
            try person.setValue(Data(repeating: 7, count: 100), for: "scan")
            try person.setValue(Data(repeating: 1, count: 9), for: "note")
        }
        try first.close()
        let strict = try Self.model(0...150, 0...3)
        let second = try Store.trial(at: folder.file(), model: strict, transformers: registry)
        try second.export(to: folder.file("export"))
        let copy = try Store.trial(model: strict, transformers: registry)
        try copy.importExport(from: folder.file("export"))
        try copy.read { context in
            let person = try context.fetch("Person")[0]
            #expect(try person.value("age", as: Int.self) == 200)
            #expect(try person.value("name", as: String.self) == "Adalovelace")
            #expect(try person.value("scan", as: Data.self) == Data(repeating: 7, count: 100))
            #expect(try person.value("note", as: Data.self) == Data(repeating: 1, count: 9))
        }
        #expect(throws: StoreError(code: .invalidValue)) {
            try copy.write { try $0.fetch("Person")[0].setValue(201, for: "age") }
        }
    }
}
