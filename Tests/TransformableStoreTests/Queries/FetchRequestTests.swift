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
        let model = try Models.person().with(fetchRequests: Self.requests)
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
        let model = try Models.person().with(fetchRequests: [FetchRequestDescription("all", of: "Person")])
        try Store(at: folder.file(), model: model, transformers: Transformers().registry()).close()
        let opened = try Store(at: folder.file(), transformers: Transformers().registry())
        #expect(opened.model.fetchRequests.map(\.name) == ["all"])
    }
}
