import Foundation
import Testing
import Transformable
import TransformableSQLite

@testable import TransformableStore  // The connection that writes is internal.

/// Transactions that SQLite rolls back on its own after an error, which a block catches.
@Suite struct AbortedTransactionTests {
    /// A store in a file with little room.
    private static func store(_ folder: Folder, isExternal: Bool = false, hasTenants: Bool = false) throws -> Store {
        let data: AttributeDescription = isExternal ? .data("data", .externalStorage(over: 10_000_000)) : .data("data")
        let document = EntityDescription("Document", attributes: [.string("name"), data])
        let model = try Model(hasTenants: hasTenants, entities: [document])
        let store = try Store(at: folder.file(), model: model, transformers: Transformers().registry())
        try store.engine.write { connection in
            let pages = try connection.integer("PRAGMA page_count")
            try connection.run("PRAGMA max_page_count = \(pages + 8)")
        }
        return store
    }

    private static func add(_ name: String, _ count: Int, in context: StoreContext) throws {
        let document = try context.insert("Document")
        try document.setValue(name, for: "name")
        try document.setValue(Data(repeating: 7, count: count), for: "data")
        try context.save()
    }

    /// Rows of an entity that may have external values are written after a savepoint.
    @Test(arguments: [false, true]) func nothingIsWrittenOutsideOfTheTransaction(isExternal: Bool) throws {
        let folder = try Folder()
        let store = try Self.store(folder, isExternal: isExternal)
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                try Self.add("before", 1, in: context)
                #expect(throws: StoreError(code: .diskFull)) { try Self.add("large", 1_000_000, in: context) }
                context.rollback()
                try Self.add("after", 1, in: context)
            }
        }
        #expect(error?.code == .diskFull)
        #expect(try store.read { try $0.count("Document") } == 0)
        try store.write { try Self.add("next", 1, in: $0) }
        #expect(try store.read { try $0.count("Document") } == 1)
    }

    @Test func aCaughtErrorEndsTheWrite() throws {
        let folder = try Folder()
        let store = try Self.store(folder)
        #expect(throws: StoreError(code: .diskFull)) {
            try store.write { context in
                #expect(throws: StoreError.self) { try Self.add("large", 1_000_000, in: context) }
                context.rollback()
            }
        }
        #expect(try store.read { try $0.count("Document") } == 0)
    }

    /// The views of a tenant's rows, which were created in the transaction, are rolled back along with it.
    @Test func aNewStatementThrowsTheSameError() throws {
        let folder = try Folder()
        let store = try Self.store(folder, hasTenants: true)
        #expect(throws: StoreError(code: .diskFull)) {
            try store.write(tenant: 1) { context in
                #expect(throws: StoreError.self) { try Self.add("large", 1_000_000, in: context) }
                context.rollback()
                _ = try context.objectIfPresent(ObjectID(entity: "Document", number: 9))
            }
        }
    }
}
