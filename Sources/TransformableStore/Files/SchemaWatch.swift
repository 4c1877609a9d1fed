internal import GRDB
internal import Synchronization
internal import Transformable

/// Notices that another program, or another store of this one, has changed what an open store relies on.
///
/// SQLite counts the changes of a file's tables; only when that number differs from the last one is there
/// more to read. Each transaction asks once, so that nothing is read or written by what was true before.
final class SchemaWatch: Sendable {
    private let cookie: Mutex<Int64?>
    /// What the tables are sealed by; nil if they are not, as far as this program can tell.
    private let seal: StoreSeal?

    /// - Parameters:
    ///   - cookie: SQLite's number when the store was opened.
    ///   - seal: What the tables are sealed by.
    init(cookie: Int64? = nil, seal: StoreSeal? = nil) {
        self.cookie = Mutex(cookie)
        self.seal = seal
    }

    /// Compares what the file says about itself with what it said when the store was opened.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/storeChanged`` or ``StoreError/Code/unauthenticatedModel``.
    func check(_ schema: StoreSchema, on database: Database) throws {
        let statement = try SQLStatement("PRAGMA schema_version", on: database)
        defer { statement.reset() }
        let now = try statement.step() ? statement.integer(0) : 0
        guard cookie.withLock({ $0 != now }) else { return }
        _ = try Metadata.kind(of: database)
        try seal?.verify(on: database)
        try Metadata(reading: database).confirm(schema)
        cookie.withLock { $0 = now }
    }

    /// Has every open store look again, where what it relies on changes and no table does.
    static func alert(on database: Database) throws {
        let version = try SQLStatement.integer("PRAGMA schema_version", on: database)
        // SQLite keeps 32 bits, and compares for equality only.
        try SQLStatement.run("PRAGMA schema_version = \(Int32(truncatingIfNeeded: version &+ 1))", on: database)
    }
}

extension Metadata {
    /// Throws if a schema that was made earlier no longer describes the file.
    fileprivate func confirm(_ schema: StoreSchema) throws {
        guard model.version == schema.model.version, uuid == schema.uuid else {
            throw StoreError.storeChanged("it has version \(model.version) of the model now")
        }
        for entity in schema.entities {
            guard entities[entity.name] == entity.id else { throw StoreError.storeChanged("its entities are others") }
            for attribute in entity.columns { try confirm(attribute, of: entity) }
            for compound in entity.compounds {
                guard compounds[entity.id]?[compound.name] == compound.id else {
                    throw StoreError.storeChanged("its projections are others")
                }
                try confirm([compound.projection], of: compound.id)
            }
        }
    }

    private func confirm(_ attribute: StoredAttribute, of entity: StoredEntity) throws {
        guard let known = attributes[entity.id]?[attribute.name], known.id == attribute.id else {
            throw StoreError.storeChanged("its attributes are others", attribute)
        }
        guard attribute.failure == nil else { return }
        guard canRead(known, attribute) else {
            let writer = known.signature.map { "“\($0)”" } ?? "no transformer"
            throw StoreError.storeChanged("the column is written by \(writer) now", attribute)
        }
        try confirm(attribute.projections, of: attribute.id)
    }

    private func confirm(_ list: [StoredProjection], of owner: UInt32) throws(StoreError) {
        for projection in list where projection.failure == nil {
            let entry = projections[owner]?[projection.name]
            guard let entry, entry.fingerprint == projection.fingerprint else {
                throw StoreError.storeChanged("“\(projection.name)” is computed otherwise now")
            }
            projection.keys?.update(entry.keys)
        }
    }

    private func canRead(_ known: Attribute, _ attribute: StoredAttribute) -> Bool {
        guard let own = attribute.transformer?.signature else { return known.signature == nil }
        guard let text = known.signature, let written = try? TransformerSignature(text) else { return false }
        return own.canRead(written)
    }
}

extension StoreError {
    static func storeChanged(_ what: String, _ attribute: StoredAttribute? = nil) -> Self {
        Self(
            .storeChanged,
            "another program has changed the store since it was opened: \(what); open it anew",
            entity: attribute?.entity,
            attribute: attribute?.name
        )
    }
}
