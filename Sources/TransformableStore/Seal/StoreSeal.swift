internal import Foundation
internal import GRDB
internal import Transformable

/// The seal of a store's file: a keyed digest of all that decides how values are read and written.
struct StoreSeal: Sendable {
    /// The seal as the file has it.
    struct Record {
        let key: String
        let counter: Int64
        let tag: Data
    }

    /// The version of the message.
    private static let version: Int64 = 1

    private static let table = """
        CREATE TABLE "_transformable_seal" (
            "id" INTEGER PRIMARY KEY CHECK ("id" = 1), "version" INTEGER NOT NULL, "key" TEXT NOT NULL,
            "counter" INTEGER NOT NULL, "message" BLOB NOT NULL, "tag" BLOB NOT NULL)
        """

    let sealer: any StoreSealer

    /// Reads the seal; nil if the file has none.
    static func record(on database: Database) throws -> Record? {
        let sql = "SELECT \"version\", \"key\", \"counter\", \"tag\" FROM \"_transformable_seal\" WHERE \"id\" = 1"
        guard try hasTable(database) else { return nil }
        guard let row = try SQLStatement.rows(sql, count: 4, on: database).first else { return nil }
        guard row.integer(0) <= version else {
            throw StoreError(.newerFormat, "the file has a seal of a newer version; update the program")
        }
        return Record(key: row.text(1) ?? "", counter: row.integer(2), tag: row.data(3))
    }

    private static func hasTable(_ database: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM \"sqlite_master\" WHERE \"name\" = '_transformable_seal')"
        return try SQLStatement.integer(sql, on: database) == 1
    }

    /// Checks a seal against what the file says now.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/unauthenticatedModel``, which says what differs or which key is missing.
    func verify(_ record: Record, on database: Database) throws {
        let message = try SealMessage(counter: record.counter, on: database)
        let isGenuine = try withKey {
            try sealer.isTag(record.tag, of: message.bytes, for: message.store, under: record.key)
        }
        guard isGenuine else { throw StoreError.changedWithoutKey(try differences(message, record, on: database)) }
    }

    /// Checks the seal that the file has.
    func verify(on database: Database) throws {
        guard let record = try Self.record(on: database) else { throw StoreError.unsealed }
        try verify(record, on: database)
    }

    /// Seals what the file says now, under the key that is current.
    func renew(on database: Database) throws {
        let former = try Self.record(on: database)
        let key = try withKey { try sealer.sealingKey(succeeding: former?.key) }
        let counter = max(0, former?.counter ?? 0) &+ 1
        if try !Self.hasTable(database) { try SQLStatement.run(Self.table, on: database) }
        let message = try SealMessage(counter: counter, on: database)
        let tag = try withKey { try sealer.tag(of: message.bytes, for: message.store, under: key) }
        try SQLStatement.run(
            "INSERT OR REPLACE INTO \"_transformable_seal\" VALUES (1, ?, ?, ?, ?, ?)",
            [.integer(Self.version), .text(key), .integer(counter), .blob(message.bytes), .blob(tag)],
            on: database
        )
    }

    /// Whether a new seal would be made under another key, as after a rotation.
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

    /// Compares what the file says with what was sealed, which the file has a copy of.
    private func differences(_ message: SealMessage, _ record: Record, on database: Database) throws -> [String] {
        let sql = "SELECT \"message\" FROM \"_transformable_seal\" WHERE \"id\" = 1"
        let sealed = try SQLStatement.rows(sql, count: 1, on: database).first?.data(0) ?? Data()
        let unknown = ["what was sealed is not known, since the seal itself was changed"]
        guard let old = SealContent(sealed), let store = old.store, let new = SealContent(message.bytes),
            try sealer.isTag(record.tag, of: sealed, for: store, under: record.key)
        else { return unknown }
        let found = new.differences(from: old)
        return found.isEmpty ? unknown : Array(found.prefix(20))
    }
}

extension StoreError {
    private static let way = """
        restore a backup or, if you trust the file as it is, accept it once: open it for writing with “acceptingModel” \
        (“store seal --accept-model”)
        """

    static func changedWithoutKey(_ differences: [String]) -> Self {
        let message = "the store's model or tables were changed by somebody without the key that they are sealed under"
        return Self(.unauthenticatedModel, "\(message); \(way)", faults: differences)
    }

    static let unsealed = Self(
        .unauthenticatedModel,
        "the store has no seal, so that nothing shows whether its model and tables are genuine; \(way)"
    )

    static let uncheckedPublicKey = Self(
        .unauthenticatedModel,
        """
        the keys are public ones, which cannot check whether the store's model is genuine; open it with a model of your own \
        (--model), or with a secret key
        """
    )

    static let sealedAgainstChanges = Self(
        .unauthenticatedModel,
        "the store is sealed, and changing its model or tables needs the key of the seal; open it with that key",
        underlying: TransformerError(TransformerError.Code(rawValue: "missing-key"), "the key is missing")
    )

    static func sealKeyMissing(_ cause: any Error) -> Self {
        let message = """
            the store's model is sealed under a key that is not in use here; open it with the right keys, or with none, or \
            accept it: “acceptingModel” (“store seal --accept-model”)
            """
        return Self(.unauthenticatedModel, message, underlying: cause)
    }

    /// Whether a store has no seal, or one that this program lacks the key for.
    var isUncheckedSeal: Bool { code == .unauthenticatedModel && faults.isEmpty }
}
