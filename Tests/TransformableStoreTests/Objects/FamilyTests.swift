import Foundation
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct FamilyTests {
    private func store() throws -> Store {
        let model = try Model(entities: [
            EntityDescription(
                "Shape",
                abstract: true,
                attributes: [
                    .string("name"), .transformed("box", "box", as: Box.self, .optional),
                ]
            ),
            EntityDescription(
                "Circle",
                parent: "Shape",
                attributes: [.double("radius", .default(1.0)), .integer("mark", .default(5))]
            ),
            EntityDescription(
                "Square",
                parent: "Shape",
                attributes: [.double("side", .default(2.0)), .string("mark", .default("3"))]
            ),
            EntityDescription(
                "Tile",
                parent: "Square",
                attributes: [.string("color", .default("red")), .integer("rank", .default(7))]
            ),
            EntityDescription("Label", relationships: [.toOne("shape", "Shape")]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { context in
            for (entity, name) in [("Circle", "d"), ("Square", "b"), ("Tile", "c"), ("Circle", "a"), ("Tile", "e")] {
                let shape = try context.insert(entity)
                try shape.setValue(name, for: "name")
                try shape.setValue(Box(width: name == "e" ? 2 : 1, height: 1), for: "box")
            }
        }
        return store
    }

    @Test(arguments: [
        ("Shape", "abcde"), ("Square", "bce"), ("Circle", "ad"), ("Tile", "ce"),
    ])
    func fetchingAParentFetchesTheFamily(entity: String, names: String) throws {
        let found = try store()
            .read { context in
                try context.fetch(entity, sortedBy: [.ascending("name")]).map { try $0.value("name", as: String.self) }
            }
        #expect(found.joined() == names)
        #expect(try store().read { try $0.count(entity) } == names.count)
    }

    @Test func limitsAFamilyInOrder() throws {
        let store = try store()
        try store.read { context in
            let ids = try context.ids(
                "Shape",
                where: Condition("name > 'a'"),
                sortedBy: [.descending("name")],
                limit: 2,
                offset: 1
            )
            #expect(ids.map(\.description) == ["Circle/1", "Tile/1"])
            // Boxes are compared by their decoded values.
            let boxes = try context.fetch(
                "Shape",
                where: Condition("box == '1x1'"),
                sortedBy: [.ascending("name")],
                limit: 2,
                offset: 1
            )
            #expect(try boxes.map { try $0.value("name", as: String.self) } == ["b", "c"])
            #expect(try context.count("Square", where: Condition("box == '2x1'")) == 1)
            #expect(try context.exists("Shape", where: Condition("name == 'x'")) == false)
        }
    }

    @Test(arguments: [
        ("Shape", SortKey.descending("Tile.rank"), "ceabd"), ("Shape", .ascending("Tile.rank"), "abdce"),
        ("Shape", .ascending("Circle.radius"), "bcead"), ("Shape", .descending("Square.side"), "bcead"),
        ("Shape", .descending("Tile.color"), "ceabd"), ("Circle", .ascending("Tile.rank"), "ad"),
        // Numbers come before text.
        ("Shape", .ascending("mark"), "adbce"), ("Shape", .descending("mark"), "bcead"),
    ])
    func sortsByAttributesOfChildren(entity: String, key: SortKey, names: String) throws {
        let found = try store()
            .read { context in
                try context.fetch(entity, sortedBy: [key, .ascending("name")])
                    .map { try $0.value("name", as: String.self) }
            }
        #expect(found.joined() == names)
    }

    /// The attribute is a number in circles, and text in squares.
    @Test(arguments: [
        (SortKey.ascending("shape.mark"), "adbce"), (.descending("shape.mark"), "bcead"),
        (.ascending("shape.Tile.rank"), "abdce"),
    ])
    func sortsByAttributesOfRelatedChildren(key: SortKey, names: String) throws {
        let store = try store()
        try store.write { context in
            for shape in try context.fetch("Shape") { try context.insert("Label").setObject(shape, for: "shape") }
        }
        let found = try store.read { context in
            try context.fetch("Label", sortedBy: [key, .ascending("shape.name")])
                .map { try $0.object("shape")?.value("name", as: String.self) }
        }
        #expect(found.compactMap(\.self).joined() == names)
    }

    @Test func aReferenceToAnAbstractEntityWithoutChildrenIsEmpty() throws {
        let model = try Model(entities: [
            EntityDescription("Owner", abstract: true),
            EntityDescription("Pet", attributes: [.string("name")], relationships: [.toOne("owner", "Owner")]),
            EntityDescription(
                "Collar",
                attributes: [.string("color", .optional)],
                relationships: [.toOne("owner", "Owner", optional: false)]
            ),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { try $0.insert("Pet").setValue("Rex", for: "name") }
        try store.read { context in
            let pet = try context.first("Pet")
            #expect(try pet?.object("owner") == nil)
            #expect(try context.count("Pet", where: Condition("owner is null")) == 1)
        }
        let error = #expect(throws: StoreError.self) { try store.write { _ = try $0.insert("Collar") } }
        #expect(error?.code == .invalidValue)
        #expect(error?.attribute == "owner")
    }

    @Test func aggregatesOfAnAbstractEntityWithoutChildrenHaveNoValue() throws {
        let owner = EntityDescription("Owner", abstract: true, attributes: [.integer("age")])
        let pet = EntityDescription("Pet", attributes: [.string("name")])
        let store = try Store.trial(model: Model(entities: [owner, pet]), transformers: Transformers().registry())
        try store.read { context in
            let aggregates: [Aggregate] = [.count, .sum("age"), .max("age"), .average("age")]
            let row = try context.aggregate("Owner", aggregates)[0]
            #expect(try row.value(.count, as: Int.self) == 0)
            #expect(try row.value(.sum("age"), as: Int.self) == 0)
            #expect(try row.value(.max("age"), as: Int?.self) == nil)
            #expect(try row.value(.average("age"), as: Double?.self) == nil)
            #expect(try context.aggregate("Owner", [.count], groupedBy: ["age"]).isEmpty)
        }
    }

    @Test func rejectsAttributesThatOnlySomeChildrenHave() throws {
        let store = try store()
        #expect(throws: StoreError(code: .unknownAttribute)) {
            try store.read { try $0.count("Shape", where: Condition("radius > 0")) }
        }
        #expect(throws: StoreError(code: .unknownEntity)) { try store.read { try $0.count("Shapes") } }
        #expect(throws: StoreError(code: .unsupported)) { try store.write { _ = try $0.insert("Shape") } }
    }

    @Test func observersLearnOfARelationshipByItsName() async throws {
        let store = try store()
        let label = try await store.write { try $0.insert("Label").id }
        var changes = try store.changes(of: "Label").makeAsyncIterator()
        try await store.write { context in
            try context.object(label).setObject(context.object(ObjectID(entity: "Circle", number: 1)), for: "shape")
        }
        #expect(await changes.next()?.updated == [label: ["shape"]])
        try await store.write { context in
            try context.object(label).setObject(context.object(ObjectID(entity: "Tile", number: 1)), for: "shape")
        }
        #expect(await changes.next()?.updated == [label: ["shape"]])
    }

    @Test func deletesAFamily() throws {
        let store = try store()
        #expect(try store.write { try $0.delete("Square", where: .all) } == 3)
        #expect(try store.read { try $0.count("Shape") } == 2)
    }
}
