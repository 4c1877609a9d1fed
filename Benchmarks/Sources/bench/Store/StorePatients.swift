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
        store = try Store(at: url, model: Patient.model(), transformers: registry)
        attribute = try SealedAttribute(keys: keys, store: store.uuid)
    }

    func write(_ count: Int64) throws {
        try store.write { context in
            for number in 1...count { try Patient.fill(context.insert("Patient"), number) }
        }
    }

    func writeOnAllCores(_ count: Int64) throws {
        try store.insert(many: 1...count, into: "Patient", fill: Patient.fill)
    }

    func sum() throws -> Double {
        try store.read { context in
            var sum = 0.0
            try context.forEach("Patient") { sum += try Patient.sum(of: $0) }
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
