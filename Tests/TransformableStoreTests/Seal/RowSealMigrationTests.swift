import Testing
import TransformableStore

/// Migrations and re-encodings, after which the tags of rows are those of the new cells.
@Suite(.eachEngine, .alsoWithTenants)
struct RowSealMigrationTests {
    @Test(.enabled(if: RowFixture.hasPython))
    func aMigrationTurnsTagsOnAndOff() throws {
        let fixture = try RowFixture()
        let store = try fixture.open(model: RowFixture.model(1, authenticatesRows: false))
        try store.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        try store.close()
        #expect(try fixture.check() == "")
        #expect(throws: StoreError(code: .modelMismatch)) { try fixture.open(model: RowFixture.model(1)) }
        try fixture.open(model: RowFixture.model(2)).close()
        #expect(try fixture.check() == "Patient 1 genuine")
        let step = MigrationStep(from: 2, to: 3) { migration in
            for patient in try migration.context.fetch("Patient") { try patient.setValue("checked", for: "more") }
        }
        let more = try RowFixture.model(3, more: [.string("more", .optional)])
        let migrated = try fixture.open(model: more, migrations: [step])
        #expect(try fixture.check() == "Patient 1 genuine")
        #expect(try migrated.verify().isSound)
        #expect(try migrated.read { try $0.first("Patient")?.value("more", as: String?.self) } == "checked")
        try migrated.close()
        let off = try RowFixture.model(4, authenticatesRows: false, more: [.string("more", .optional)])
        let plain = try fixture.open(model: off)
        #expect(try fixture.check() == "")
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'flu'")
        #expect(try plain.verify().isSound)
    }

    @Test func aPlanStatesTheCostOfTurningTagsOnAndOff() throws {
        let fixture = try RowFixture.filled()
        func tags(_ version: Int, _ authenticatesRows: Bool) throws -> [MigrationPlan.Change] {
            let model = try RowFixture.model(version, authenticatesRows: authenticatesRows)
            return try Store.trialPlan(at: fixture.url, model: model, transformers: fixture.registry()).changes
                .filter { $0.subject == .rowTags }
        }
        let cost = "2 rows are read and written, requires a secret key"
        #expect(try tags(1, true).map(\.description) == ["Patient (row tags): kept"])
        #expect(try tags(2, true).map(\.description) == ["Patient (row tags): kept, \(cost)"])
        let off = try tags(2, false)
        #expect(off.map(\.description) == ["Patient (row tags): dropped, \(cost)"])
        #expect(off.map(\.outcome) == [.dropped])
        try fixture.open(model: RowFixture.model(2, authenticatesRows: false)).close()
        let on = try tags(3, true)
        #expect(on.map(\.description) == ["Patient (row tags): added, \(cost)"])
        #expect(on.first?.entity == "Patient" && on.first?.name == nil)
        #expect(try tags(3, false) == [])
    }

    @Test func aPlanNamesTheTagsOfNewAndRenamedEntities() throws {
        let fixture = try RowFixture()
        func model(_ version: Int, _ names: [String: FormerNames], _ isAuthenticated: Bool) throws -> Model {
            try Model(
                version: version,
                entities: [EntityDescription("Base", abstract: true, authenticatesRows: isAuthenticated)]
                    + names.sorted { $0.key < $1.key }
                    .map { name, former in
                        var entity = EntityDescription(name, parent: "Base", attributes: [.string("x")])
                        entity.renamedFrom = former
                        return entity
                    }
            )
        }
        let store = try fixture.open(model: model(1, ["Old": nil], false))
        try store.write { try $0.insert("Old").setValue("a", for: "x") }
        try store.close()
        let plan = try Store.trialPlan(
            at: fixture.url,
            model: model(2, ["New": nil, "Now": "Old"], true),
            transformers: fixture.registry()
        )
        #expect(
            plan.changes.filter { $0.subject == .rowTags }.map(\.description) == [
                "New (row tags): added, requires a secret key",
                "Now (row tags): added, 1 row is read and written, requires a secret key",
            ]
        )
    }

    @Test(.enabled(if: RowFixture.hasPython)) func aReencodingKeepsRowsAuthentic() throws {
        let fixture = try RowFixture.filled()
        var expressions = ["text | sealed(deterministic: true)", "text | sealed"]
        while let expression = expressions.popLast() {
            let store = try Store.trial(at: fixture.url, transformers: fixture.registry(), options: .mustExist)
            try store.reencode(Reencoding("ssn", of: "Patient", to: .transformer(expression)))
            try store.close()
            #expect(try fixture.check() == "Patient 2 genuine")
        }
        let store = try Store.trial(at: fixture.url, transformers: fixture.registry())
        #expect(try store.verify().isSound)
        try store.write { try $0.first("Patient")?.setValue(50, for: "age") }
        #expect(try fixture.check() == "Patient 2 genuine")
    }
}
