internal import Foundation
internal import TransformableSQLite
internal import TransformableStore

/// Finds the model of a store, and compares the store with it.
struct CoreDataStoreOpening {
    /// Core Data numbers the entities of the history of changes from here.
    private static let firstHistoryEntity: Int64 = 16_000
    private static let namedDifferences = 5

    private struct Record {
        let number: Int64
        let name: String
        let parent: Int64
        let last: Int64
    }

    let tables: [String: [ForeignReader.Column]]
    let metadata: CoreDataStoreMetadata
    private(set) var model = CoreDataModel(entities: [])
    private(set) var layout: CoreDataLayout
    private(set) var notes: [CoreDataNote] = []
    private let records: [Record]
    private let cache: Data?

    /// The highest numbers of objects, by the names of root entities.
    var lastNumbers: [String: Int64] {
        Dictionary(records.map { ($0.name, $0.last) }) { first, _ in first }
    }

    /// Reads what a store says about itself.
    ///
    /// - Throws: `CoreDataError` with the code `not-a-store` or
    ///   `damaged-store`.
    init(_ reader: ForeignReader) throws {
        tables = try reader.tables()
        for name in ["Z_METADATA", "Z_PRIMARYKEY"] where tables[name] == nil {
            throw CoreDataError(.notAStore, "it is not a Core Data store: it has no table “\(name)”")
        }
        let row = try reader.rows("SELECT \"Z_UUID\", \"Z_PLIST\" FROM \"Z_METADATA\"", count: 2, limit: 1).first
        let plist = row.flatMap { $0.kind(1) == .blob ? $0.data(1) : nil }
        metadata = try CoreDataStoreMetadata(uuid: row?.text(0), plist: plist)
        records = try Self.records(reader)
        cache = try Self.cache(reader, tables)
        layout = try CoreDataLayout(model)
    }

    /// Returns the compressed copy of the model.
    ///
    /// - Parameters:
    ///   - reader: Reads the file, which can be any database.
    ///   - tables: The file's tables.
    /// - Returns: The bytes, or `nil` if the store has no copy.
    /// - Throws: `ForeignFailure` if the file is damaged.
    static func cache(_ reader: ForeignReader, _ tables: [String: [ForeignReader.Column]]) throws -> Data? {
        guard tables["Z_MODELCACHE"]?.contains(where: { $0.name == "Z_CONTENT" }) == true else { return nil }
        let content = "SELECT \"Z_CONTENT\" FROM \"Z_MODELCACHE\" NOT INDEXED"
        return try reader.rows(content, count: 1, limit: 1).first.flatMap { $0.kind(0) == .blob ? $0.data(0) : nil }
    }

    private static func records(_ reader: ForeignReader) throws -> [Record] {
        let sql = "SELECT \"Z_ENT\", \"Z_NAME\", \"Z_SUPER\", \"Z_MAX\" FROM \"Z_PRIMARYKEY\" NOT INDEXED"
        let most = EntityOrder.mostEntities
        let rows = try reader.rows(sql, count: 4, limit: most + 1)
        guard rows.count <= most else { throw CoreDataError(.limitExceeded, "it has more than \(most) entities") }
        return rows.compactMap { row in
            guard row.kind(0) == .integer, row.integer(0) < firstHistoryEntity, let name = row.text(1) else {
                return nil
            }
            let numbers = [2, 3].map { row.kind($0) == .integer ? row.integer($0) : 0 }
            return Record(number: row.integer(0), name: name, parent: numbers[0], last: numbers[1])
        }
    }

    // MARK: - Checks

    /// Compares the store with a model.
    ///
    /// - Parameters:
    ///   - given: The model, or `nil` to use the one in the store.
    ///   - options: Whether differences are accepted.
    /// - Throws: `CoreDataError` if there is no model, or if the store does not match it.
    mutating func check(_ given: CoreDataModel?, _ options: CoreDataStore.Options) throws {
        model = try restricted(given ?? cachedModel())
        layout = try predictedLayout(isGiven: given != nil)
        var differences = digestFaults + entityFaults()
        if given != nil { differences += contradictions() }
        if options.acceptsDifferences { layout = try CoreDataLayout(model, numbers: statedNumbers) }
        let check = LayoutCheck(layout, tables)
        layout = check.layout
        differences += check.differences
        guard !differences.isEmpty else { return }
        guard options.acceptsDifferences else { throw mismatch(differences, isGiven: given != nil) }
        notes += differences.map { CoreDataNote("\($0), accepted") }
    }

    /// The numbers of entities that the store states, by name, or nothing if two entities have the same one.
    ///
    /// A row belongs to the entity that has its number here, even if the model gives other numbers.
    private var statedNumbers: [String: Int64] {
        guard Set(records.map(\.number)).count == records.count else { return [:] }
        return Dictionary(records.map { ($0.name, $0.number) }) { first, _ in first }
    }

