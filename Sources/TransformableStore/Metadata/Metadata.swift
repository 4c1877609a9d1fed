internal import Foundation

/// The metadata of a store's file, in the tables whose names begin with `_transformable_`.
package struct Metadata: Sendable {
    /// The application ID in the header of every store: “TfmS”.
    package static let applicationID: Int64 = 0x5466_6D53
    /// The version of the tables below, which is also in the header.
    package static let format: Int64 = 1

    struct Attribute: Sendable {
        let id: UInt32
        let signature: String?
    }

    struct Projection: Sendable {
        let id: UInt32
        let fingerprint: String
        /// The identifiers of the keys that rows may have been written with.
        ///
        /// They are never secret.
        var keys: [String] = []
    }

    var uuid: UUID
    /// The model in the file.
    ///
    /// Its expressions state every stage that the columns were written with.
    package var model: Model
    /// The model as it is stored in the file.
    var json: Data
    /// The path of the database's file with symbolic links resolved, or an empty string for one in memory.
    var file = ""
    /// The numbers of the attributes and entities that have, or have had, external values.
    package var externalAttributes: Set<UInt32> = []
    var externalEntities: Set<UInt32> = []
    /// Whether there may be external values, including those of dropped attributes and entities or left by a crash.
    var hasBlobs = false
    /// The numbers of entities, by name.
    package var entities: [String: UInt32] = [:]
    /// The attributes, by entity number and name.
    var attributes: [UInt32: [String: Attribute]] = [:]
    /// The numbers of compound projections, by entity number and name.
    var compounds: [UInt32: [String: UInt32]] = [:]
    /// The projections, by attribute number and name.
    ///
    /// A compound projection has a number like that of an attribute.
    var projections: [UInt32: [String: Projection]] = [:]

    static let tables = [
        """
        CREATE TABLE "_transformable_store" (
            "id" INTEGER PRIMARY KEY CHECK ("id" = 1), "uuid" TEXT NOT NULL, "format" INTEGER NOT NULL,
            "model_version" INTEGER NOT NULL)
        """,
        """
        CREATE TABLE "_transformable_model" ("version" INTEGER PRIMARY KEY, "json" TEXT NOT NULL)
        """,
        """
        CREATE TABLE "_transformable_entity" (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, "state" TEXT NOT NULL DEFAULT 'live')
        """,
        """
        CREATE TABLE "_transformable_attribute" (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "entity" INTEGER NOT NULL, "name" TEXT NOT NULL,
            "column" TEXT NOT NULL, "type" TEXT NOT NULL, "expression" TEXT, "signature" TEXT,
            "state" TEXT NOT NULL DEFAULT 'live')
        """,
        """
        CREATE TABLE "_transformable_projection" (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "attribute" INTEGER NOT NULL, "name" TEXT NOT NULL,
            "column" TEXT NOT NULL, "expression" TEXT NOT NULL, "fingerprint" TEXT NOT NULL,
            "keys" TEXT NOT NULL DEFAULT '', "state" TEXT NOT NULL DEFAULT 'live')
        """,
        """
        CREATE TABLE "_transformable_blob" (
            "uuid" TEXT PRIMARY KEY, "entity" INTEGER NOT NULL, "attribute" INTEGER NOT NULL,
            "object" INTEGER NOT NULL, "length" INTEGER NOT NULL, "checksum" BLOB NOT NULL)
        """,
        """
        CREATE TABLE "_transformable_garbage" ("uuid" TEXT PRIMARY KEY, "since" REAL NOT NULL)
        """,
        """
        CREATE TABLE "_transformable_job" (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "kind" TEXT NOT NULL, "state" TEXT NOT NULL, "detail" TEXT)
        """,
    ]
}

// MARK: - Reading

extension Metadata {
    /// The kind of a file: a store, an empty database, or neither.
    package enum FileKind {
        case store
        case empty
    }

    /// Reads a file's header.
    ///
    /// - Throws: `StoreError` with the code `not-a-store` if the file is another program's, with the code `newer-format` if
    ///   it was written by a newer version, or with the code `corrupt-file` if its metadata is not in tables.
    package static func kind(of connection: any EngineConnection) throws -> FileKind {
        let header = try connection.header()
        if header.application == applicationID {
            guard header.format <= Self.format else {
                let known = "this version of the library reads only format \(Self.format)"
                let versions = "format \(header.format), but \(known)"
                throw StoreError(.newerFormat, "the file has \(versions); update the program")
            }
            try requireTables(on: connection)
            return .store
        }
        guard header.application == 0, header.tableCount == 0 else {
            throw StoreError(.notAStore, "the file is a database that belongs to another program, not a store")
        }
        return .empty
    }

