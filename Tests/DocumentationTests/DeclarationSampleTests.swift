import EncryptionPlugin
import Foundation
import GeometryPlugin
import StandardPlugin
import Testing
import TransformableEntities

@Entity("Volume", renamedFrom: "Tome", unique: [["shelf", "place"]])
final class Volume {
    @Attribute(.unique) var isbn: String
    @Attribute(.indexed, .length(1...200)) var title: String
    @Attribute(.range(0...9999), .default(2000)) var year = 2000
    @Attribute(.pattern("[A-Z][0-9]+")) var shelf: String?
    @Attribute(.renamed(from: "position")) var place: Int?
    @Attribute(transformer: "json | gzip") var chapters: [String] = []
    @Attribute(transformer: .sealed, .projected("blind-index(bits: 12)", as: "note_index")) var note: String?
    @Attribute(.externalStorage(over: 100_000)) var scan: Data?
    @Attribute(transformer: .rect, .decode(.onFetch), .encode(.onSet)) var page: CGRect = .zero
    @Transient var isSelected = false
    @Relationship(deleteRule: .cascade, inverse: \Copy.volume, count: 0...50, renamedFrom: "items") var copies: [Copy]
    @Relationship(isOrdered: true) var related: [Volume]

    init(isbn: String, title: String) {
        self.isbn = isbn
        self.title = title
    }
}

@Entity
final class Copy {
    var number = 1
    @Relationship(isRequired: true) var volume: Volume?
    @Relationship(deleteRule: .deny) var borrowers: [Reader]
}

@Entity
final class Reader {
    var name = ""
}

/// What the article on declarations says about each option.
@Suite struct DeclarationSampleTests {
    private let store: Store

    init() throws {
        let ring = try KeyRing.empty.addingKey(named: "library")
        let registry = try TransformerRegistry {
            StandardPlugin()
            GeometryPlugin()
            EncryptionPlugin(keys: ring)
        }
        let url = URL.temporaryDirectory.appending(path: "\(UUID()).sqlite")
        store = try Store(at: url, for: Volume.self, Copy.self, Reader.self, transformers: registry)
        try store.write { context in
            let copy = Copy()
            copy.volume = context.insert(Volume(isbn: "1", title: "Analytical Engine"))
            context.insert(copy)
        }
    }

    /// A change that one option refuses.
    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: StoreError.Code
        let change: @Sendable (StoreContext) throws -> Void
    }

    static let refusals = [
        Refusal(testDescription: "length", code: .invalidValue) { context in
            let tooLong = Volume(isbn: "2", title: String(repeating: "x", count: 201))
            context.insert(tooLong)
            try context.save()
        },
        Refusal(testDescription: "range", code: .invalidValue) { try $0.first(Volume.self)?.year = 10_000 },
        Refusal(testDescription: "pattern", code: .invalidValue) { try $0.first(Volume.self)?.shelf = "a1" },
        Refusal(testDescription: "unique", code: .notUnique) { $0.insert(Volume(isbn: "1", title: "x")) },
        Refusal(testDescription: "isRequired", code: .missingValue) { $0.insert(Copy()) },
        Refusal(testDescription: "count", code: .invalidValue) { context in
            try context.first(Volume.self)?.copies += (0...50).map { _ in Copy() }
        },
        Refusal(testDescription: "deny", code: .deletionDenied) { context in
            let copy = try context.first(Copy.self)
            copy?.borrowers = [Reader()]
            try context.save()
            if let copy { try context.delete(copy) }
        },
        Refusal(testDescription: "unique group", code: .notUnique) { context in
            for isbn in ["2", "3"] {
                let volume = context.insert(Volume(isbn: isbn, title: isbn))
                (volume.shelf, volume.place) = ("A1", 1)
            }
        },
    ]

    @Test(arguments: refusals)
    func rulesAreEnforced(_ refusal: Refusal) throws {
        let error = #expect(throws: StoreError.self) { try store.write { try refusal.change($0) } }
        #expect(error?.code == refusal.code, "\(String(describing: error))")
    }

    @Test func valuesAreStored() throws {
        let scan = Data(repeating: 7, count: 100_001)
        try store.write { context in
            let volume = try context.upsert(Volume(isbn: "1", title: "The Analytical Engine"))
            volume.chapters = ["Mill", "Store"]
            volume.note = "rare"
            volume.scan = scan
            volume.page = CGRect(x: 0, y: 0, width: 2, height: 3)
            volume.related = [Volume(isbn: "9", title: "b"), Volume(isbn: "8", title: "a")]
        }
        try store.read { context in
            let volume = try #require(try context.first(Volume.self, where: #Predicate { $0.note == "rare" }))
            #expect(volume.title == "The Analytical Engine" && volume.copies.count == 1)
            #expect(volume.chapters == ["Mill", "Store"] && volume.scan == scan && volume.page.height == 3)
            #expect(volume.related.map(\.isbn) == ["9", "8"])
        }
        try store.write { _ = try $0.delete(Volume.self, where: \Volume.isbn == "1") }
        #expect(try store.read { try $0.count(Copy.self) } == 0)
    }

    @Test func derivedAttributesAndFetchRequests() throws {
        let member = EntityDescription(
            "Member",
            attributes: [
                .string("name"),
                .string("searchName", .derived(.folded("name")), .indexed),
                .date("changed", .derived(.dateOfChange)),
                .int64("loanCount", .derived(.count(of: "loans"))),
            ],
            relationships: [.toMany("loans", "Loan", inverse: "member")],
            indexes: [[.ascending("searchName"), .descending("changed")]]
        )
        let loan = EntityDescription("Loan", relationships: [.toOne("member", "Member", inverse: "loans")])
        let requests = [
            FetchRequestDescription(
                "membersNamed",
                of: "Member",
                where: "searchName startsWith $prefix and loanCount >= $loans",
                sortedBy: [.ascending("searchName")],
                limit: 100
            )
        ]
        let model = try Model(entities: [member, loan], fetchRequests: requests)
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        try store.write { context in
            for name in ["Ánna", "Bob", "Ada"] {
                let member = try context.insert("Member")
                try member.setValue(name, for: "name")
                if name != "Ada" { try context.insert("Loan").setObject(member, for: "member") }
            }
        }
        try store.read { context in
            let members = try context.fetch(request: "membersNamed", ["prefix": "a", "loans": 1])
            #expect(try members.map { try $0.value("name", as: String.self) } == ["Ánna"])
        }
    }
}
