import Transformable
import TransformableEntities
import TransformableModel
import TransformablePostgres
import TransformablePostgresEntities
import TransformableStore

/// Compiled and not run, since the samples need a server.
struct PostgresEntitySampleTests {
    func opens(registry: TransformerRegistry) throws -> Store {
        let store = try Store(
            postgres: "service=clinic",
            schema: "clinic",
            for: Patient.self,
            Visit.self,
            transformers: registry
        )
        return store
    }

    func distributes(model: Model, registry: TransformerRegistry) throws -> Store {
        var connections = PostgresOptions()
        connections.distribution = .byTenant
        let store = try Store(
            postgres: "service=clinic",
            schema: "clinic",
            model: model,
            transformers: registry,
            connections: connections
        )
        return store
    }
}
