import Foundation
import Testing
import Transformable
import TransformableStore
import _HostileInputs

/// Rows stay authentic, whatever the store itself does to them.
@Suite(.eachEngine, .alsoWithTenants)
struct RowSealRandomTests {
    @Test(.enabled(if: RowFixture.hasPython), arguments: 1...2 as ClosedRange<UInt64>)
    func everyWriteKeepsRowsAuthentic(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try RowFixture()
        let store = try fixture.open()
        try store.write { context in
            for index in 0..<4 { try context.insert("Ward").setValue("Ward \(index)", for: "name") }
            for index in 0..<3 { try context.insert("Tag").setValue("Tag \(index)", for: "name") }
        }
        for round in 0..<60 {
            do {
                if round % 3 == 0 {
                    let context = store.makeContext()
                    for _ in 0..<Int.random(in: 1...5, using: &random) { try step(context, &random) }
                    try context.save()
                } else {
                    try store.write { context in
                        for _ in 0..<Int.random(in: 1...5, using: &random) { try step(context, &random) }
                    }
                }
            } catch let error as StoreError {
                // Changes that violate the rules of the model are rolled back as a whole.
                #expect([.deletionDenied, .notUnique].contains(error.code), "\(error)")
            }
            guard round % 20 == 19 else { continue }
            let found = try store.verify()
            #expect(found.isSound, "\(found.faults)")
            #expect(try fixture.check().hasSuffix(" genuine"))
        }
        #expect(try store.read { try $0.count("Patient") } > 0)
    }

    private func step(_ context: StoreContext, _ random: inout SeededGenerator) throws {
        let patients = try context.fetch("Patient", where: .all)
        let wards = try context.fetch("Ward", where: .all)
        let patient = patients.randomElement(using: &random)
        let ward = wards.randomElement(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2:
            let new = try context.insert("Patient")
            try new.setValue("Patient \(Int.random(in: 0..<100, using: &random))", for: "name")
            try new.setValue("ssn \(Int.random(in: 0..<100, using: &random))", for: "ssn")
            try new.setObject(ward, for: "ward")
        case 3: try patient?.setValue(Double.random(in: 0..<100, using: &random).rounded(), for: "weight")
        case 4: try patient?.setValue(Bool.random(using: &random) ? "x" : nil as String?, for: "ssn")
        case 5:
            let count = Int.random(in: 0..<100_000, using: &random)
            try patient?.setValue(Data(repeating: 7, count: count), for: "photo")
        case 6: try ward?.setObjects(patients.shuffled(using: &random), for: "patients")
        case 7:
            try patient?.setObject(ward, for: Bool.random(using: &random) ? "owner" : "keeper")
        case 8:
            let tags = try context.fetch("Tag")
            try patient?.setObjects(tags.shuffled(using: &random), for: "tags")
        case 9: if let patient { try context.delete(patient) }
        case 10: if let ward, wards.count > 2 { try context.delete(ward) }
        default:
            let code = "code \(Int.random(in: 0..<5, using: &random))"
            _ = try context.upsert("Patient", ["code": code, "name": "Upserted"])
            _ = try context.insert(many: 0..<3, into: "Patient") { patient, number in
                try patient.setValue("Bulk \(number)", for: "name")
            }
        }
    }
}
