import Testing
import Transformable
import TransformableStore

/// Authenticated rows that conditions and sort orders reach through relationships.
@Suite(.eachEngine, .alsoWithTenants)
struct RelatedRowTests {
    /// A way to find the visits of Bob, their bills, or Bob's ward.
    struct Search: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let expectedCount: Int
        /// Returns the number of objects that are found.
        let count: @Sendable (Store) throws -> Int

        init(_ description: String, finds expectedCount: Int = 1, _ count: @escaping @Sendable (Store) throws -> Int) {
            testDescription = description
            self.expectedCount = expectedCount
            self.count = count
        }
    }

    private static let name = "patient.name == 'Bob'"

    static let searches: [Search] = [
        Search("objects") { store in
            try store.read { try $0.fetch("Visit", where: Condition(name)).count }
        },
        Search("one by one") { store in
            var count = 0
            try store.read { try $0.forEach("Visit", where: Condition(name)) { _ in count += 1 } }
            return count
        },
        Search("ids") { store in
            try store.read { try $0.ids("Visit", where: Condition(name)).count }
        },
        Search("values") { store in
            try store.read { try $0.values("Visit", of: ["note"], where: Condition(name)).count }
        },
        Search("a value that is computed from it") { store in
            try store.read { try $0.fetch("Visit", where: Condition("patient.name.@length + 0 == 3 && \(name)")).count }
        },
        Search("several values in one condition") { store in
            try store.read { try $0.fetch("Visit", where: Condition("\(name) && patient.name contains 'o'")).count }
        },
        Search("two relationships") { store in
            try store.read { try $0.fetch("Bill", where: Condition("visit.\(name)")).count }
        },
        Search("one of several objects") { store in
            try store.read { try $0.fetch("Ward", where: Condition("any patients.name == 'Bob'")).count }
        },
        Search("two conditions on one of several objects") { store in
            try store.read { try $0.ids("Ward", where: Condition("any patients (name == 'Bob' && _id < 9)")).count }
        },
        Search("an object of one of several objects") { store in
            try store.read { try $0.fetch("Ward", where: Condition("any visits.\(name)")).count }
        },
        Search("a sort order", finds: 2) { store in
            try store.read { try $0.fetch("Visit", sortedBy: [.ascending("patient.name")]).count }
        },
        Search("a sort order of values", finds: 2) { store in
            try store.read { try $0.values("Bill", of: ["amount"], sortedBy: [.ascending("visit.patient.name")]).count }
        },
        Search("an update") { store in
            try store.write { try $0.update("Visit", where: Condition(name)) { try $0.setValue("new", for: "note") } }
        },
        Search("a deletion") { store in
            try store.write { try $0.delete("Bill", where: Condition("visit.\(name)")) }
        },
        Search("under unsaved changes") { store in
            let context = store.makeContext()
            try context.insert("Patient").setValue("Eve", for: "name")
            return try context.fetch("Visit", where: Condition(name)).count
        },
    ]

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Ward",
                attributes: [.string("name", .optional)],
                relationships: [
                    .toMany("patients", "Patient", inverse: "ward"), .toMany("visits", "Visit", inverse: "ward"),
                ]
            ),
            EntityDescription(
                "Patient",
                attributes: [.string("name")],
                relationships: [.toOne("ward", "Ward", inverse: "patients")],
                authenticatesRows: true
            ),
            EntityDescription(
                "Visit",
                attributes: [.string("note", .optional)],
                relationships: [.toOne("patient", "Patient"), .toOne("ward", "Ward", inverse: "visits")]
            ),
            EntityDescription(
                "Bill",
                attributes: [.integer("amount", .optional)],
                relationships: [.toOne("visit", "Visit")]
            ),
        ])
    }

    /// Opens a store in which Ada and Bob have a ward, a visit, and a bill each.
    private static func fill(_ fixture: RowFixture) throws -> Store {
        let store = try fixture.open(model: model())
        try store.write { context in
            for name in ["Ada", "Bob"] {
                let (patient, visit) = (try context.insert("Patient"), try context.insert("Visit"))
                try patient.setValue(name, for: "name")
                let ward = try context.insert("Ward")
                try patient.setObject(ward, for: "ward")
                try visit.setObject(ward, for: "ward")
                try visit.setObject(patient, for: "patient")
                try context.insert("Bill").setObject(visit, for: "visit")
            }
        }
        return store
    }

    @Test(arguments: searches) func genuineRowsAreFound(search: Search) throws {
        let fixture = try RowFixture()
        let store = try Self.fill(fixture)
        #expect(try search.count(store) == search.expectedCount)
    }

    @Test(arguments: searches) func aForgedRowDoesNotLeadToTheWrongObject(search: Search) throws {
        let fixture = try RowFixture()
        let store = try Self.fill(fixture)
        try fixture.change("UPDATE \"Patient\" SET name = 'Bob' WHERE _id = 1")
        let error = #expect(throws: StoreError.self) { try search.count(store) }
        #expect(error?.code == .unauthenticatedRow)
        #expect(error?.object == ObjectID(entity: "Patient", number: 1))
    }

    @Test(arguments: ["patient.name == 'Bob'", "note == null && patient.name != 'Ada'", "patient == null || _id == 2"])
    func aForgedRowThatLeadsToNoObjectIsNotNoticed(condition: String) throws {
        let fixture = try RowFixture()
        let store = try Self.fill(fixture)
        try fixture.change("UPDATE \"Patient\" SET name = 'Ada', _mac = zeros(24) WHERE _id = 1")
        #expect(try store.read { try $0.ids("Visit", where: Condition(condition)).map(\.number) } == [2])
    }
}
