import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableEntities
import TransformablePostgresEntities
import _PostgresServer

@Entity
private final class Clinician {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Consultation.clinician) var consultations: [Consultation]
    @Transient var saves = 0

    init(name: String) { self.name = name }

    func willSave() { saves += 1 }
}

@Entity
private final class Consultation {
    @Attribute(transformer: "text | sealed") var note: String?
    var minutes = 15
    @Relationship var clinician: Clinician?

    init(note: String) { self.note = note }
}

/// Entity classes in PostgreSQL.
@Suite(.enabled(if: PostgresServer.programs != nil)) struct PostgresEntityTests {
    private let schema = "entities-\(UUID().uuidString)"
    private let registry: TransformerRegistry

    init() throws {
        let ring = try KeyRing.empty.addingKey()
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    private func open(
        _ options: Store.Options = .createIfMissing,
        version: Int = 1,
        migrations: [MigrationStep] = []
    ) throws -> Store {
        try Store(
            postgres: PostgresServer.shared.get().address.description,
            schema: schema,
            for: Clinician.self,
            Consultation.self,
            version: version,
            transformers: registry,
            options: options,
            migrations: migrations
        )
    }

    @Test func storesObjectsOfClasses() throws {
        let store = try open()
        let saves = try store.write { context in
            let ada = context.insert(Clinician(name: "Ada"))
            for note in ["cough", "fever"] { ada.consultations.append(context.insert(Consultation(note: note))) }
            try context.save()
            return ada.saves
        }
        #expect(saves == 1)
        try store.close()
        let again = try open(.mustExist)
        defer { try? again.close() }
        let notes = try again.read { context in
            let ada = try #require(context.fetch(Clinician.self, where: #Predicate { $0.name == "Ada" }).first)
            #expect(try context.count(Consultation.self, where: #Predicate { $0.minutes > 10 }) == 2)
            return Set(ada.consultations.compactMap(\.note))
        }
        #expect(notes == ["cough", "fever"])
    }

    @Test func choosesBetweenConstants() throws {
        let store = try open()
        defer { try? store.close() }
        try store.write { context in
            for minutes in [15, 22, 30] { context.insert(Consultation(note: "\(minutes)")).minutes = minutes }
            context.insert(Clinician(name: "Ada")).consultations = try context.fetch(Consultation.self)
        }
        let count = { (predicate: Predicate<Consultation>) in
            try store.read { try $0.count(Consultation.self, where: predicate) }
        }
        let numbers = #Predicate<Consultation> { $0.minutes > ($0.minutes > 20 ? 25 : 10) }
        #expect(try count(numbers) == 2)
        let missing = #Predicate<Consultation> { ($0.clinician.flatMap { _ in 22 } ?? 0) == $0.minutes }
        #expect(try count(missing) == 1)
        let flags = #Predicate<Consultation> { ($0.minutes > 20 ? true : false) == ($0.minutes > 25) }
        #expect(try count(flags) == 2)
    }

    @Test func comparesObjectsOfAnOuterObject() throws {
        let store = try open()
        defer { try? store.close() }
        try store.write { context in
            for (name, list) in [("Ada", [10, 30]), ("Bea", [10, 15])] {
                let clinician = context.insert(Clinician(name: name))
                for minutes in list {
                    let consultation = context.insert(Consultation(note: name))
                    consultation.minutes = minutes
                    clinician.consultations.append(consultation)
                }
            }
        }
        let names = try store.read { context in
            try context.fetch(
                Clinician.self,
                where: #Predicate { clinician in
                    clinician.consultations.contains { one in
                        clinician.consultations.contains { $0.minutes > one.minutes * 2 }
                    }
                }
            )
            .map(\.name)
        }
        #expect(names == ["Ada"])
    }

    /// The other program inserts the object after the block has looked for it.
    @Test func aBlockRunsAgainToFindTheObjectOfAnotherProgram() throws {
        let (store, other) = (try open(), try open())
        defer { for opened in [store, other] { try? opened.close() } }
        var runs = 0
        try store.write { context in
            runs += 1
            try context.upsert(Clinician(name: "Ada"))
            if runs == 1 { try other.write { _ = $0.insert(Clinician(name: "Ada")) } }
        }
        #expect(runs == 2)
        #expect(try store.read { try $0.count(Clinician.self) } == 1)
    }

    /// The second attempt finds nothing left in the sequence itself.
    @Test func insertsASequenceAfterAConflict() throws {
        let store = try open()
        defer { try? store.close() }
        var names = ["Ada", "Eve"].makeIterator()
        var isFirst = true
        let ids = try store.insert(
            many: AnyIterator { names.next() },
            into: Clinician.self,
            progress: { _ in
                guard isFirst else { return }
                isFirst = false
                throw StoreError(.transactionConflict, "")
            },
            make: { Clinician(name: $0) }
        )
        #expect(!isFirst)
        #expect(ids.count == 2)
        let found = try store.read { context in try context.fetch(Clinician.self).map(\.name) }
        #expect(found == ["Ada", "Eve"])
    }

    @Test func migratesWithSteps() throws {
        let old = try open()
        try old.write { context in _ = context.insert(Consultation(note: "cough")) }
        try old.close()
        let step = MigrationStep(from: 1, to: 2) { migration in
            for consultation in try migration.context.fetch(Consultation.self) { consultation.minutes *= 2 }
        }
        let store = try open(version: 2, migrations: [step])
        defer { try? store.close() }
        let minutes = try store.read { context in try context.fetch(Consultation.self).map(\.minutes) }
        #expect(minutes == [30])
    }

    @Test func requiresAnExistingStore() throws {
        let error = #expect(throws: StoreError.self) { try open(.mustExist) }
        #expect(error?.code == .noSuchFile)
    }
}
