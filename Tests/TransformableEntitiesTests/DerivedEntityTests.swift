import Foundation
import Testing
import Transformable
import TransformableEntities

@Entity(indexes: [[.ascending("search"), .descending("age")]])
final class Member {
    var name: String
    var age = 0
    @Attribute(.derived(.folded("name"))) var search = ""
    @Attribute(.derived(.dateOfChange)) var changed: Date = .distantPast

    init(name: String) {
        self.name = name
    }
}

@Entity(projections: [.init("named_at", of: [.init("name", through: "small"), "age"], "raw", indexed: false)])
class Visitor {
    var name: String
    var age: Int

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

@Entity(projections: [.init("desk_age", of: ["desk", "age"], "raw")])
final class Colleague: Visitor {
    var desk = 1
}

/// A transformer that leaves bytes unchanged.
private struct RawTransformer: OneWayTransformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Data, in context: TransformContext) -> Data { value }
}

/// A transformer to lowercase.
private struct SmallTransformer: OneWayTransformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: String, in context: TransformContext) -> String { value.lowercased() }
}

/// Derived attributes, indexes, and fetch requests of classes.
@Suite struct DerivedEntityTests {
    private static func store() throws -> Store {
        let request = FetchRequestDescription(
            "older",
            of: "Member",
            where: "age > $age",
            sortedBy: [.descending("age")]
        )
        let model = try Model(of: Member.self, fetchRequests: [request])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        try store.write { context in
            for (index, name) in ["Zoë", "Bob", "Ann"].enumerated() {
                let member = Member(name: name)
                member.age = 30 + index
                context.insert(member)
            }
        }
        return store
    }

    @Test func propertiesAreDerived() throws {
        let store = try Self.store()
        let start = Date()
        try store.write { context in
            let member = try #require(try context.first(Member.self, where: #Predicate { $0.search == "zoe" }))
            #expect(member.changed <= start)
            member.name = "ÉVE"
        }
        try store.read { context in
            let member = try #require(try context.first(Member.self, where: #Predicate { $0.name == "ÉVE" }))
            #expect(member.search == "eve")
            #expect(member.changed >= start)
        }
    }

    @Test func derivedPropertiesCannotBeSet() throws {
        let store = try Self.store()
        let error = #expect(throws: StoreError.self) {
            try store.write { context in try context.fetch(Member.self).first?.search = "x" }
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func requestsFetchObjects() throws {
        let store = try Self.store()
        let names = try store.read { try $0.fetch(Member.self, request: "older", ["age": 30]).map(\.name) }
        #expect(names == ["Ann", "Bob"])
        #expect(store.model.entity("Member")?.indexes == [[.ascending("search"), .descending("age")]])
    }

    @Test func projectionsAreComputedFromSeveralProperties() throws {
        let model = try Model(of: Visitor.self, Colleague.self)
        let named = CompoundProjection("named_at", of: [.init("name", through: "small"), "age"], "raw", indexed: false)
        #expect(model.entity("Visitor")?.projections == [named])
        #expect(model.entity("Colleague")?.projections == [CompoundProjection("desk_age", of: ["desk", "age"], "raw")])
        let registry = try TransformerRegistry {
            Registration("raw", RawTransformer())
            Registration("small", SmallTransformer())
        }
        let store = try Store.inMemory(model: model, transformers: registry)
        try store.write { context in
            context.insert(Visitor(name: "Ada", age: 36))
            context.insert(Visitor(name: "ADA", age: 36))
            context.insert(Colleague(name: "Ada", age: 37))
        }
        let names = try store.read { context in
            try context.fetch(Visitor.self, where: #Predicate { $0.name == "Ada" && $0.age == 36 }).map(\.name)
        }
        #expect(names == ["Ada"])
        let plan = try store.read { try $0.count(Colleague.self, where: #Predicate { $0.desk == 1 && $0.age == 37 }) }
        #expect(plan == 1)
    }
}