    /// Reads the metadata.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - known: The metadata as it was before. Its model is used if its text is still the same, although it may state
    ///     stages that columns were written with then.
    /// - Throws: `StoreError` if the metadata is damaged.
    package init(reading connection: any EngineConnection, knowing known: Self? = nil) throws {
        try self.init(SealedTables(describing: connection), on: connection, knowing: known)
    }

    /// Creates metadata from tables that have been read already, whose columns are those of the seal's sections.
    init(_ tables: SealedTables, on connection: any EngineConnection, knowing known: Self? = nil) throws {
        guard let store = tables["store"].first, let text = store.text(1), let uuid = UUID(uuidString: text),
            let current = tables["model"].first(where: { $0.integer(0) == store.integer(3) })
        else {
            throw StoreError.damagedMetadata()
        }
        self.uuid = uuid
        json = current.data(1)
        if let known, known.json == json { model = known.model } else { model = try Self.model(json) }
        for row in tables["entity"] where row.text(2) == "live" {
            entities[row.text(1) ?? ""] = try Self.number(row, 0)
        }
        try readAttributes(tables)
        try requireTables(on: connection)
        model = try model.statingStages { entity, attribute in
            entities[entity].flatMap { attributes[$0]?[attribute]?.signature }
        }
        try readBlobs(tables.triggers, on: connection)
    }

    /// Returns the file's model.
    ///
    /// If it is invalid, the file is at fault, rather than the program.
    private static func model(_ json: Data) throws(StoreError) -> Model {
        do throws(StoreError) {
            return try Model(json: json)
        } catch  where error.code == .invalidModel {
            throw .damagedMetadata(error)
        }
    }

    /// Returns the same metadata with the current records of attributes and projections.
    func readingProjections(_ connection: any EngineConnection) throws -> Self {
        var copy = self
        copy.attributes = [:]
        copy.compounds = [:]
        copy.projections = [:]
        try copy.readAttributes(SealedTables(describing: connection))
        return copy
    }

    private mutating func readAttributes(_ tables: SealedTables) throws {
        for row in tables["attribute"] {
            let name = row.text(2) ?? ""
            switch row.text(7) {
            case "live":
                let attribute = Attribute(id: try Self.number(row, 0), signature: row.text(6))
                attributes[try Self.number(row, 1), default: [:]][name] = attribute
            case "compound": compounds[try Self.number(row, 1), default: [:]][name] = try Self.number(row, 0)
            default: continue
            }
        }
        for row in tables["projection"] where row.text(7) == "live" {
            let keys = (row.text(6) ?? "").split(separator: " ").map(String.init)
            let projection = Projection(id: try Self.number(row, 0), fingerprint: row.text(5) ?? "", keys: keys)
            projections[try Self.number(row, 1), default: [:]][row.text(2) ?? ""] = projection
        }
    }

    private static func number(_ row: PackedRow, _ cell: Int) throws -> UInt32 {
        guard row.kind(cell) == .integer, let number = UInt32(exactly: row.integer(cell)) else {
            throw StoreError.damagedMetadata()
        }
        return number
    }
}

// MARK: - Checking

extension Metadata {
    /// Throws an error unless the tables of metadata, and the seal, are real tables.
    ///
    /// A view can take any time and any memory, so this comes before any of them is read.
    private static func requireTables(on connection: any EngineConnection) throws {
        if let found = try connection.computedTables().first(where: { $0.table.hasPrefix("_transformable_") }) {
            throw StoreError.computedTable(found.table)
        }
    }

    /// Throws an error unless the tables of all entities and pairs are real tables.
    ///
    /// Computed columns that somebody has added for queries of their own are never read.
    private func requireTables(on connection: any EngineConnection) throws {
        let computed = try connection.computedTables()
        guard !computed.isEmpty else { return }
        let plan = RelationshipPlan(model: model)
        let pairs = model.entities.filter { !$0.isAbstract }.flatMap(plan.pairTables).map(\.name.name)
        let own = Set((entities.keys + pairs).map(\.asciiLowercased))
        let names = attributes.values.flatMap(\.keys) + projections.values.flatMap(\.keys)
        let columns = Set(names.map(\.asciiLowercased))
        let isOwn = { (column: String) in column.hasPrefix("_") || columns.contains(column) }
        for found in computed where own.contains(found.table) && found.column.map(isOwn) != false {
            throw StoreError.computedTable(found.table)
        }
    }
}

extension String {
    /// The form in which SQLite compares names.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}

extension StoreError {
    static func damagedMetadata(_ cause: StoreError? = nil) -> Self {
        Self(.corruptFile, "the store's metadata is damaged; restore the store from a backup", underlying: cause)
    }

    fileprivate static func computedTable(_ name: String) -> Self {
        let message = "“\(name)” is a view or computes its columns, as no table of a store does; restore a backup"
        return Self(.corruptFile, message)
    }
}
