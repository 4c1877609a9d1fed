import Testing
import TransformableCoreData
import TransformableModel
import TransformableStore

/// Values that an adopted store cannot hold as they are.
struct AdoptedValueTests {
    /// A statement that makes a row unusual, the note about it, and the value that is read afterward.
    struct Oddity: CustomStringConvertible {
        let change: String
        let note: String
        let attribute: String
        /// The value as text, or `nil` if reading it is an error.
        let value: String?
        var description: String { change }
    }

    static let oddities = [
        Oddity(
            change: "ZPRICE = 'NaN'",
            note: "1 value “not a number”, which a decimal attribute cannot hold, stored as missing values",
            attribute: "price",
            value: "nil"
        ),
        Oddity(
            change: "ZPAGES = 70000",
            note: "1 value not of the attribute's type, kept as stored; reading them is an error",
            attribute: "pages",
            value: nil
        ),
        Oddity(
            change: "ZADDED = 'yesterday'",
            note: "1 value not of the attribute's type, kept as stored; reading them is an error",
            attribute: "added",
            value: nil
        ),
        Oddity(
            change: "ZISLENT = 2",
            note: "1 value other than 0 and 1, stored as true",
            attribute: "isLent",
            value: "true"
        ),
        Oddity(
            change: "ZMARK = x'00'",
            note: "1 value not of the attribute's type, kept as stored; reading them is an error",
            attribute: "mark",
            value: nil
        ),
        Oddity(
            change: "ZTITLE = CAST(x'FF41' AS TEXT)",
            note: "1 value not of the attribute's type, kept as stored; reading them is an error",
            attribute: "title",
            value: nil
        ),
        Oddity(
            change: "ZCOVER = x'0705'",
            note: "1 value without the mark of external storage, taken as the whole value",
            attribute: "cover",
            value: "2 bytes"
        ),
        Oddity(
            change: "ZNOTES = 'blob:0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11'",
            note: "1 value not of the attribute's type, kept as stored; reading them is an error",
            attribute: "notes",
            value: "41 bytes"
        ),
    ]

    @Test(arguments: oddities)
    func keepsAndReportsUnusualValues(_ oddity: Oddity) throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET \(oddity.change) WHERE Z_PK = 4")
        let report = try fixture.adopt(CoreDataStore.AdoptionOptions())
        #expect(report.notes.map(\.description) == ["Book.\(oddity.attribute): \(oddity.note)"])
        let store = try fixture.openAdopted()
        try store.read { context in
            let emma = try context.object(ObjectID(entity: "Book", number: 4))
            guard let expected = oddity.value else {
                let error = #expect(throws: StoreError.self) { try emma.anyValue(oddity.attribute) }
                #expect(error?.code == .undecodable)
                return
            }
            let value = try emma.anyValue(oddity.attribute)
            #expect(value.map { "\($0)" } ?? "nil" == expected)
        }
    }

    /// A number that Core Data's type has, and a narrower attribute that does not have it.
    @Test(
        arguments: [
            ("ZPAGES = 300", .uint8("pages", .optional), nil), ("ZPAGES = -5", .uint64("pages", .optional), nil),
            ("ZWEIGHT = 1e300", .float("weight", .optional), "inf"),
            ("ZWEIGHT = -1e39", .float("weight", .optional), "-inf"),
        ] as [(String, AttributeDescription, String?)]
    )
    func keepsAndReportsValuesOutOfRange(change: String, attribute: AttributeDescription, value: String?) throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET \(change) WHERE Z_PK = 4")
        var entities = StoreAdoptionTests.model.entities
        entities[0].replaceColumn(attribute)
        let report = try fixture.adopt(CoreDataStore.AdoptionOptions(), model: Model(entities: entities))
        let note =
            value == nil
            ? "1 value not of the attribute's type, kept as stored; reading them is an error"
            : "1 value too large for the attribute's type, kept as stored, and read as infinite"
        #expect(report.notes.map(\.description) == ["Book.\(attribute.name): \(note)"])
        try fixture.openAdopted()
            .read { context in
                let emma = try context.object(ObjectID(entity: "Book", number: 4))
                guard let value else {
                    #expect(throws: StoreError.self) { try emma.anyValue(attribute.name) }
                    return
                }
                #expect(try emma.anyValue(attribute.name).map { "\($0)" } == value)
            }
    }

    @Test(
        arguments: [
            ("ZPAGES = 255", .uint8("pages", .optional)), ("ZPAGES = 70000", .int64("pages", .optional)),
            ("ZWEIGHT = 3e38", .float("weight", .optional)),
            ("ZWEIGHT = 9e999", .float("weight", .optional)),
        ] as [(String, AttributeDescription)]
    )
    func takesValuesInRange(change: String, attribute: AttributeDescription) throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET \(change) WHERE Z_PK = 4")
        var entities = StoreAdoptionTests.model.entities
        entities[0].replaceColumn(attribute)
        let report = try fixture.adopt(model: Model(entities: entities))
        #expect(report.notes.isEmpty)
        #expect(report.verification?.isSound == true)
    }

    @Test func reportsTheStoredValuesOfACount() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        for index in entities[0].attributes.indices where entities[0].attributes[index].name == "pages" {
            entities[0].attributes[index] = .int64("pages", .optional, .derived(.count(of: "tags")))
        }
        let report = try fixture.adopt(model: Model(entities: entities))
        let note = "Book.pages: 1 value left out, because the new model computes the attribute when it is read"
        #expect(report.notes.map(\.description) == [note])
        let id = ObjectID(entity: "Book", number: 4)
        #expect(try fixture.openAdopted().read { try $0.object(id).value("pages", as: Int64?.self) } == 2)
    }
}
