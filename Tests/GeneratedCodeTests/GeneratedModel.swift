import Foundation
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableEntities
import TransformableModel

/// A model of this target, and what the build plugin generated from it.
struct GeneratedModel: CustomTestStringConvertible {
    typealias Opening = @Sendable (URL, TransformerRegistry, Store.Options, [MigrationStep]) throws -> Store

    let name: String
    let model: @Sendable () throws -> Model
    let open: Opening

    var testDescription: String { name }

    init(_ name: String, _ model: @escaping @Sendable () throws -> Model, _ open: @escaping Opening) {
        self.name = name
        self.model = model
        self.open = open
    }

    static let animals = Self("Animals", AnimalsSchema.model, AnimalsSchema.store)
    static let bounds = Self("Bounds", BoundsSchema.model, BoundsSchema.store)
    static let family = Self("Family", FamilySchema.model, FamilySchema.store)
    static let history = Self("History", HistorySchema.model, HistorySchema.store)
    static let kinds = Self("Kinds", KindsSchema.model, KindsSchema.store)
    static let library = Self("Library", LibrarySchema.model, LibrarySchema.store)
    static let mapped = Self("Mapped", MappedSchema.model, MappedSchema.store)
    static let requests = Self("Requests", RequestsSchema.model, RequestsSchema.store)
    static let rules = Self("Rules", RulesSchema.model, RulesSchema.store)
    static let shop = Self("Shop", ShopSchema.model, ShopSchema.store)
    static let sizes = Self("Sizes", SizesSchema.model, SizesSchema.store)
    static let tenants = Self("Tenants", TenantsSchema.model, TenantsSchema.store)
    static let transformed = Self("Transformed", TransformedSchema.model, TransformedSchema.store)
    static let words = Self("Words", WordsSchema.model, WordsSchema.store)

    static let all = [
        animals, bounds, family, history, kinds, library, mapped, requests, rules, shop, sizes, tenants, transformed,
        words,
    ]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models")

    /// The model that the classes were generated from.
    var source: Model {
        get throws {
            let json = Self.folder.appending(path: "\(name).transformable.json")
            if let json = try? Data(contentsOf: json) { return try Model(json: json) }
            return try CoreDataModel(contentsOf: Self.folder.appending(path: "\(name).xcdatamodeld").path)
                .converted().model
        }
    }

    static func registry() throws -> TransformerRegistry {
        try TransformerRegistry {
            GeometryPlugin()
            ImagePlugin()
            KeyedArchivePlugin()
            StandardPlugin()
        }
    }

    /// Calls a closure with the URL of a store that does not exist yet, in a folder of its own.
    func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "\(name).sqlite"))
    }

    /// Stores objects in a file, decodes every value with the model that the classes were generated from, and reads the
    /// objects from the file.
    func roundTrip(write: (StoreContext) throws -> Void, read: (StoreContext) throws -> Void) throws {
        try withFile { url in
            let registry = try Self.registry()
            let created = try open(url, registry, .createIfMissing, [])
            try created.write(write)
            try created.close()
            let named = try Store(at: url, model: source, transformers: registry, options: .mustExist)
            let verification = try named.verify()
            #expect(verification.isSound && verification.objectCount > 0)
            try named.close()
            let opened = try open(url, registry, .mustExist, [])
            try opened.read(read)
            try opened.close()
        }
    }
}
