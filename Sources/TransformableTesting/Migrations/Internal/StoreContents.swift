internal import Foundation
internal import Transformable
internal import TransformableStore

/// The contents of a store in a form that can be compared between stores.
///
/// Sealed values are compared by their plaintext.
struct StoreContents: Sendable, Equatable {
    /// A value, or a representation of it.
    enum Value: Sendable, Hashable {
        case plain(ColumnValue)
        case bytes(Data)
        case text(String)
        case references([ObjectID])
        /// A value that cannot be read, and the error code.
        case unreadable(String)
    }

    typealias Object = [String: Value]

    /// The objects of each entity, by number.
    private(set) var objects: [String: [Int64: Object]] = [:]
    /// The names of each entity's attributes and relationships.
    private(set) var names: [String: [String]] = [:]

    /// Reads the contents of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - transformers: The transformers to compare values by, in place of those of the store, by entity and name.
    /// - Throws: `StoreError` if the store cannot be read.
    init(_ store: Store, comparedBy transformers: [String: [String: ResolvedTransformer]] = [:]) throws {
        let model = store.model
        for entity in model.entities where !entity.isAbstract {
            let infos = try store.attributes(of: entity.name)
                .filter { $0.destination == nil && !$0.description.isTransient }
            let relationships = model.relationships(of: entity.name)
            names[entity.name] = infos.map(\.name) + relationships.map(\.name)
            let others = transformers[entity.name] ?? [:]
            objects[entity.name] = try store.readWhole { context in
                var found: [Int64: Object] = [:]
                try context.forEach(entity.name) { object in
                    guard object.id.entity == entity.name else { return }
                    found[object.id.number] = try Self.contents(of: object, infos, relationships, others)
                }
                return found
            }
        }
    }

    private static func contents(
        of object: ManagedObject,
        _ infos: [AttributeInfo],
        _ relationships: [RelationshipDescription],
        _ others: [String: ResolvedTransformer]
    ) throws -> Object {
        var contents: Object = [:]
        for info in infos {
            do {
                let transformer = others[info.name] ?? info.transformer
                contents[info.name] = try object.anyValue(info.name).map { value(of: $0, transformer) }
            } catch let error as StoreError {
                contents[info.name] = .unreadable(error.code.rawValue)
            }
        }
        for relationship in relationships {
            let ids =
                relationship.isToMany
                ? try object.objects(relationship.name).map(\.id)
                : try object.object(relationship.name).map { [$0.id] } ?? []
            if !ids.isEmpty { contents[relationship.name] = .references(ids) }
        }
        return contents
    }

    private static func value(of value: Any, _ transformer: ResolvedTransformer?) -> Value {
        if let cell = cell(of: value) {
            // Text is compared by its bytes, because Swift considers strings that differ only in normalization equal.
            guard case .text(let text) = cell else { return .plain(cell) }
            return .bytes(Data(text.utf8))
        }
        if let encoded = transformer.flatMap({ encoded(value, $0) }) { return encoded }
        var text = ""
        dump(value, to: &text)
        return .text(text)
    }

    private static func cell(of value: Any) -> ColumnValue? {
        func raw(_ value: some RawRepresentable) -> ColumnValue? { cell(of: value.rawValue) }
        if let plain = value as? any PlainValue { return try? plain.column() }
        return (value as? any RawRepresentable).flatMap { raw($0) }
    }

    /// Returns the value encoded by the deterministic stages of the transformer, or nil if there are none.
    private static func encoded(_ value: Any, _ transformer: ResolvedTransformer) -> Value? {
        var current = value
        var isEncoded = false
        for stage in transformer.stages {
            guard stage.traits.contains(.deterministic), !stage.traits.contains(.contextual),
                let next = encoded(current, stage.transformer)
            else { break }
            current = next
            isEncoded = true
        }
        guard isEncoded else { return nil }
        if let text = current as? String { return .bytes(Data(text.utf8)) }
        return (current as? Data).map(Value.bytes) ?? cell(of: current).map(Value.plain)
    }

    private static func encoded(_ value: Any, _ stage: some OneWayTransformer) -> Any? {
        func encoded<Stage: OneWayTransformer>(_ stage: Stage) -> Any? {
            (value as? Stage.Value).flatMap { try? stage.encode($0) }
        }
        return encoded(stage)
    }

    /// Returns the differences between two stores, except in attributes with unpredictable values.
    ///
    /// - Returns: Descriptions of the first few differences, without values.
    func differences(from other: Self, ignoring ignored: Set<String>) -> [String] {
        var places: [String] = []
        for entity in Set(objects.keys).union(other.objects.keys).sorted() {
            let (left, right) = (objects[entity] ?? [:], other.objects[entity] ?? [:])
            for number in Set(left.keys).union(right.keys).sorted() {
                guard let old = left[number], let new = right[number] else {
                    places.append("\(entity) \(number) exists in only one of the stores")
                    continue
                }
                let names = Set(old.keys).union(new.keys).sorted()
                places += names.filter { old[$0] != new[$0] && !ignored.contains("\(entity).\($0)") }
                    .map { "\($0) of \(entity) \(number) differs" }
            }
        }
        return places
    }
}

extension Store {
    /// Reads the objects of all tenants, if the model has any.
    func readWhole<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try model.hasTenants ? readAcrossTenants(body) : read(body)
    }
}

/// A temporary folder that contains a store.
///
/// It is removed when the last reference to it is released.
final class StoreFolder: Sendable {
    private let url: URL

    /// The store's file.
    var file: URL { url.appending(path: "test.sqlite") }
    /// The write-ahead log.
    var log: URL { url.appending(path: "test.sqlite-wal") }
    /// The folder of external values.
    private var blobs: URL { url.appending(path: "test.sqlite-blobs") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "migration-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Copies a store and its companion files.
    ///
    /// The store must not be written to in the meantime.
    convenience init(copying file: URL) throws {
        try self.init()
        for suffix in ["", "-wal", "-blobs"] {
            let source = URL(filePath: file.path + suffix)
            guard suffix.isEmpty || FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(at: source, to: URL(filePath: self.file.path + suffix))
        }
    }

    func copy() throws -> StoreFolder {
        try StoreFolder(copying: file)
    }

    /// Adds the external values of another store that this one lacks.
    func addBlobs(of other: StoreFolder) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: other.blobs.path) else { return }
        try manager.createDirectory(at: blobs, withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: other.blobs.path) {
            let target = blobs.appending(path: name)
            guard !manager.fileExists(atPath: target.path) else { continue }
            try manager.copyItem(at: other.blobs.appending(path: name), to: target)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
