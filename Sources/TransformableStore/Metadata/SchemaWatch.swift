internal import Synchronization
internal import Transformable

/// Detects whether another program, or another store of this program, has changed what an open store relies on.
///
/// The engine counts changes to the tables, and the metadata is read only if that number has changed. Each
/// transaction checks it once, so that nothing is read or written based on outdated metadata.
final class SchemaWatch: Sendable {
    private let cookie: Mutex<Int64?>
    /// The seal of the tables, or `nil` if they have none that this program can verify.
    private let seal: StoreSeal?

    /// - Parameters:
    ///   - cookie: the number when the store was opened.
    ///   - seal: The seal of the tables.
    init(cookie: Int64? = nil, seal: StoreSeal? = nil) {
        self.cookie = Mutex(cookie)
        self.seal = seal
    }

    /// Compares the file's metadata with the metadata when the store was opened.
    ///
    /// - Throws: `StoreError` with the code `store-changed` or `unauthenticated-model` if it
    ///   has changed.
    func check(_ schema: StoreSchema, on connection: any EngineConnection) throws {
        let now = try connection.schemaVersion()
        guard cookie.withLock({ $0 != now }) else { return }
        _ = try Metadata.kind(of: connection)
        let tables = try seal?.verify(on: connection).tables ?? SealedTables(describing: connection)
        try Metadata(tables, on: connection).confirm(schema)
        cookie.withLock { $0 = now }
    }

    /// Makes every open store check the metadata again after a change that does not affect a table.
    static func alert(on connection: any EngineConnection) throws {
        try connection.advanceSchemaVersion()
    }
}

extension Metadata {
    /// Throws an error if a schema no longer describes the file.
    fileprivate func confirm(_ schema: StoreSchema) throws {
        guard model.version == schema.model.version, uuid == schema.uuid else {
            throw StoreError.storeChanged("it now has version \(model.version) of the model")
        }
        for entity in schema.entities {
            guard entities[entity.name] == entity.id else { throw StoreError.storeChanged("its entities have changed") }
            for attribute in entity.columns { try confirm(attribute, of: entity) }
            for compound in entity.compounds {
                guard compounds[entity.id]?[compound.name] == compound.id else {
                    throw StoreError.storeChanged("its projections have changed")
                }
                try confirm([compound.projection], of: compound.id)
            }
        }
    }

    private func confirm(_ attribute: StoredAttribute, of entity: StoredEntity) throws {
        guard let known = attributes[entity.id]?[attribute.name], known.id == attribute.id else {
            throw StoreError.storeChanged("its attributes have changed", attribute)
        }
        // Without the option, this program would take the reference in a cell for the value.
        guard attribute.isExternal || !externalAttributes.contains(known.id) else {
            throw StoreError.storeChanged("large values are now stored outside of the column", attribute)
        }
        guard attribute.failure == nil else { return }
        guard canRead(known, attribute) else {
            let writer = known.signature.map { "“\($0)”" } ?? "no transformer"
            throw StoreError.storeChanged("the column is now written by \(writer)", attribute)
        }
        try confirm(attribute.projections, of: attribute.id)
    }

    private func confirm(_ list: [StoredProjection], of owner: UInt32) throws(StoreError) {
        for projection in list where projection.failure == nil {
            let entry = projections[owner]?[projection.name]
            guard let entry, entry.fingerprint == projection.fingerprint else {
                throw StoreError.storeChanged("“\(projection.name)” is now computed differently")
            }
            guard projection.keys?.canAdopt(entry.keys) != false else {
                throw StoreError.storeChanged("the keys of “\(projection.name)” have changed")
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
            "another program has changed the store since it was opened: \(what); open it again",
            entity: attribute?.entity,
            attribute: attribute?.name
        )
    }
}
