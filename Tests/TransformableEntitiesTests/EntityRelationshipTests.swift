import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Suite struct EntityRelationshipTests {
    let store: Store

    init() throws {
        store = try Fixtures.store()
    }

    @Test func keepsBothSidesConsistent() throws {
        try store.write { context in
            let patient = context.insert(Patient(name: "Ada"))
            let visit = context.insert(Visit())
            visit.patient = patient
            #expect(patient.visits == [visit])
            patient.visits = []
            #expect(visit.patient == nil)
            patient.visits.append(visit)
            #expect(visit.patient === patient)
        }
    }

    @Test func insertsRelatedObjects() throws {
        try store.write { context in
            let patient = Patient(name: "Ada")
            patient.visits = [Visit(reason: "a"), Visit(reason: "b")]
            patient.ward = Ward()
            patient.ward?.title = "East"
            context.insert(patient)
        }
        try store.read { context in
            let patient = try #require(try context.first(Patient.self))
            #expect(patient.visits.map(\.reason) == ["a", "b"])
            #expect(patient.visits.allSatisfy { $0.patient === patient })
            #expect(patient.ward?.title == "East")
        }
    }

    @Test func insertsObjectsAddedToAStoredObject() throws {
        try store.write { context in
            let patient = context.insert(Patient(name: "Ada"))
            let visit = Visit(reason: "late", patient: patient)
            #expect(visit.context == nil)
            patient.visits.append(visit)
            #expect(visit.context === context)
        }
        #expect(try store.read { try $0.count(Visit.self) } == 1)
    }

    @Test func insertsLongChainsWithoutRecursion() throws {
        let store = try Store.inMemory(for: Link.self, transformers: Fixtures.registry())
        try store.write { context in
            var first = Link()
            for _ in 0..<10_000 {
                let link = Link()
                link.next = first
                first = link
            }
            context.insert(first)
        }
        #expect(try store.read { try $0.count(Link.self) } == 10_001)
    }

    @Test func keepsTheOrder() throws {
        let store = try Store.inMemory(for: Chain.self, Link.self, transformers: Fixtures.registry())
        try store.write { context in
            let chain = context.insert(Chain())
            chain.links = ["c", "a", "b"]
                .map { title in
                    let link = Link()
                    link.title = title
                    return link
                }
            chain.links.swapAt(0, 2)
        }
        #expect(try store.read { try $0.first(Chain.self)?.links.map(\.title) } == ["b", "a", "c"])
    }

    @Test func followsDeleteRules() throws {
        try store.write { context in
            let patient = context.insert(Patient(name: "Ada"))
            patient.visits = [Visit(), Visit()]
            try context.save()
            try context.delete(patient)
        }
        #expect(try store.read { try $0.count(Visit.self) } == 0)
    }

    @Test func rejectsObjectsOfAnotherContext() throws {
        let other = try Fixtures.store()
        let error = #expect(throws: StoreError.self) {
            try other.write { there in
                // The compiler rejects this misuse, so it is simulated here within one thread.
                nonisolated(unsafe) let stranger = there.insert(Patient(name: "Ada"))
                try store.write { here in _ = here.insert(stranger) }
            }
        }
        #expect(error?.code == .misuse)
    }

    /// Errors for classes that do not fit together.
    private func faults(_ check: (TransformerRegistry) throws -> Void) throws -> String {
        let registry = try Fixtures.registry()
        let error = try #require(#expect(throws: StoreError.self) { try check(registry) })
        #expect(error.code == .invalidModel)
        return error.faults.joined(separator: "; ")
    }

    @Test func findsInversesThatDoNotPointBack() throws {
        let message = try faults { try Store.validate(Crooked.self, Link.self, transformers: $0) }
        #expect(message.contains("Crooked.links has the inverse Link.next, whose destination is Link"))
    }

    @Test func findsInversesThatAreNotRelationships() throws {
        let message = try faults { try Store.validate(Blunt.self, Link.self, transformers: $0) }
        #expect(message.contains("Blunt.links has an inverse “title” that Link does not have"))
    }

    @Test func findsDuplicateEntityNames() throws {
        let message = try faults { try Store.validate(Ward.self, Station.self, transformers: $0) }
        #expect(message.contains("the name “Station” is used twice"))
    }

    @Test func findsMissingClasses() throws {
        let message = try faults { try Store.validate(Chain.self, transformers: $0) }
        #expect(message.contains("Chain.links has the destination “Link”, which is not in the model"))
        let opened = try faults { _ = try Store.inMemory(for: Chain.self, transformers: $0) }
        #expect(opened == message)
    }
}

@Entity
final class Blunt {
    @Relationship(inverse: \Link.title) var links: [Link]
}

@Entity
final class Link {
    var title = ""
    @Relationship var next: Link?
}

@Entity
final class Chain {
    @Relationship(isOrdered: true) var links: [Link]
}

@Entity
final class Crooked {
    @Relationship(inverse: \Link.next) var links: [Link]
}

@Entity
final class Station {
    var title = ""
}
