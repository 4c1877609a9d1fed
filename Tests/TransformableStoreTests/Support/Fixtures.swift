import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformableStore

/// A value type that only a transformer can store.
struct Box: Equatable, Sendable {
    var width: Int
    var height: Int
}

/// Two numbers joined by `x`.
///
/// Anything else is an error.
struct BoxTransformer: Transformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Box, in context: TransformContext) -> String {
        "\(value.width)x\(value.height)"
    }

    func decode(_ encoded: String, in context: TransformContext) throws -> Box {
        let numbers = encoded.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else {
            throw TransformerError.invalidData("a box is two numbers joined by “x”", offset: 0)
        }
        return Box(width: width, height: height)
    }
}

/// Writes the location of a value before its bytes, and decodes it only in the same location.
///
/// It behaves like encryption: the bytes differ each time, and are bound to a cell.
struct BoundTransformer: Transformer {
    let key: UInt8
    static let counter = Mutex<UInt8>(0)

    var traits: TransformerTraits { [.contextual, .authenticated, .confidential] }

    private func prefix(_ context: TransformContext) -> Data {
        let numbers = "\(context.entity ?? 0).\(context.attribute ?? 0).\(context.object ?? 0)"
        return Data("\(context.store?.uuidString ?? "-") \(numbers) ".utf8)
    }

    func encode(_ value: Data, in context: TransformContext) -> Data {
        let nonce = Self.counter.withLock { counter in
            counter &+= 1
            return counter
        }
        return prefix(context) + [nonce] + value.map { $0 ^ key }
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        let prefix = prefix(context)
        guard encoded.starts(with: prefix), encoded.count > prefix.count else {
            throw TransformerError.invalidData("the bytes belong to another place")
        }
        return Data(encoded.dropFirst(prefix.count + 1).map { $0 ^ key })
    }
}

/// A one-way projection of text for searching without revealing the text.
struct BlindTransformer: KeyIdentifyingTransformer {
    let keys: [Int64]

    // Its keys are not recorded, so candidates under former keys are always searched for.
    var currentKey: String? { nil }
    func requireKeys(_ identifiers: [String]) {}

    var traits: TransformerTraits { .plain }

    private func digest(_ value: Data, _ key: Int64) -> Int64 {
        value.reduce(key) { ($0 &* 31 &+ Int64($1)) & 0xFF }
    }

    func encode(_ value: Data, in context: TransformContext) -> Int64 {
        digest(value, keys[0])
    }

    func candidates(for value: Data, in context: TransformContext) -> [Int64] {
        keys.map { digest(value, $0) }
    }
}

struct AreaTransformer: OneWayTransformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Box, in context: TransformContext) -> Int64 {
        Int64(value.width * value.height)
    }
}

/// The transformers in a test's registry.
struct Transformers {
    var boxVersion = 1
    var blindKeys: [Int64] = [7]
    var hasBox = true

    func registry() throws -> TransformerRegistry {
        try TransformerRegistry {
            Registration.text
            if hasBox {
                Registration(
                    "box",
                    version: boxVersion,
                    summary: "a box",
                    form: .text(BoxTransformer()),
                    BoxTransformer()
                )
            }
            Registration("bound", .reading("key", "the key", default: 42)) { (key: Int) in
                BoundTransformer(key: UInt8(key))
            }
            Registration("blind", BlindTransformer(keys: blindKeys))
            Registration("area", AreaTransformer())
        }
    }
}

/// A folder that is removed with the test.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String = "test.sqlite") -> URL {
        url.appending(path: name)
    }
}

enum Models {
    /// A person with a name, a box, and a secret that can be found by a projection.
    static func person() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [
                    .string("name", .indexed),
                    .integer("age", .optional),
                    .transformed("box", "box", as: Box.self, .optional, .projected("area", as: "area")),
                    .transformed("secret", "text | bound", as: String.self, .optional, .projected("text | blind")),
                ]
            )
        ])
    }
}

/// The location of a store's tables, which affects how connections are used.
enum Place: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case file

    var testDescription: String { rawValue }

    func store(
        _ model: Model,
        in folder: Folder,
        hooks: [String: EntityHooks] = [:]
    ) throws -> Store {
        let registry = try Transformers().registry()
        guard self == .file else { return try Store.trial(model: model, transformers: registry, hooks: hooks) }
        return try Store.trial(
            at: folder.url.appending(path: "s.sqlite"),
            model: model,
            transformers: registry,
            hooks: hooks
        )
    }
}

/// A value that can be changed in place.
final class Note {
    var text: String

    init(_ text: String) { self.text = text }
}

struct NoteTransformer: Transformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Note, in context: TransformContext) -> Data { Data(value.text.utf8) }

    func decode(_ encoded: Data, in context: TransformContext) -> Note {
        Note(String(decoding: encoded, as: UTF8.self))
    }
}

/// Runs SQL on a store's file without the store's knowledge, like an SQLite shell.
func shell<Result>(_ url: URL, _ body: (Database) throws -> Result) throws -> Result {
    let queue = try DatabaseQueue(path: url.path)
    let result = try queue.writeWithoutTransaction(body)
    try queue.close()
    return result
}

extension Store {
    /// A store of people in a folder.
    static func people(in folder: Folder, _ transformers: Transformers = Transformers()) throws -> Store {
        try Store.trial(at: folder.file(), model: Models.person(), transformers: transformers.registry())
    }

    /// Inserts a person.
    @discardableResult
    func addPerson(_ name: String, age: Int? = nil, box: Box? = nil, secret: String? = nil) throws -> ObjectID {
        try write { context in
            let person = try context.insert("Person")
            try person.setValue(name, for: "name")
            try person.setValue(age, for: "age")
            try person.setValue(box, for: "box")
            try person.setValue(secret, for: "secret")
            return person.id
        }
    }

    /// The names of the people that satisfy a condition, in insertion order.
    func names(where condition: Condition) throws -> [String] {
        try read { context in
            try context.fetch("Person", where: condition).map { try $0.value("name", as: String.self) }
        }
    }
}

extension StoreError {
    /// An error to compare codes with.
    init(code: Code) {
        self.init(code, "")
    }
}
