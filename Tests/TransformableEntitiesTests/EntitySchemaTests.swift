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
