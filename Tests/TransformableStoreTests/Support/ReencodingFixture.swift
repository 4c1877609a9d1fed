import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Appends a byte when it encodes, and removes none when it decodes, which reveals that it ran twice.
struct StampTransformer: Transformer {
    var traits: TransformerTraits { [.deterministic, .lossy] }

    func encode(_ value: Data, in context: TransformContext) -> Data { value + [1] }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        guard encoded.last == 1 else { throw TransformerError.invalidData("the bytes have no stamp") }
        return encoded
    }
}

/// A digest with the first of several keys, which are identified by numbers.
struct KeyedBlindTransformer: KeyIdentifyingTransformer {
    let keys: [Int64]

    var traits: TransformerTraits { .plain }
    var currentKey: String? { keys.first.map { "\($0)" } }

    func requireKeys(_ identifiers: [String]) throws {
        guard let stranger = identifiers.first(where: { !keys.map(\.description).contains($0) }) else { return }
        throw TransformerError(TransformerError.Code(rawValue: "missing-key"), "there is no key \(stranger)")
    }

    func encode(_ value: Data, in context: TransformContext) -> Int64 {
        value.reduce(keys[0]) { ($0 &* 31 &+ Int64($1)) & 0xFF }
    }

    func candidates(for value: Data, in context: TransformContext) -> [Int64] {
        keys.map { KeyedBlindTransformer(keys: [$0]).encode(value, in: context) }
    }
}

/// A store of notes whose attribute is written by different transformers.
struct ReencodingFixture {
    let folder: Folder
    var keys: [Int64] = [7]

    init() throws {
        folder = try Folder()
    }

    var registry: TransformerRegistry {
        get throws {
            let keys = keys
            return try TransformerRegistry {
                Registration.text
                Registration("bound", .reading("key", "the key", default: 42)) { (key: Int) in
                    BoundTransformer(key: UInt8(key))
                }
                Registration("stamp", StampTransformer())
                Registration("blind", KeyedBlindTransformer(keys: keys))
                Registration("text-blind", TextTransformer().then(KeyedBlindTransformer(keys: keys)))
            }
        }
    }

    func model(_ attribute: AttributeDescription, version: Int = 1) throws -> Model {
        try Model(
            version: version,
            entities: [EntityDescription("Note", attributes: [attribute, .string("title", .default(""))])]
        )
    }

    func open(
        _ attribute: AttributeDescription,
        version: Int = 1,
        _ options: Store.Options = .createIfMissing
    ) throws -> Store {
        try Store.trial(
            at: folder.file(),
            model: model(attribute, version: version),
            transformers: registry,
            options: options
        )
    }

    /// The text of a note with an expression, and its projection.
    static func text(_ expression: String, projected projection: String? = nil) -> AttributeDescription {
        var description = AttributeDescription.transformed("text", expression, as: String.self, .optional)
        description.projections = projection.map { [ProjectionDescription("finder", $0)] } ?? []
        return description
    }

    func cells() throws -> [ColumnValue] {
        try Trial.cells("SELECT \"text\" FROM \"Note\" ORDER BY \"_id\"", in: folder.file()).map { $0[0] }
    }

    func columns() throws -> [String] { try Trial.columns(of: "Note", in: folder.file()) }
}

extension Store {
    func addNotes(_ texts: some Sequence<String>) throws {
        let texts = Array(texts)
        try write { context in
            for text in texts { try context.insert("Note").setValue(text, for: "text") }
        }
    }

    var texts: [String?] {
        get throws {
            try read { try $0.fetch("Note").map { try $0.value("text", as: String?.self) } }
        }
    }
}
