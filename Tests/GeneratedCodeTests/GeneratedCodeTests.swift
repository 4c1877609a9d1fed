import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableEntities
import TransformableModel

/// The classes of this target's models, which the build plugin generates, say the same as the models.
@Suite struct GeneratedCodeTests {
    @Test(arguments: GeneratedModel.all)
    func declaresTheModel(_ item: GeneratedModel) throws {
        let expected = try PlainModel(item.source)
        let found = try PlainModel(item.model())
        #expect(found.lines.difference(from: expected.lines).map(\.self) == [])
    }

    /// A store that was created by name can be opened with the classes.
    @Test(arguments: GeneratedModel.all)
    func opensAStoreOfTheModel(_ item: GeneratedModel) throws {
        try item.withFile { url in
            let registry = try GeneratedModel.registry()
            try Store(at: url, model: item.source, transformers: registry).close()
            try item.open(url, registry, .mustExist, []).close()
        }
    }

    @Test func separatesTenants() throws {
        let store = try TenantsSchema.storeInMemory(transformers: GeneratedModel.registry())
        let country = try store.writeShared { $0.insert(Country(code: "DK")).persistentID }
        for tenant in [Int64(7), 8] {
            try store.write(tenant: tenant) { context in
                let customer = context.insert(Customer(number: tenant))
                customer.country = try context.object(country)
            }
        }
        #expect(try store.read(tenant: 8) { try $0.fetch(Customer.self).map(\.number) } == [8])
    }

    /// The classes state versions up to that of the model.
    @Test func createsAStoreInMemory() throws {
        let store = try HistorySchema.storeInMemory(transformers: GeneratedModel.registry())
        #expect(store.model.version == 5)
    }

    @Test func readsTheCurrentVersionOfACoreDataModel() throws {
        let path = GeneratedModel.folder.appending(path: "Shop.xcdatamodeld").path
        #expect(try CoreDataModel(contentsOf: path).name == "Shop 2")
    }

    /// The classes migrate a file of an earlier version, by the former names in the model.
    @Test func migratesAnEarlierVersion() throws {
        let customer = EntityDescription(
            "Buyer",
            attributes: [.string("name"), .int64("number")],
            relationships: [.toMany("purchases", "Purchase")]
        )
        let earlier = try Model(
            version: 2,
            entities: [customer, EntityDescription("Purchase", attributes: [.decimal("total")])]
        )
        try GeneratedModel.history.withFile { url in
            let registry = try GeneratedModel.registry()
            let old = try Store(at: url, model: earlier, transformers: registry)
            try old.write { context in
                let purchase = try context.insert("Purchase")
                try purchase.setValue(Decimal(12.5), for: "total")
                let buyer = try context.insert("Buyer")
                try buyer.setValue("Ada", for: "name")
                try buyer.setValue(Int64(7), for: "number")
                try buyer.setObjects([purchase], for: "purchases")
            }
            try old.close()
            let store = try HistorySchema.store(at: url, transformers: registry, options: .mustExist)
            try store.read { context in
                let client = try #require(try context.first(Client.self))
                #expect((client.full, client.mail, client.code) == ("Ada", nil, 7))
                #expect(client.orders.map(\.total) == [12.5])
            }
            try store.close()
        }
    }
}