    /// Returns the layout of the model, which can be wrong if entities are missing in the store.
    private func predictedLayout(isGiven: Bool) throws -> CoreDataLayout {
        let layout = Result { try CoreDataLayout(model) }
        guard case .failure(let error as CoreDataError) = layout, error.code == .invalidModel, !notes.isEmpty else {
            return try layout.get()
        }
        throw mismatch(notes.compactMap(\.entity).map { "the store has no entity “\($0)”" }, isGiven: isGiven)
    }

    private func cachedModel() throws -> CoreDataModel {
        guard let cache else {
            let reason = "it does not contain its model; stores created on iOS 8 and earlier never do"
            throw CoreDataError(.missingModel, "\(reason); pass the app's model")
        }
        return try CoreDataModel(cache: cache)
    }

    /// Returns a model without the entities that are not in the store, as those of other configurations.
    private mutating func restricted(_ model: CoreDataModel) throws -> CoreDataModel {
        let present = Set(records.map(\.name))
        let absent = model.entities.filter { !present.contains($0.name) }
        guard !absent.isEmpty else { return model }
        guard absent.count < model.entities.count else {
            let reason = "the store has none of the entities of the model"
            throw CoreDataError(.modelMismatch, "\(reason); pass a different model")
        }
        notes += absent.map { CoreDataNote(entity: $0.name, "left out, because the store does not have it") }
        var copy = model
        copy.entities.removeAll { !present.contains($0.name) }
        return copy
    }

    private var digestFaults: [String] {
        guard let stated = metadata.versionHashesDigest, let computed = metadata.computedDigest, stated != computed
        else { return [] }
        return ["its version hashes do not match their digest"]
    }

    private func entityFaults() -> [String] {
        let names = Dictionary(records.map { ($0.number, $0.name) }) { first, _ in first }
        return records.compactMap { record in
            guard let place = layout.places[record.name] else { return "the model has no entity “\(record.name)”" }
            guard place.number == record.number else {
                return "“\(record.name)” has the number \(record.number), not \(place.number)"
            }
            let parent = model.entity(record.name)?.parent
            return parent == names[record.parent] ? nil : "“\(record.name)” has a different parent"
        }
    }

    /// Returns how a model that was given contradicts the version hashes and the model in the store.
    ///
    /// Tables show neither all types nor which values can be in files of their own.
    private func contradictions() -> [String] {
        let changed = model.entities.map(\.name).filter(isChanged)
        return changed.map { "“\($0)” has a different version hash" } + columnFaults()
    }

    private func isChanged(_ entity: String) -> Bool {
        guard let own = model.versionHashes[entity], let stated = metadata.versionHashes[entity] else { return false }
        return own != stated
    }

    private func columnFaults() -> [String] {
        // A copy that is damaged is no reason to refuse the model that is to take its place.
        guard let cache, var stored = try? CoreDataModel(cache: cache) else { return [] }
        let present = Set(records.map(\.name))
        stored.entities.removeAll { !present.contains($0.name) }
        guard let places = try? CoreDataLayout(stored).places else { return [] }
        return model.entities.flatMap { Self.faults(of: layout.places[$0.name], comparedWith: places[$0.name]) }
    }

    /// Compares the columns that an entity adds to its table with what the store's own model has in them.
    private static func faults(of place: EntityPlace?, comparedWith stored: EntityPlace?) -> [String] {
        guard let place, let stored else { return [] }
        let own = Set(place.own.map(\.column))
        let known = Dictionary(stored.attributes.map { ($0.column, $0.attribute) }) { first, _ in first }
        return place.attributes.filter { own.contains($0.column) }
            .compactMap { column in known[column.column].flatMap { fault(of: column, $0, in: place.name) } }
    }

    private static func fault(
        of column: EntityPlace.AttributeColumn,
        _ stored: CoreDataAttribute,
        in entity: String
    ) -> String? {
        let name = "“\(entity).\(column.path.joined(separator: "."))”"
        let attribute = column.attribute
        guard stored.type == attribute.type else {
            return "\(name) is of type \(stored.type.name), not \(attribute.type.name)"
        }
        guard stored.allowsExternalStorage != attribute.allowsExternalStorage else { return nil }
        return "\(name) has \(stored.allowsExternalStorage ? "" : "no ")external storage, unlike in the model"
    }

    private func mismatch(_ differences: [String], isGiven: Bool) -> CoreDataError {
        let list = differences.prefix(Self.namedDifferences).joined(separator: "; ")
        let rest = differences.count - Self.namedDifferences
        let more = rest > 0 ? "; and \(rest) more" : ""
        let other = isGiven ? "the version of the model that the store was written with" : "the model of the app"
        return CoreDataError(.modelMismatch, "the store does not match its model: \(list)\(more); pass \(other)")
    }
}
