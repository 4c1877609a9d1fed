import Foundation
import Ledger
import TransformableEntities

@main
struct Clinic {
    static func main() throws {
        let registry = try TransformerRegistry {}
        let store = try ClinicSchema.storeInMemory(transformers: registry)
        try store.write { context in
            let patient = context.insert(Patient(name: "Ada"))
            patient.severity = .high
            patient.visits.append(Visit())
        }
        try store.read { context in
            for patient in try context.fetch(Patient.self) {
                print(patient.name, patient.isUrgent ? "urgent" : "waiting", patient.visits.map(\.reason))
            }
        }
        let ledger = try LedgerSchema.storeInMemory(transformers: registry)
        try ledger.write { context in
            context.insert(Ledger.Store(name: "main")).tasks.append(Ledger.Task(date: .now))
        }
        print(try ledger.read { try $0.count(Ledger.Task.self) })
    }
}
