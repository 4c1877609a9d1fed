import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

@Suite struct EntitySectionTests {
    private func store() throws -> Store {
        let store = try Fixtures.store()
        try store.write { context in
            for (name, mood) in [("Ada", Severity.low), ("Bea", .high), ("Cid", nil), ("Dee", .low)] {
                let patient = context.insert(Patient(name: name, severity: mood ?? .high))
                patient.mood = mood
                patient.ssn = name.lowercased()
            }
        }
        return store
    }

    @Test func sectionsHaveTheTypeOfTheirProperty() async throws {
        let store = try store()
        var lists = try store.sections(of: Patient.self, sortedBy: [SortDescriptor(\.name)], by: \.mood)
            .makeAsyncIterator()
        var list = try #require(try await lists.next())
        let moods: [Severity?] = try list.sections.map { try $0.value }
        #expect(moods == [.low, .high, nil])
        #expect(list.sections.map { $0.ids.map(\.number) } == [[1, 4], [2], [3]])
        #expect(list.sections[0].count == 2 && list.count == 4)

        let dee = list[SectionPosition(section: 0, item: 1)]
        try await store.write { try $0.object(dee).mood = .high }
        list = try #require(try await lists.next())
        #expect(list.changes.moved.map(\.id) == [dee.objectID])
        let position = try #require(list.position(of: dee))
        #expect(position == SectionPosition(section: 1, item: 1))
        #expect(try list.sections[position.section].value == .high)
    }

    @Test func acceptsPredicatesAndConditions() async throws {
        let store = try store()
        let predicate = #Predicate<Patient> { $0.name != "Ada" }
        var byPredicate = try store.sections(of: Patient.self, where: predicate, by: \.severity).makeAsyncIterator()
        var list = try #require(try await byPredicate.next())
        let severities: [Severity] = try list.sections.map { try $0.value }
        #expect(severities == [.high, .low])
        #expect(list.ids.map(\.number) == [2, 3, 4])

        var byCondition = try store.sections(of: Patient.self, where: \Patient.name != "Ada", by: \.severity)
            .makeAsyncIterator()
        list = try #require(try await byCondition.next())
        #expect(list.ids.map(\.number) == [2, 3, 4])

        var whole =
            try store.sections(of: Patient.self, where: predicate, sortedBy: [SortDescriptor(\.name, order: .reverse)])
            .makeAsyncIterator()
        #expect(try #require(try await whole.next()).ids.map(\.number) == [4, 3, 2])
    }

    @Test func rejectsPropertiesThatAreNotStored() throws {
        let store = try store()
        let error = #expect(throws: StoreError.self) { try store.sections(of: Patient.self, by: \.initials) }
        #expect(error?.code == .unknownAttribute)
    }
}
