import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The samples of the article on conditions.
@Suite struct ConditionSampleTests {
    private static func clinic() throws -> Store {
        let model = try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"), .string("nick", .optional), .integer("age", .optional), .string("ward", .optional),
                    .integer("guardian", .optional), .boolean("active"),
                    .transformed("secret", "text | sealed", as: String.self, .optional, .projected("blind-index")),
                ],
                relationships: [.toMany("visits", "Visit", inverse: "patient")]
            ),
            EntityDescription(
                "Visit",
                attributes: [.double("cost"), .integer("days"), .boolean("paid")],
                relationships: [.toOne("patient", "Patient")]
            ),
        ])
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            Registration.text
            EncryptionPlugin(keys: keys)
        }
        let store = try Store.inMemory(model: model, transformers: registry)
        try store.write { context in
            for (name, age, ward) in [("Zoë", 20, "East"), ("Ada", 40, "East"), ("Bea", 5, "West")] {
                let patient = try context.insert("Patient")
                try patient.setValue(name, for: "name")
                try patient.setValue(age, for: "age")
                try patient.setValue(ward, for: "ward")
                try patient.setValue("secret of \(name)", for: "secret")
                try patient.setValue("Zo", for: "nick")
                try patient.setValue(name != "Bea", for: "active")
                guard name == "Ada" else { continue }
                for (cost, paid) in [(101.0, false), (1.0, true), (2.0, true)] {
                    let visit = try context.insert("Visit")
                    try visit.setValue(cost, for: "cost")
                    try visit.setValue(paid, for: "paid")
                    try visit.setValue(3, for: "days")
                    try patient.add(visit, to: "visits")
                }
            }
        }
        return store
    }

    @Test func conditions() throws {
        let adults = try Condition("age >= 18 and name startsWith \"A\"")
        let same = Field("age") >= 18 && Field("name").starts(with: "A")
        try Self.clinic()
            .read { context in
                #expect(try context.ids("Patient", where: adults) == context.ids("Patient", where: same))
                let found = try context.fetch("Patient", where: Condition("name contains[cd] \"zoe\""))
                let like = try context.count("Patient", where: Field("name").like("z%", .caseInsensitive))
                #expect(found.map(\.id.number) == [1])
                #expect(like == 1)
                let costly = try context.count("Visit", where: Condition("cost * 1.19 > 100 and days % 7 != 0"))
                let longer = try context.count("Patient", where: Field("name").length > Field("nick").length)
                #expect(costly == 1)
                #expect(longer == 3)
            }
    }

    @Test func truthValues() throws {
        let current = try Condition("active and not any visits.paid")
        let names = try Self.clinic()
            .read { try $0.fetch("Patient", where: current).map { try $0.value("name", as: String.self) } }
        #expect(names == ["Zoë"])
    }

    @Test func relationships() throws {
        try Self.clinic()
            .read { context in
                let unpaid = try Condition("any visits (cost > 100 and not paid)")
                let regular = try Condition("visits.@count > 2 and visits.@sum.cost < 50")
                let code = Field("visits").any(Field("cost") > 100 && Field("paid") == false)
                #expect(try context.ids("Patient", where: unpaid).map(\.number) == [2])
                #expect(try context.count("Patient", where: regular) == 0)
                #expect(try context.ids("Patient", where: code).map(\.number) == [2])
            }
    }

    @Test func sums() throws {
        try Self.clinic()
            .read { context in
                let wards = try context.aggregate("Patient", [.count, .average("age")], groupedBy: ["ward"])
                let mean = try wards[0].value(.average("age"), as: Double?.self)
                #expect(wards.count == 2)
                #expect(mean == 30)
                let rows = try context.values("Patient", of: ["name", "secret"], where: Field("ward") == "East")
                let names = try rows.map { try $0.value("name", as: String.self) }
                #expect(names == ["Zoë", "Ada"])
                #expect(try rows[1].value("secret", as: String.self) == "secret of Ada")
            }
    }

    @Test func fields() throws {
        let condition = Field("name").starts(with: "A") && Field("visits").count > 2
        let expensive = Field("visits").any(Field("cost") * Field("days") > 1000)
        let text = try Condition("name startsWith \"A\" and (age >= 18 or guardian is not null)")
        let code = Field("name").starts(with: "A") && (Field("age") >= 18 || Field("guardian") != nil)
        try Self.clinic()
            .read { (context: StoreContext) throws in
                for condition in [condition, text, code] {
                    #expect(try context.ids("Patient", where: condition).map(\.number) == [2])
                }
                #expect(try context.count("Patient", where: expensive) == 0)
            }
    }
}
