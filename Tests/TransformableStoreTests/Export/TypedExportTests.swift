import Foundation
import GeometryPlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Exports of values whose Swift type only one of two programs knows.
@Suite struct TypedExportTests {
    struct Visit: Codable, Equatable, Sendable {
        var date: Date
        var scan: Data
        var tags: Set<String>
        var fee: Double
        var note: String?
    }

    private static let visits = [
        Visit(
            date: Date(timeIntervalSinceReferenceDate: 0.125),
            scan: Data([0, 1, 255]),
            tags: ["b", "a"],
            fee: 12,
            note: "5"
        ),
        Visit(date: Date(timeIntervalSinceReferenceDate: -1e9), scan: Data(), tags: [], fee: -0.1, note: nil),
    ]

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func store<Value: Sendable>(_ name: String, _ expression: String, _ type: Value.Type?) throws -> Store {
        let registry = try TransformerRegistry {
            GeometryPlugin()
            KeyedArchivePlugin()
            StandardPlugin()
        }
        let attribute = type.map { AttributeDescription.transformed("value", expression, as: $0) }
        let untyped = AttributeDescription.transformed("value", expression)
        let model = try Model(entities: [EntityDescription("Item", attributes: [attribute ?? untyped])])
        return try Store(at: folder.file(name), model: model, transformers: registry)
    }

    private func lines(_ export: String) throws -> String {
        try String(contentsOf: folder.file(export).appending(path: "Item.jsonl"), encoding: .utf8)
    }

    /// Checks that both programs export the same text, and that each of them imports the other's export.
    private func check<Value: Equatable & Sendable>(_ values: [Value], _ expression: String) throws {
        let typed = try store("typed", expression, Value.self)
        try typed.write { context in
            for value in values { try context.insert("Item").setValue(value, for: "value") }
        }
        try typed.export(to: folder.file("export"))
        let untyped = try store("untyped", expression, Value.Type?.none)
        try untyped.importExport(from: folder.file("export"))
        #expect(try untyped.verify().isSound)
        #expect(try untyped.export(to: folder.file("again")).undecodableCount == 0)
        #expect(try lines("again") == lines("export"))
        let copy = try store("copy", expression, Value.self)
        try copy.importExport(from: folder.file("again"))
        let found = try copy.read { context in
            try context.fetch("Item").compactMap { try $0.value("value", as: Value.self) }
        }
        #expect(found == values)
    }

    @Test(
        arguments: [
            "json", "json(dates: unix)", "json(dates: reference) | gzip", "plist", "plist | zlib", "keyed-archive",
        ]
    )
    func structuresAreExportedWithoutTheirType(expression: String) throws {
        try check(Self.visits, expression)
    }

    @Test(arguments: ["json", "plist", "keyed-archive"]) func textIsExportedWithoutItsType(expression: String) throws {
        try check(["a", "5", "\"quoted\"", "{\"file\":\"Item/1.value\"}", "null", ""], expression)
    }

    @Test(arguments: ["json", "plist", "keyed-archive"]) func dataIsExportedWithoutItsType(expression: String) throws {
        try check([Data([0, 1, 255]), Data()], expression)
    }

    @Test(arguments: ["list(of: (json))", "list(of: (plist))"]) func listsAreExportedWithoutTheirType(
        expression: String
    ) throws {
        try check([Self.visits, []], expression)
    }

    @Test func rangesAreExportedWithoutTheirType() throws {
        try check([2..<7, 0..<0], "range(form: packed)")
        #expect(try lines("export") == "{\"_id\":1,\"value\":\"{2, 5}\"}\n{\"_id\":2,\"value\":\"{0, 0}\"}\n")
    }

    // 2⁶⁴ − 1 exceeds the range of the family's default type.
    @Test func numbersThatNoOtherProgramReadsKeepTheirForm() throws {
        let store = try store("typed", "list(of: (integer-text))", [UInt64].self)
        try store.write { try $0.insert("Item").setValue([UInt64.max], for: "value") }
        try store.export(to: folder.file("export"))
        #expect(try lines("export") == "{\"_id\":1,\"value\":[18446744073709551615]}\n")
        let copy = try self.store("copy", "list(of: (integer-text))", [UInt64].self)
        try copy.importExport(from: folder.file("export"))
        #expect(try copy.read { try $0.first("Item")?.value("value", as: [UInt64].self) } == [.max])
    }

    @Test func aDateInJSONIsExportedAsTheTransformerWritesIt() throws {
        try check([["at": Date(timeIntervalSinceReferenceDate: 0.125)]], "json")
        #expect(try lines("export") == #"{"_id":1,"value":{   "at": "2001-01-01T00:00:00.125Z" }}"# + "\n")
    }

    // Version 1 has the form of the type in the program that exported it: Foundation's JSON, in which dates are numbers.
    @Test func anExportInTheFirstFormatIsImported() throws {
        let typed = try store("typed", "json(dates: unix)", [Date].self)
        try typed.write { try $0.insert("Item").setValue([Date(timeIntervalSince1970: 0)], for: "value") }
        try typed.export(to: folder.file("export"))
        let export = folder.file("export")
        try Data("{\"_id\":1,\"value\":[ 60 ]}\n".utf8).write(to: export.appending(path: "Item.jsonl"))
        let manifest = export.appending(path: "export.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let first = text.replacing("\"transformableExport\" : 2", with: "\"transformableExport\" : 1")
        #expect(first != text)
        try Data(first.utf8).write(to: manifest)
        let copy = try store("copy", "json(dates: unix)", [Date].self)
        try copy.importExport(from: export)
        let dates = try copy.read { try $0.first("Item")?.value("value", as: [Date].self) }
        #expect(dates == [Date(timeIntervalSinceReferenceDate: 60)])
    }
}
