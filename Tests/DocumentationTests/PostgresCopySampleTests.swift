import Foundation
import Transformable
import TransformableCommands
import TransformablePostgres
import TransformablePostgresCommands
import TransformableSQLite
import TransformableStore

/// Compiled and not run, since the samples need a server.
struct PostgresCopySampleTests {
    func copies(url: URL, backup: URL, registry: TransformerRegistry) throws -> Int {
        let address = try PostgresAddress("postgres:service=clinic")
        let store = try Store(at: url, transformers: registry, options: .readOnly)
        let report = try store.copy(to: address, schema: "clinic")
        try Store.copy(from: address, schema: "clinic", to: backup, transformers: registry)
        return report.objectCount
    }

    func opens(model: Model, registry: TransformerRegistry) throws -> UUID {
        let store = try Store(postgres: "service=clinic", schema: "clinic", model: model, transformers: registry)
        return store.uuid
    }

    func plans(model: Model, registry: TransformerRegistry) throws -> Bool {
        let plan = try Store.plan(postgres: "service=clinic", schema: "clinic", model: model, transformers: registry)
        return plan.refusals.isEmpty
    }

    func program() -> Never {
        TransformableCommand.withPostgres {
            TransformableCommand.main {
                try TransformerRegistry { AcmePlugin() }
            }
        }
    }
}
