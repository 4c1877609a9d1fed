import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Suite struct EntityShapeTests {
    @Test func storesEveryKindOfProperty() throws {
        let store = try Store.inMemory(for: Shapes.self, transformers: Fixtures.registry())
        let token = UUID()
        try store.write { context in
            let shapes = context.insert(Shapes())
            shapes.raise()
            shapes.token = token
            shapes.page = URL(string: "https://example.org/a")
            shapes.day = .monday
            shapes.maybe = Outcome.none
            shapes.tint = Color(rawValue: "blue")
            shapes.other = Nest(eggs: ["b": [2]], inner: Settings(beds: 1))
            shapes.words = ["w"]
            shapes.table["b"] = []
            shapes.isDeleted = true
            shapes.watched = 9
        }
        try store.read { context in
            let shapes = try #require(try context.first(Shapes.self))
            #expect(shapes.description == "shape 42")
            #expect(shapes.sealed == "s!")
            #expect((shapes.flag, shapes.negative, shapes.ratio) == (true, -4, -1.5))
            #expect((shapes.small, shapes.medium, shapes.wide, shapes.single) == (2, 3, 4, 0.5))
            #expect(shapes.price == Decimal(string: "0.1"))
            #expect(shapes.bytes == Data([1, 2]))
            #expect((shapes.token, shapes.page?.path) == (token, "/a"))
            #expect((shapes.weekday, shapes.day) == (.tuesday, .monday))
            #expect((shapes.outcome, shapes.maybe) == (.cured(days: 3), Outcome.none))
            #expect((shapes.flags, shapes.color, shapes.tint?.rawValue) == (.urgent, Color(rawValue: "red"), "blue"))
            #expect(shapes.nest == Nest())
            #expect(shapes.other == Nest(eggs: ["b": [2]], inner: Settings(beds: 1)))
            #expect((shapes.list, shapes.words, shapes.set) == ([1, 2], ["w"], [3]))
            #expect(shapes.table == ["a": [1], "b": []])
            #expect((shapes.fromType, shapes.context, shapes.class) == (7, "c", "k"))
            #expect(shapes.isDeleted)
            #expect(shapes[1] == 2)
            // Transient properties start with their initial values in a fetched object.
            #expect((shapes.watched, shapes.changes, shapes.slow, shapes.constant) == (0, 0, 5, 5))
            shapes.watched = 1
            #expect(shapes.changes == 1)
        }
    }

    @Test func resetsTransientPropertiesWithinConditions() throws {
        let store = try Store.inMemory(for: Shapes.self, transformers: Fixtures.registry())
        try store.write { _ = $0.insert(Shapes()) }
        try store.read { context in
            let shapes = try #require(try context.first(Shapes.self))
            shapes.here = 1
            try context.refresh(shapes)
            #expect(shapes.here == 0)
        }
    }

    @Test func storesThemInPlainColumns() throws {
        let store = try Store.inMemory(for: Shapes.self, transformers: Fixtures.registry())
        let types = try #require(store.model.entity("Shapes")).attributes.map { "\($0.name) \($0.type.rawValue)" }
        let expected = [
            "id uuid", "name string", "flag boolean", "negative int64", "ratio double", "small int16", "medium int32",
            "wide int64", "single float", "price decimal", "made date", "bytes data", "page url", "token uuid",
            "weekday int64", "day int64", "outcome transformed", "maybe transformed", "flags int64", "color string",
            "tint string", "nest transformed", "other transformed", "list transformed", "words transformed",
            "table transformed", "set transformed", "fromType int64", "owner transformed", "context string",
            "isDeleted boolean", "class string", "secret int64", "sealed string",
        ]
        #expect(types == expected)
    }

    @Test func supportsNestedClasses() throws {
        let store = try Store.inMemory(for: Clinic.Bed.self, Clinic.Room.self, transformers: Fixtures.registry())
        #expect(store.model.entities.map(\.name) == ["Bed", "ClinicRoom"])
        try store.write { context in
            let room = context.insert(Clinic.Room(floor: 3))
            context.insert(Clinic.Bed()).room = room
            #expect(room.beds.map(\.width) == [1])
        }
        let found = try store.read { try $0.count(Clinic.Bed.self, where: #Predicate { $0.room?.floor == 3 }) }
        #expect(found == 1)
    }

    @Test func supportsPackageAccess() throws {
        let store = try Store.inMemory(for: Parcel.self, transformers: Fixtures.registry())
        try store.write { context in
            let parcel = context.insert(Parcel(label: "a"))
            #expect((parcel.label, parcel.weight, parcel.markForTests) == ("a", 1, "m"))
        }
    }

    @Test func storesIDsOfObjectsAsValues() throws {
        let store = try Store.inMemory(
            for: Shapes.self,
            Patient.self,
            Visit.self,
            Ward.self,
            transformers: Fixtures.registry()
        )
        try store.write { context in
            let patient = context.insert(Patient(name: "Ada"))
            context.insert(Shapes()).owner = patient.persistentID
        }
        try store.read { context in
            let owner = try #require(try context.first(Shapes.self)?.owner)
            #expect(try context.object(owner).name == "Ada")
        }
        // The id of an object that is not inserted is invalid and must not be written.
        let error = #expect(throws: StoreError.self) {
            try store.write { $0.insert(Shapes()).owner = Patient(name: "Bea").persistentID }
        }
        #expect(error?.attribute == "owner")
    }
}
