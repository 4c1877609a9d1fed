import Foundation
import GRDB
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Suite struct EntityFailureTests {
    /// A store with one patient, one cell of which was overwritten without the store's knowledge.
    private func store(
        _ column: String,
        _ bytes: Data,
        quarantine: Store.Options.Quarantine = .fail
    ) throws -> (Store, PersistentID<Patient>) {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
        let classes: (TransformerRegistry, Store.Options) throws -> Store = { registry, options in
            try Store(at: url, for: Patient.self, Visit.self, Ward.self, transformers: registry, options: options)
        }
        let options = Store.Options(quarantine: quarantine)
        let store = try classes(Fixtures.registry(), options)
        let id = try store.write { context in
            let patient = context.insert(Patient(name: "Ada"))
            patient.spare = Box(width: 1, height: 1)
            return patient.persistentID
        }
        try store.close()
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try $0.execute(sql: "UPDATE Patient SET \(column) = ?", arguments: [bytes]) }
        try queue.close()
        return (try classes(Fixtures.registry(), options), id)
    }

    @Test func returnsNilAndThrowsAtTheEnd() throws {
        let (store, id) = try store("spare", Data("?".utf8))
        let error = #expect(throws: StoreError.self) {
            try store.read { context in
                let patient = try context.object(id)
                #expect(patient.spare == nil)
            }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.attribute == "spare")
    }

    // A window that is redrawn reads its values again.
    @Test func reportsEachFailureOnce() throws {
        let (store, id) = try store("spare", Data("?".utf8))
        let error = #expect(throws: StoreError.self) {
            try store.read { context in
                let patient = try context.object(id)
                for _ in 0..<3 { #expect(patient.spare == nil) }
            }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.faults == [])
    }

    @Test func returnsTheInitialValueIfThereIsOne() throws {
        let (store, id) = try store("floor", Data("?".utf8), quarantine: .report)
        try store.read { context in
            let patient = try context.object(id)
            #expect(patient.floor == Box(width: 9, height: 9))
        }
    }

    @Test func throwsWhenFetchingIfThereIsNoPlaceholder() throws {
        let (store, id) = try store("bed", Data("?".utf8), quarantine: .report)
        #expect(throws: StoreError(.undecodable, "")) { try store.read { try $0.object(id).name } }
        #expect(throws: StoreError(.undecodable, "")) { try store.read { try $0.fetch(Patient.self).count } }
    }

    @Test func dollarPropertiesProvideStoredBytes() throws {
        let (store, id) = try store("spare", Data("?".utf8))
        try store.read { context in
            let patient = try context.object(id)
            let error = #expect(throws: StoreError.self) { try patient.$spare.value() }
            #expect(error?.code == .undecodable)
            #expect(patient.$spare.failure?.code == .undecodable)
            #expect(try patient.$spare.encodedBytes() == Data("?".utf8))
            #expect(try patient.$name.value() == "Ada")
        }
    }

    @Test func keepsUndecodableBytes() throws {
        let (store, id) = try store("spare", Data("?".utf8), quarantine: .report)
        try store.write { context in
            let patient = try context.object(id)
            #expect(patient.spare == nil)
            patient.name = "Bea"
        }
        #expect(try store.read { try $0.object(id).$spare.encodedBytes() } == Data("?".utf8))
    }

    @Test(arguments: [true, false]) func theNextSaveReportsFailuresOfGetters(isChanged: Bool) throws {
        let (store, id) = try store("spare", Data("?".utf8))
        let context = store.makeContext()
        let patient = try context.object(id)
        #expect(patient.spare == nil)
        if isChanged { patient.name = "Bea" }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .undecodable)
        #expect(error?.attribute == "spare")
        try context.save()
        #expect(try store.read { try $0.object(id).name } == (isChanged ? "Bea" : "Ada"))
        let (reporting, other) = try self.store("spare", Data("?".utf8), quarantine: .report)
        let silent = reporting.makeContext()
        #expect(try silent.object(other).spare == nil)
        try silent.save()
    }

    @Test(arguments: [true, false]) func aPlaceholderIsNeverWritten(isEditing: Bool) throws {
        let (store, id) = try store("count", Data("?".utf8), quarantine: .report)
        func edit(_ context: StoreContext) throws {
            try context.object(id).count += 1
            try context.object(id).name = "Bea"
            try context.save()
        }
        let error = #expect(throws: StoreError.self) {
            if isEditing { try edit(store.makeContext()) } else { try store.write { try edit($0) } }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.attribute == "count")
        #expect(try store.read { try $0.object(id).$count.encodedBytes() } == Data("?".utf8))
        #expect(try store.read { try $0.object(id).name } == "Ada")
        try store.write { try $0.object(id).$count.replaceValue(1) }
        #expect(try store.read { try $0.object(id).count } == 1)
    }

    @Test(arguments: [true, false]) func aCopiedPlaceholderIsNotSavedByDefault(isEditing: Bool) throws {
        let (store, id) = try store("count", Data("?".utf8))
        func edit(_ context: StoreContext) throws {
            let other = context.insert(Patient(name: "Bea"))
            other.count = try context.object(id).count
            if isEditing { try context.save() }
        }
        let error = #expect(throws: StoreError.self) {
            if isEditing { try edit(store.makeContext()) } else { try store.write { try edit($0) } }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.attribute == "count")
        #expect(try store.read { try $0.count(Patient.self) } == 1)
    }

    @Test(arguments: [true, false]) func dollarPropertiesNeverReturnPlaceholders(isEditing: Bool) throws {
        let (store, id) = try store("count", Data("?".utf8), quarantine: .report)
        func copy(_ context: StoreContext) throws {
            let other = context.insert(Patient(name: "Bea"))
            let damaged = try context.object(id)
            #expect(damaged.$count.failure?.code == .undecodable)
            other.count = try damaged.$count.value()
            try context.save()
        }
        #expect(throws: StoreError(.undecodable, "")) {
            if isEditing { try copy(store.makeContext()) } else { try store.write { try copy($0) } }
        }
        #expect(try store.read { try $0.count(Patient.self) } == 1)
    }

    @Test(arguments: [true, false]) func reportingAllowsEditingOtherValues(isEditing: Bool) throws {
        let (store, id) = try store("count", Data("?".utf8), quarantine: .report)
        func edit(_ context: StoreContext) throws {
            _ = try context.fetch(Patient.self).map(\.count)
            context.insert(Patient(name: "Bea"))
            try context.save()
        }
        if isEditing { try edit(store.makeContext()) } else { try store.write { try edit($0) } }
        #expect(try store.read { try $0.count(Patient.self) } == 2)
        #expect(try store.read { try $0.object(id).$count.encodedBytes() } == Data("?".utf8))
    }

    @Test func optionalValuesAreReplacedExplicitly() throws {
        let (store, id) = try store("spare", Data("?".utf8), quarantine: .report)
        #expect(throws: StoreError(.undecodable, "")) { try store.write { try $0.object(id).spare = nil } }
        try store.write { try $0.object(id).$spare.replaceValue(nil) }
        #expect(try store.read { try $0.object(id).$spare.encodedBytes() } == nil)
    }

    @Test func throwsErrorsOfSetters() throws {
        let store = try Fixtures.store(Store.Options(quarantine: .report))
        let id = try store.write { $0.insert(Patient(name: "Ada")).persistentID }
        let error = #expect(throws: StoreError.self) { try store.read { try $0.object(id).name = "Bea" } }
        #expect(error?.code == .readOnly)
        let refused = #expect(throws: StoreError.self) { try store.read { _ = $0.insert(Patient(name: "Bea")) } }
        #expect(refused?.code == .readOnly)
    }

    @Test func throwsWhenSavingValuesThatCannotBeEncoded() throws {
        let store = try Fixtures.store()
        let error = #expect(throws: StoreError.self) {
            try store.write { $0.insert(Patient(name: "Ada")).bed = Box(width: -1, height: 0) }
        }
        #expect(error?.attribute == "bed")
    }

    @Test func checksRulesWhenSaving() throws {
        let store = try Fixtures.store()
        let error = #expect(throws: StoreError.self) {
            try store.write { $0.insert(Patient(name: "Ada")).count = 10 }
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func rejectsAClassThatIsNotInTheModel() throws {
        let store = try Store.inMemory(for: Ward.self, transformers: Fixtures.registry())
        #expect(throws: StoreError(.unknownEntity, "")) { try store.read { try $0.count(Patient.self) } }
        let byName = try Store.inMemory(
            model: Model(entities: [EntityDescription("Station", attributes: [.integer("beds"), .string("title")])]),
            transformers: Fixtures.registry()
        )
        #expect(throws: StoreError(.misuse, "")) { try byName.read { try $0.count(Ward.self) } }
    }
}
