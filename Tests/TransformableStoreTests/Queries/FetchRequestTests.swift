import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Fetch requests in a model.
@Suite struct FetchRequestTests {
    private let folder: Folder
    private let store: Store

    private static let requests = [
        FetchRequestDescription(
            "between",
            of: "Person",
            where: "age >= $least and age <= $most",
            sortedBy: [.descending("age")]
        ),
        FetchRequestDescription("named", of: "Person", where: "name in $names", sortedBy: [.ascending("name")]),
        FetchRequestDescription("ofAge", of: "Person", where: "age == $age"),
        FetchRequestDescription("second", of: "Person", sortedBy: [.ascending("name")], limit: 1, offset: 1),
        FetchRequestDescription("secret", of: "Person", where: "secret == $secret or name contains[c] $part"),
        FetchRequestDescription("older", of: "Person", where: "age + $years > 40"),
    ]

    init() throws {
        folder = try Folder()
        let model = try Models.person().replacingFetchRequests(with: Self.requests)
        store = try Store(at: folder.file(), model: model, transformers: Transformers().registry())
        try store.addPerson("Ada", age: 36, secret: "x")
        try store.addPerson("Bob", age: 20)
        try store.addPerson("Cleo", age: nil)
        try store.addPerson("Dan", age: 41)
    }

    private func names(_ request: String, _ parameters: [String: (any Sendable)?] = [:]) throws -> [String] {
        try store.read { context in
            try context.fetch(request: request, parameters).map { try $0.value("name", as: String.self) }
        }
    }

    @Test func parametersHaveValues() throws {
        #expect(try names("between", ["least": 20, "most": 40]) == ["Ada", "Bob"])
        #expect(try names("named", ["names": ["Dan", "Ada", "Eve"]]) == ["Ada", "Dan"])
        #expect(try names("named", ["names": [String]()]) == [])
        #expect(try names("older", ["years": 5]) == ["Ada", "Dan"])
    }

    @Test func nilStandsForNull() throws {
        #expect(try names("ofAge", ["age": nil]) == ["Cleo"])
        #expect(try names("ofAge", ["age": 20]) == ["Bob"])
    }

    @Test func theRequestHasALimit() throws {
        #expect(try names("second") == ["Bob"])
    }

    @Test func valuesAreConvertedLikeValuesInCode() throws {
        #expect(try names("secret", ["secret": "x", "part": "zzz"]) == ["Ada"])
        #expect(try names("secret", ["secret": "none", "part": "LE"]) == ["Cleo"])
        let error = #expect(throws: StoreError.self) { try names("ofAge", ["age": "many"]) }
        #expect(error?.code == .invalidCondition || error?.code == .wrongType)
    }

    @Test func aValueIsNeverPartOfTheText() throws {
        #expect(try names("named", ["names": ["Ada\") or true or name in (\""]]) == [])
    }

    @Test func anUnknownRequestIsAnError() throws {
        let error = #expect(throws: StoreError.self) { try names("nobody") }
        #expect(error?.code == .invalidCondition)
        #expect(error?.message.contains("the fetch requests are between, named, ") == true)
    }

    @Test func theFileContainsFetchRequests() throws {
        try store.close()
        let opened = try Store(at: folder.file(), transformers: Transformers().registry())
        #expect(opened.model.fetchRequests == Self.requests)
    }

    @Test func fetchRequestsCanChangeWithoutANewVersion() throws {
        try store.close()
        let model = try Models.person().replacingFetchRequests(with: [FetchRequestDescription("all", of: "Person")])
        try Store(at: folder.file(), model: model, transformers: Transformers().registry()).close()
        let opened = try Store(at: folder.file(), transformers: Transformers().registry())
        #expect(opened.model.fetchRequests.map(\.name) == ["all"])
    }

    /// A person with pets, of which only dogs have a breed.
    private static func pets(_ request: FetchRequestDescription, hasPuppies: Bool = false) throws -> Model {
        var entities = [
            EntityDescription(
                "Owner",
                attributes: [.string("name")],
                relationships: [
                    .toMany("pets", "Animal", inverse: "owner"), .toMany("homes", "Home", inverse: "owners"),
                ]
            ),
            EntityDescription(
                "Animal",
                abstract: true,
                attributes: [.string("name")],
                relationships: [.toOne("owner", "Owner", inverse: "pets"), .toOne("home", "Home")]
            ),
            EntityDescription(
                "Home",
                attributes: [.string("city")],
                relationships: [.toMany("owners", "Owner", inverse: "homes")]
            ),
            EntityDescription("Dog", parent: "Animal", attributes: [.string("breed")]),
            EntityDescription("Cat", parent: "Animal"),
        ]
        if hasPuppies { entities.append(EntityDescription("Puppy", parent: "Dog")) }
        return try Model(entities: entities, fetchRequests: [request])
    }

    @Test(arguments: [
        (FetchRequestDescription("a", of: "Owner", where: "nam is null"), "“Owner.nam”"),
        (FetchRequestDescription("a", of: "Owner", where: "any pets (breed is null)"), "“Cat.breed”"),
        (FetchRequestDescription("a", of: "Owner", where: "any pets.Dog.bred is null"), "“Dog.bred”"),
        (FetchRequestDescription("a", of: "Animal", where: "owner.pet.@count > 1"), "“Owner.pet”"),
        (FetchRequestDescription("a", of: "Dog", where: "name.first is null"), "“Dog.name.first”"),
        (FetchRequestDescription("a", of: "Dog", sortedBy: [.ascending("owner.nam")]), "“Owner.nam”"),
    ])
    func aModelWithAWrongNameInARequestIsRejected(_ request: FetchRequestDescription, _ name: String) throws {
        let model = try Self.pets(request)
        let error = #expect(throws: StoreError.self) { try Store.validate(model, transformers: TransformerRegistry {}) }
        #expect(error?.code == .invalidModel)
        #expect(error?.faults == ["the fetch request a uses \(name), which is not in the model"])
    }

    private static let valid = [
        FetchRequestDescription("a", of: "Owner", where: "any pets (Dog.breed is null) and any pets.Dog.breed is null"),
        FetchRequestDescription("a", of: "Owner", where: "pets.@count > 1 and _id > 2 and any pets.owner.name is null"),
        FetchRequestDescription("a", of: "Animal", where: "Dog.breed is null", sortedBy: [.ascending("owner.name")]),
        FetchRequestDescription("a", of: "Owner", where: "pets.Dog.@count > 1"),
        // What a quantified path is compared with belongs to the pet.
        FetchRequestDescription("a", of: "Owner", where: "any pets.name in (home.city, $x)"),
        FetchRequestDescription("a", of: "Owner", where: "none pets.Dog.name < breed"),
        FetchRequestDescription("a", of: "Home", where: "not any owners.pets.name == home.city"),
    ]

    @Test(arguments: valid, [false, true])
    func everyNameThatARequestCanUseIsAccepted(_ request: FetchRequestDescription, hasPuppies: Bool) throws {
        let model = try Self.pets(request, hasPuppies: hasPuppies)
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        let values = Dictionary(uniqueKeysWithValues: request.parameters.map { ($0, nil as (any Sendable)?) })
        #expect(try store.read { try $0.fetch(request: "a", values).isEmpty })
    }

    /// Everything else in the store can be used.
    @Test func aStoreWithAWrongNameInARequestOpens() throws {
        let model = try Self.pets(FetchRequestDescription("a", of: "Owner", where: "nam is null"))
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        #expect(throws: StoreError(code: .unknownAttribute)) { try store.read { _ = try $0.fetch(request: "a") } }
    }
}
