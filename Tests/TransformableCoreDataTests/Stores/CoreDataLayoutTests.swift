import Testing
import TransformableCoreData

/// Compares layouts with tables that were derived by hand.
struct CoreDataLayoutTests {
    private func columns(_ model: CoreDataModel) throws -> [String: [String]] {
        let tables = try CoreDataLayout(model).tables
        return Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.columns.map { "\($0.name) \($0.type)" }) })
    }

    @Test func numbersEntitiesDepthFirstRegardlessOfCase() throws {
        let model = CoreDataModel(entities: [
            CoreDataEntity("zebra", parent: "Animal"), CoreDataEntity("Ant", parent: "Animal"),
            CoreDataEntity("Animal"), CoreDataEntity("bee", parent: "Ant"), CoreDataEntity("Box"),
        ])
        #expect(try CoreDataLayout(model).numbers == ["Animal": 1, "Ant": 2, "bee": 3, "zebra": 4, "Box": 5])
    }

    @Test func derivesTheColumnsOfALibrary() throws {
        let columns = try columns(StoreFixture.model)
        #expect(Set(columns.keys) == ["ZBOOK", "ZREADER", "ZTAG", "Z_1TAGS", "Z_1SEQUELS"])
        #expect(
            columns["ZREADER"] == [
                "ZCODE VARCHAR", "ZCODE1 INTEGER", "ZNAME VARCHAR", "Z_ENT INTEGER", "Z_OPT INTEGER", "Z_PK INTEGER",
            ]
        )
        #expect(columns["Z_1TAGS"] == ["Z_1BOOKS INTEGER", "Z_5TAGS INTEGER"])
        #expect(
            columns["Z_1SEQUELS"] == ["Z_1PREQUELS INTEGER", "Z_1SEQUELS INTEGER", "Z_FOK_1SEQUELS INTEGER"]
        )
        #expect(
            columns["ZBOOK"] == [
                "Z2_OWNER INTEGER", "Z5HIDDEN INTEGER", "ZADDED TIMESTAMP", "ZCOVER BLOB", "ZISLENT INTEGER",
                "ZMARK BLOB", "ZNOTES BLOB", "ZOWNER INTEGER", "ZPAGE VARCHAR", "ZPAGES INTEGER", "ZPRICE DECIMAL",
                "ZTITLE VARCHAR", "ZWEIGHT FLOAT", "Z_ENT INTEGER", "Z_FOK_5HIDDEN INTEGER", "Z_FOK_OWNER INTEGER",
                "Z_OPT INTEGER", "Z_PK INTEGER",
            ]
        )
    }

    @Test func putsElementsOfCompositesInPlaceOfThem() throws {
        let elements = [CoreDataAttribute("id", .string), CoreDataAttribute("name", .string)]
        let author = CoreDataAttribute("author", .composite, elements: elements)
        let entity = CoreDataEntity("Post", attributes: [author, CoreDataAttribute("id", .uuid)])
        let columns = try columns(CoreDataModel(entities: [entity]))
        #expect(columns["ZPOST"]?.prefix(3) == ["ZID VARCHAR", "ZID1 BLOB", "ZNAME VARCHAR"])
    }

    @Test func numbersColumnsOfPairsThatOccurTwice() throws {
        // From a store of an app: artworks are in albums, and in shows.
        let album = CoreDataEntity(
            "Album",
            relationships: [CoreDataRelationship("artworks", to: "Artwork", toMany: true, inverse: "collections")]
        )
        let artwork = CoreDataEntity(
            "Artwork",
            relationships: [
                CoreDataRelationship("collections", to: "Album", toMany: true, inverse: "artworks"),
                CoreDataRelationship("shows", to: "Show", toMany: true, inverse: "artworks"),
            ]
        )
        let show = CoreDataEntity(
            "Show",
            relationships: [CoreDataRelationship("artworks", to: "Artwork", toMany: true, inverse: "shows")]
        )
        let columns = try columns(CoreDataModel(entities: [album, artwork, show]))
        #expect(columns["Z_1ARTWORKS"] == ["Z_1COLLECTIONS INTEGER", "Z_2ARTWORKS INTEGER"])
        #expect(columns["Z_2SHOWS"] == ["Z_2ARTWORKS1 INTEGER", "Z_3SHOWS INTEGER"])
    }

    /// A model of one entity with many columns of the same name.
    private func model(columns: Int) -> CoreDataModel {
        let elements = Array(repeating: CoreDataAttribute("x", .string), count: columns)
        return CoreDataModel(entities: [
            CoreDataEntity("E", attributes: [CoreDataAttribute("c", .composite, elements: elements)])
        ])
    }

    @Test(.timeLimit(.minutes(1))) func numbersManyColumnsInLittleTime() throws {
        let columns = try columns(model(columns: 32_764))
        #expect(columns["ZE"]?.count == 32_767)
        #expect(columns["ZE"]?.contains("ZX32763 VARCHAR") == true)
    }

    @Test func refusesMoreColumnsThanATableCanHave() throws {
        let error = #expect(throws: CoreDataError.self) { try CoreDataLayout(model(columns: 32_765)) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func hasNoColumnsForTransientProperties() throws {
        var attribute = CoreDataAttribute("draft", .string)
        attribute.isTransient = true
        let model = CoreDataModel(entities: [CoreDataEntity("Note", attributes: [attribute])])
        #expect(try columns(model)["ZNOTE"] == ["Z_ENT INTEGER", "Z_OPT INTEGER", "Z_PK INTEGER"])
    }

    @Test(arguments: [
        [CoreDataEntity("A", parent: "B"), CoreDataEntity("B", parent: "A")],
        [CoreDataEntity("A", parent: "Missing")],
        [CoreDataEntity("A", relationships: [CoreDataRelationship("b", to: "Missing")])],
        [CoreDataEntity("A", relationships: [CoreDataRelationship("b", to: "A", inverse: "missing")])],
    ])
    func refusesModelsWithMissingParts(_ entities: [CoreDataEntity]) throws {
        let error = #expect(throws: CoreDataError.self) { try CoreDataLayout(CoreDataModel(entities: entities)) }
        #expect(error?.code == .invalidModel)
    }
}
