internal import Foundation
internal import Transformable

/// The seal of a store's file: a keyed digest of everything that determines how values are read and written.
struct StoreSeal: Sendable {
    /// The seal in the file.
    struct Record {
        let version: Int64
        let key: String
        let counter: Int64
        let tag: Data
    }

    /// The version of the message.
    private static let version: Int64 = 1

    /// A copy of what was sealed that has more bytes than this, and far more than the file's own tables, is not read.
    private static let copyLimit = 16 << 20

    /// If the file's tables have this many bytes more than what was sealed, only their rows are counted.
    private static let excessLimit = 1 << 20

    private static let table = """
        CREATE TABLE "_transformable_seal" (
            "id" INTEGER PRIMARY KEY CHECK ("id" = 1), "version" INTEGER NOT NULL, "key" TEXT NOT NULL,
            "counter" INTEGER NOT NULL, "message" BLOB NOT NULL, "tag" BLOB NOT NULL)
        """

    let sealer: any StoreSealer

    /// Returns the file's seal, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - tables: What a seal covers, if it has been read already.
    /// - Returns: The seal.
    /// - Throws: `StoreError` with the code `newer-format` if a newer version has made it.
    static func record(on connection: any EngineConnection, _ tables: SealedTables? = nil) throws -> Record? {
        let sql = "SELECT \"version\", \"key\", \"counter\", \"tag\" FROM \"_transformable_seal\" WHERE \"id\" = 1"
        guard try tables?.hasTable("_transformable_seal") ?? hasTable(connection) else { return nil }
        guard let row = try connection.rows(sql, count: 4).first else { return nil }
        guard row.integer(0) <= version else {
            throw StoreError(.newerFormat, "the file's seal was made by a newer version; update the program")
        }
        return Record(version: row.integer(0), key: row.text(1) ?? "", counter: row.integer(2), tag: row.data(3))
    }

    private static func hasTable(_ connection: any EngineConnection) throws -> Bool {
        let definitions = connection.dialect.definitions
        let sql = "SELECT EXISTS (SELECT 1 FROM \(definitions) WHERE \"name\" = '_transformable_seal')"
        return try connection.integer(sql) == 1
    }

    /// Verifies a seal against the current content of the file.
    ///
    /// - Throws: `StoreError` with the code `unauthenticated-model`, which says what differs or which key is
    ///   missing.
    func verify(_ record: Record, _ tables: SealedTables, on connection: any EngineConnection) throws {
        let message = try SealMessage(counter: record.counter, tables)
        let isGenuine = try withKey {
            try sealer.isTag(record.tag, of: message.bytes, for: message.store, under: record.key)
        }
        guard isGenuine, record.version == Self.version else {
            throw StoreError.changedWithoutKey(try differences(message, tables, record, on: connection))
        }
    }

    /// Verifies the file's seal.
    ///
    /// - Returns: The seal, and what it covers.
    /// - Throws: `StoreError` with the code `unauthenticated-model`.
    @discardableResult
    func verify(on connection: any EngineConnection) throws -> (record: Record, tables: SealedTables) {
        let tables = try SealedTables(reading: connection)
        guard let record = try Self.record(on: connection, tables) else { throw StoreError.unsealed }
        try verify(record, tables, on: connection)
        return (record, tables)
    }

    /// Seals the current content of the file.
    ///
    /// A seal keeps its key as long as the key is in use, because other programs may not have a newer key yet.
    ///
    /// - Parameters:
    ///   - movesOn: Whether the new seal uses the current key in any case.
    ///   - connection: The connection that writes.
    /// - Throws: `StoreError` with the code `unauthenticated-model` if there is no key.
    func renew(movingOn movesOn: Bool = false, on connection: any EngineConnection) throws {
        let former = try Self.record(on: connection)
        let counter = max(0, former?.counter ?? 0) &+ 1
        if try !Self.hasTable(connection) {
            try connection.tables.define(Self.table)
        }
        let message = try SealMessage(counter: counter, SealedTables(reading: connection))
        let (key, tag) = try withKey { try sign(message, succeeding: former?.key, movesOn) }
        try connection.run(
            """
            INSERT INTO "_transformable_seal" ("id", "version", "key", "counter", "message", "tag")
            VALUES (1, ?, ?, ?, ?, ?) ON CONFLICT ("id") DO UPDATE SET "version" = excluded."version",
            "key" = excluded."key", "counter" = excluded."counter", "message" = excluded."message",
            "tag" = excluded."tag"
            """,
            [.integer(Self.version), .text(key), .integer(counter), .blob(message.bytes), .blob(tag)]
        )
    }

