import Testing
import TransformableCoreData

struct CoreDataModelTests {
    @Test func sortsEntitiesAndTheirPropertiesByName() {
        let model = CoreDataModel(entities: [
            CoreDataEntity(
                "Person",
                attributes: [CoreDataAttribute("name", .string), CoreDataAttribute("age", .integer16)]
            ),
            CoreDataEntity("Company"),
        ])
        #expect(model.entities.map(\.name) == ["Company", "Person"])
        #expect(model.entity("Person")?.attributes.map(\.name) == ["age", "name"])
    }

    @Test func lineageStartsAtTheTop() {
        let model = CoreDataModel(entities: [
            CoreDataEntity("Dog", parent: "Animal"), CoreDataEntity("Animal", abstract: true),
        ])
        #expect(model.lineage(of: "Dog").map(\.name) == ["Animal", "Dog"])
        #expect(model.children(of: "Animal").map(\.name) == ["Dog"])
        #expect(model.lineage(of: "Cat").isEmpty)
    }

    @Test func lineageEndsInACycle() {
        let model = CoreDataModel(entities: [CoreDataEntity("A", parent: "B"), CoreDataEntity("B", parent: "A")])
        #expect(model.lineage(of: "A").count == 2)
    }

    @Test func leavesOfACompositeAreItsElements() {
        let point = CoreDataAttribute(
            "origin",
            .composite,
            elements: [CoreDataAttribute("x", .double), CoreDataAttribute("y", .double)]
        )
        let rect = CoreDataAttribute("frame", .composite, elements: [point, CoreDataAttribute("width", .double)])
        #expect(rect.leaves.map(\.name) == ["x", "y", "width"])
    }

    @Test(arguments: CoreDataAttributeType.allCases)
    func findsTypeByName(type: CoreDataAttributeType) {
        #expect(CoreDataAttributeType(name: type.name) == type)
    }
}
