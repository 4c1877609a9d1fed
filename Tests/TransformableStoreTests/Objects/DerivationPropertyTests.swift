import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import _HostileInputs

/// Random edits of objects with derived attributes, compared with a reference model after each edit.
@Suite struct DerivationPropertyTests {
    private struct Patient {
        var name: String
        var visits: Set<Int64> = []
    }

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"), .string("lower", .derived(.lowercased("name")), .indexed),
                    .date("changed", .derived(.dateOfChange)), .int32("count", .derived(.count(of: "visits"))),
                ],
                relationships: [.toMany("visits", "Visit", inverse: "patient")],
                indexes: [[.ascending("lower"), .descending("changed")]]
            ),
            EntityDescription("Visit", relationships: [.toOne("patient", "Patient", inverse: "visits")]),
        ])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func agreesWithAReferenceModel(_ seed: UInt64) throws {
        let folder = try Folder()
        let store = try Store(at: folder.file(), model: Self.model(), transformers: TransformerRegistry {})
        if seed.isMultiple(of: 2) {
            var clinic = Clinic(store.makeContext(), seed: seed)
            for _ in 0..<100 { try clinic.edit() }
        } else {
            try store.write { context in
                var clinic = Clinic(context, seed: seed)
                for _ in 0..<100 { try clinic.edit() }
            }
        }
        #expect(try store.verify().faults.isEmpty)
        try store.read { context in
            for patient in try context.fetch("Patient") {
                let name = try patient.value("name", as: String.self)
                #expect(try patient.value("lower", as: String.self) == name.lowercased())
            }
        }
    }

    /// A context, and what it should contain.
    private struct Clinic {
        private let context: StoreContext
        private var patients: [Int64: Patient] = [:]
        private var random: SeededGenerator
        private var texts: RandomText

        init(_ context: StoreContext, seed: UInt64) {
            self.context = context
            random = SeededGenerator(seed: seed)
            texts = RandomText(seed: seed)
        }

        private func object(_ number: Int64) throws -> ManagedObject {
            try context.object(ObjectID(entity: "Patient", number: number))
        }

        mutating func edit() throws {
            let known = patients.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<8, using: &random), known) {
            case (0, _), (_, nil):
                let (patient, name) = (try context.insert("Patient"), texts.next())
                try patient.setValue(name, for: "name")
                patients[patient.id.number] = Patient(name: name)
            case (1, let number?), (2, let number?):
                patients[number]?.name = texts.next()
                try object(number).setValue(patients[number]?.name, for: "name")
            case (3, let number?), (4, let number?):
                let visit = try context.insert("Visit")
                try visit.setObject(object(number), for: "patient")
                patients[number]?.visits.insert(visit.id.number)
            case (5, let number?):
                guard let visit = patients[number]?.visits.min() else { return }
                try context.delete(context.object(ObjectID(entity: "Visit", number: visit)))
                patients[number]?.visits.remove(visit)
            case (6, let number?):
                try context.delete(object(number))
                patients[number] = nil
            default: try context.save()
            }
            try compare()
        }

        private func compare() throws {
            for (number, patient) in patients {
                #expect(try object(number).value("count", as: Int.self) == patient.visits.count)
            }
            guard let some = patients.values.map(\.name).max() else { return }
            let lower = some.lowercased()
            let found = try context.ids("Patient", where: Condition("lower == $lower", parameters: ["lower": lower]))
            let expected = patients.filter { $0.value.name.lowercased() == lower }.keys.sorted()
            #expect(found.map(\.number) == expected)
            let busy = try context.ids("Patient", where: Condition("count >= 2"), sortedBy: [.descending("count")])
            let counts = busy.map { patients[$0.number]?.visits.count ?? 0 }
            let expectedCounts: [Int] = patients.values.map(\.visits.count).filter { $0 >= 2 }
            #expect(counts == expectedCounts.sorted(by: >))
        }
    }
}