    private func sign(_ message: SealMessage, succeeding former: String?, _ movesOn: Bool) throws -> (String, Data) {
        if !movesOn, let former, let tag = try? sealer.tag(of: message.bytes, for: message.store, under: former) {
            return (former, tag)
        }
        let key = try sealer.sealingKey(succeeding: former)
        return (key, try sealer.tag(of: message.bytes, for: message.store, under: key))
    }

    /// Returns a Boolean value that indicates whether the current key is a different one, for example after a rotation.
    func isOutdated(_ record: Record) -> Bool {
        (try? sealer.sealingKey(succeeding: record.key)) != record.key
    }

    private func withKey<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw StoreError.sealKeyMissing(error)
        }
    }

    /// Compares the current content of the file with the copy of what was sealed.
    private func differences(
        _ message: SealMessage,
        _ tables: SealedTables,
        _ record: Record,
        on connection: any EngineConnection
    ) throws -> [String] {
        let sql = "SELECT \"message\" FROM \"_transformable_seal\" WHERE \"id\" = 1 AND length(\"message\") <= ?"
        let limit = Int64(max(Self.copyLimit, 4 * message.bytes.count))
        let sealed = try connection.rows(sql, [.integer(limit)], count: 1).first?.data(0) ?? Data()
        let unknown = ["the seal itself was changed, so it is not known what was sealed"]
        // Reading all of it takes many times its memory, so it must be genuine.
        guard let store = SealContent.store(of: sealed),
            try sealer.isTag(record.tag, of: sealed, for: store, under: record.key), let old = SealContent(sealed)
        else { return unknown }
        // The current content is not genuine, so it is read only if it is not much larger.
        let excess = message.bytes.count - sealed.count
        guard excess <= Self.excessLimit else {
            let found = old.countDifferences(to: tables)
            return found.isEmpty ? ["the tables have \(excess) bytes more than what was sealed"] : found
        }
        guard let new = SealContent(message.bytes) else { return unknown }
        let found = new.differences(from: old)
        return found.isEmpty ? unknown : Array(found.prefix(20))
    }
}

extension StoreError {
    private static let way = """
        restore a backup or, if you trust the file as it is, accept it once with “store seal --accept-model” (in code: \
        open it for writing with “acceptsUnauthenticatedModel”)
        """

    /// What to do if a key is lost.
    static let wayWithoutKey = """
        If the key is lost, accept the store as it is with “store seal --accept-model --lost-key” (in code: open it for \
        writing with “acceptsUnauthenticatedModel” and “acceptsLostKey”)
        """

    static func changedWithoutKey(_ differences: [String]) -> Self {
        let message = "the store's model or tables were changed by someone who does not have the key of the seal"
        return Self(.unauthenticatedModel, "\(message); \(way)", faults: differences)
    }

    static let unsealed = Self(
        .unauthenticatedModel,
        """
        the store has no seal, because it was created without a key or someone removed the seal, so its model and tables \
        cannot be verified; \(way)
        """
    )

    static let uncheckedPublicKey = Self(
        .unauthenticatedModel,
        """
        public keys and shared keys cannot verify the store's model; open the store with a model of your own \
        (--model), or with a secret key that is not shared
        """
    )

    package static let sealedAgainstChanges = Self(
        .unauthenticatedModel,
        "the store is sealed, so changing its model or tables requires the key of the seal; open it with that key",
        underlying: TransformerError(TransformerError.Code(rawValue: "missing-key"), "the key is missing")
    )

    static func sealKeyMissing(_ cause: any Error) -> Self {
        let message =
            switch (cause as? TransformerError)?.code.rawValue {
            case "shared-key":
                "the store's model is sealed with a key that others have too, so it cannot be verified; \(way)"
            case "retired-key":
                """
                the store's model is sealed with a retired key, so it cannot be verified: the key was retired too early, the \
                file is an older copy, or someone who has the key has changed it; \(way)
                """
            default:
                """
                the store's model is sealed with a key that is not available; open the store with the right keys or with \
                none. \(wayWithoutKey)
                """
            }
        return Self(.unauthenticatedModel, message, underlying: cause)
    }

    /// Whether the key of a seal is not among those of this program, not even as a retired one.
    var isSealedByOthers: Bool { (underlying as? TransformerError)?.code.rawValue == "missing-key" }

    /// Whether a store has no seal, or a seal whose key is not available in this program.
    var isUncheckedSeal: Bool { code == .unauthenticatedModel && faults.isEmpty }
}

extension EngineConnection {
    /// Returns the identifier of the key that the store is sealed with, or `nil` if it has no seal.
    package func keyOfSeal() throws -> String? {
        try StoreSeal.record(on: self)?.key
    }
}
