import Foundation
import Testing
import TransformableEntities
import TransformableStore

@Suite struct EntitySchemaTests {
    @Test func findsNamesByKeyPaths() {
        #expect(Handwritten.propertyName(for: \Handwritten.name) == "name")
        #expect(Handwritten.propertyName(for: \Handwritten.count) == "count")
        #expect(Handwritten.propertyName(for: \Handwritten.name?.count) == nil)
        #expect(Handwritten.propertyName(for: \String.count) == nil)
    }

    @Test func matchesTheModelInCode() throws {
        let entity = Handwritten._entitySchema.description
        #expect(entity.attributes.map(\.name) == ["name", "count"])
        #expect(entity.attributes.map(\.type) == [.string, .int64])
        #expect(entity.attributes.map(\.isOptional) == [true, false])
        #expect(entity.attributes.map(\.isIndexed) == [true, false])
    }
}

/// Types with raw values that are not text or integers.
private struct Consent: RawRepresentable, Codable, Sendable {
    var rawValue: Bool
    static let given = Self(rawValue: true)
}

private struct Moment: RawRepresentable, Codable, Sendable {
    var rawValue: Date
    static let start = Self(rawValue: Date(timeIntervalSinceReferenceDate: 0))
}

private struct Level: RawRepresentable, Codable, Sendable {
    var rawValue: Double
    static let half = Self(rawValue: 0.5)
    static let unlimited = Self(rawValue: .infinity)
}

/// A type whose initializer returns a different value each time.
struct OrderID: RawRepresentable, Codable, Hashable, Sendable {
    var rawValue = UUID()

    init() {}

    init(rawValue: UUID) { self.rawValue = rawValue }
}

@Entity
private final class Form {
    var severity: Severity = .high
    var consent: Consent = .given
    var refusal: Consent? = Consent(rawValue: false)
    var moment: Moment = .start
    var level: Level? = .half
    var limit: Level = .unlimited
    var orderID: OrderID = OrderID()
    var total = Decimal()
    var distance: Double = 10_000_000_000_000_000_000
}

extension EntitySchemaTests {
    @Test func onlyConstantsThatAModelCanStateAreDefaults() throws {
        let entity = try #require(try Model(of: Form.self).entity("Form"))
        let expected: [DefaultValue?] = [
            .string("high"), .boolean(true), .boolean(false), nil, .number(0.5), nil, nil, nil, nil,
        ]
        #expect(entity.attributes.map(\.defaultValue) == expected)
    }

    @Test func objectsHaveTheInitialValuesOfTheirClass() throws {
        let store = try Store.inMemory(for: Form.self, transformers: Fixtures.registry())
        try store.write { _ = $0.insert(Form()) }
        let form = try store.read { context in
            let form = try #require(try context.first(Form.self))
            #expect((form.total, form.distance) == (0, 1e19))
            return (form.consent.rawValue, form.moment.rawValue, form.limit.rawValue)
        }
        #expect(form == (true, Moment.start.rawValue, .infinity))
    }
}

/// The expansion of `@Entity`, written by hand.
private final class Handwritten: Entity {
    static let entityName = "Handwritten"

    static let _entitySchema = _EntitySchema(of: Handwritten.self) { schema in
        schema.attribute("name", \.name, .indexed)
        schema.attribute("count", \.count, initial: { 3 })
    }

    let _record = _EntityRecord()

    var name: String? {
        get { _record.value(0) }
        set { _record.setValue(newValue, 0) }
    }

    var count: Int {
        get { _record.value(1, or: 3) }
        set { _record.setValue(newValue, 1) }
    }

    init(_stored object: ManagedObject) { _record.attach(object) }
}
