import EncryptionPlugin
import Foundation
import GeometryPlugin
import Transformable
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// The rows in a store of ours on a server.
final class PostgresPatients {
    let attribute: SealedAttribute
    private let store: Store
    private static let schema = "bench"

    /// The table, as SQL names it.
    var table: String { "\(Self.schema).\"Patient\"" }

    convenience init(on server: PostgresServer) throws {
        try self.init(at: server.address.description)
    }

    init(at address: String) throws {
        let keys = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            GeometryPlugin()
            EncryptionPlugin(keys: keys)
        }
        store = try Store(
            postgres: address,
            schema: Self.schema,
            model: Patient.model(),
            transformers: registry
        )
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

    /// Changes objects in a context for editing, and returns what saves them.
    func edit(_ count: Int) throws -> () throws -> Void {
        let context = store.makeContext()
        let patients = try context.fetch("Patient", limit: count)
        return {
            for patient in patients {
                try patient.setValue(patient.value("name", as: String.self) + "a", for: "name")
            }
            try context.save()
        }
    }

    func change(_ count: Int64) throws {
        try store.write { context in
            for patient in try context.fetch("Patient", limit: Int(count)) {
                try patient.setValue(patient.value("name", as: String.self) + "a", for: "name")
            }
        }
    }
}
