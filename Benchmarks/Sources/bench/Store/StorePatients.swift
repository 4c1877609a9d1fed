import EncryptionPlugin
import Foundation
import GeometryPlugin
import Transformable
import TransformableSQLite
import TransformableStore

/// The rows in a store of ours.
struct StorePatients {
    let attribute: SealedAttribute
    private let store: Store

    init(at url: URL) throws {
        let keys = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            GeometryPlugin()
            EncryptionPlugin(keys: keys)
        }
        let model = try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"),
                    .transformed("bed", "rect", as: CGRect.self),
                    .transformed("ssn", "sealed", as: String.self),
                ]
            )
        ])
        store = try Store(at: url, model: model, transformers: registry)
        attribute = try SealedAttribute(keys: keys, store: store.uuid)
    }

    func write(_ count: Int64) throws {
        try store.write { context in
            for number in 1...count {
                let patient = try context.insert("Patient")
                try patient.setValue(Patient.name(number), for: "name")
                try patient.setValue(Patient.bed(number), for: "bed")
                try patient.setValue(Patient.ssn(number), for: "ssn")
            }
        }
    }

    func writeOnAllCores(_ count: Int64) throws {
        try store.insert(many: 1...count, into: "Patient") { patient, number in
            try patient.setValue(Patient.name(number), for: "name")
            try patient.setValue(Patient.bed(number), for: "bed")
            try patient.setValue(Patient.ssn(number), for: "ssn")
        }
    }

    func sum() throws -> Double {
        try store.read { context in
            var sum = 0.0
            try context.forEach("Patient") { patient in
                sum += Patient.sum(
                    try patient.value("name", as: String.self),
                    try patient.value("bed", as: CGRect.self),
                    ssn: try patient.value("ssn", as: String.self).utf8.count
                )
            }
            return sum
        }
    }

    /// Touches one attribute of each row.
    func sumOfNames() throws -> Int {
        try store.read { context in
            var sum = 0
            try context.forEach("Patient") { sum += try $0.value("name", as: String.self).utf8.count }
            return sum
        }
    }
}
