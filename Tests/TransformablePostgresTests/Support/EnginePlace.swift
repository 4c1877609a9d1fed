import EncryptionPlugin
import Foundation
import StandardPlugin
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Opens a store of either kind, again and again.
struct EnginePlace {
    let kind: Kind
    let registry: TransformerRegistry
    let name = "engine-\(UUID().uuidString)"

    enum Kind: CaseIterable {
        case file
        case postgres
    }

    static var all: [Kind] { PostgresServer.programs == nil ? [.file] : Kind.allCases }

    init(_ kind: Kind) throws {
        self.kind = kind
        let ring = try KeyRing.empty.addingKey()
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    func open(_ model: Model? = nil, _ options: Store.Options = .createIfMissing) throws -> Store {
        switch kind {
        case .file:
            let url = FileManager.default.temporaryDirectory.appending(path: name)
            return try Store(at: url, model: model, transformers: registry, options: options)
        case .postgres:
            let address = try PostgresServer.shared.get().address.description
            return try Store(
                postgres: address,
                schema: name,
                model: model,
                transformers: registry,
                options: options
            )
        }
    }

    static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"), .int16("age", .optional), .boolean("isActive", .optional),
                    .double("height", .optional),
                    .decimal("fee", .optional), .date("born", .optional), .data("photo", .optional),
                    .uuid("card", .optional, .unique), .url("page", .optional), .int64("number", .optional),
                    .transformed(
                        "ssn",
                        "sealed",
                        as: String.self,
                        .optional,
                        .projected("blind-index(bits: 16)", as: "ssn_index")
                    ),
                ],
                relationships: [
                    .toMany("visits", "Visit", inverse: "patient", deleteRule: .cascade),
                    .toMany("groups", "Group", inverse: "members"),
                ]
            ),
            EntityDescription(
                "Visit",
                attributes: [.string("note", .optional)],
                relationships: [.toOne("patient", "Patient", inverse: "visits")]
            ),
            EntityDescription(
                "Group",
                attributes: [.string("name", .optional)],
                relationships: [.toMany("members", "Patient", inverse: "groups")]
            ),
        ])
    }

    /// Inserts a patient.
    @discardableResult
    static func add(_ name: String, to store: Store) throws -> ObjectID {
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue(name, for: "name")
            return patient.id
        }
    }
}
