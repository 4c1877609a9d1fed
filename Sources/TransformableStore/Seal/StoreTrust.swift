internal import Transformable

/// The degree to which a program can trust a store's file, depending on its keys.
struct StoreTrust {
    /// The store's seal, or `nil` if there is no secret key or if the file is not trusted.
    private(set) var seal: StoreSeal?
    /// Whether what a seal covers can be changed.
    private(set) var mayChange = true
    /// Whether the file's seal was verified.
    private(set) var isVerified = false
    /// The warning to give if the store is used although its model cannot be verified.
    private(set) var warning: StoreError?
    /// SQLite's counters when the seal was verified, or `nil` if it was not.
    private var checked: (changes: Int, schema: Int64)?
    /// Whether the seal must be renewed even if nothing that it covers changes.
    private(set) var isOutdated = true
    /// The tables that were read to verify the seal, or `nil` if there is no secret key.
    private(set) var tables: SealedTables?

    /// SQLite's schema version when the seal was verified.
    var cookie: Int64? { checked?.schema }

    /// Creates the trust of a file that is about to become a store, or of a store in memory.
    init(new registry: TransformerRegistry, isFile: Bool) {
        guard isFile, let sealer = registry.sealer, sealer.canSeal else { return }
        seal = StoreSeal(sealer: sealer)
        isVerified = true
    }

    /// Verifies the seal of a file.
    ///
    /// - Throws: `StoreError` with the code `unauthenticated-model` if the file cannot be verified.
    init(
        _ model: Model?,
        _ registry: TransformerRegistry,
        _ options: Store.Options,
        on connection: any EngineConnection
    ) throws {
        if registry.sealer?.canSeal == true { tables = try SealedTables(reading: connection) }
        let record = try StoreSeal.record(on: connection, tables)
        let isReading = options.opening == .readOnly
        mayChange = record == nil
        guard let sealer = registry.sealer else { return }
        guard sealer.canSeal else {
            guard model == nil, !options.acceptsUnauthenticatedModel else { return }
            guard isReading else { throw StoreError.uncheckedPublicKey }
            warning = .uncheckedPublicKey
            return
        }
        let seal = StoreSeal(sealer: sealer)
        do {
            guard let record, let tables else { throw StoreError.unsealed }
            try seal.verify(record, tables, on: connection)
            isVerified = true
            (self.seal, mayChange) = (seal, true)
            isOutdated = options.acceptsUnauthenticatedModel && seal.isOutdated(record)
            checked = try Self.counts(connection)
        } catch let error as StoreError where error.code == .unauthenticatedModel {
            let fresh = FreshStore(connection: connection, registry: registry, model: model)
            if try options.accepts(error) || (record == nil && fresh.isFresh) {
                if !isReading { (self.seal, mayChange) = (seal, true) }
            } else if isReading, error.isUncheckedSeal, try !Self.isConfidential(model, registry, on: connection) {
                warning = error
            } else {
                throw error
            }
        }
    }

    /// Seals what has changed since the seal was verified, in the same transaction, and what was accepted under the current
    /// key.
    mutating func renew(on connection: any EngineConnection) throws {
        guard let seal else { return }
        if !isOutdated, let checked, try checked == Self.counts(connection) { return }
        try seal.renew(movingOn: isOutdated, on: connection)
        isVerified = true
    }

    private static func counts(_ connection: any EngineConnection) throws -> (changes: Int, schema: Int64) {
        (connection.totalChangedCount, try connection.schemaVersion())
    }

    /// Returns whether anything is confidential or authenticated, according to the file or the program.
    private static func isConfidential(
        _ model: Model?,
        _ registry: TransformerRegistry,
        on connection: any EngineConnection
    ) throws -> Bool {
        let sql = """
            SELECT "expression" FROM "_transformable_attribute" WHERE "expression" IS NOT NULL
            UNION SELECT "signature" FROM "_transformable_attribute" WHERE "signature" IS NOT NULL
            UNION SELECT "expression" FROM "_transformable_projection"
            """
        let noted = try connection.rows(sql, count: 1).compactMap { $0.text(0) }
        let models = [model, try? Metadata(reading: connection).model].compactMap(\.self)
        return models.contains { $0.entities.contains(where: \.authenticatesRows) }
            || (noted + models.flatMap(\.expressions)).contains { registry.isConfidential($0) }
    }
}

extension Store.Options {
    /// Whether the program's own keys become the newest ones of an index that depends on a missing key.
    var givesUpLostKey: Bool { acceptsUnauthenticatedModel && acceptsLostKey }

    /// Returns whether the program accepts a file that failed verification.
    ///
    /// With the wrong keys, a new seal would lock out everyone who has the right ones.
    fileprivate func accepts(_ error: StoreError) -> Bool {
        acceptsUnauthenticatedModel && (opening == .readOnly || acceptsLostKey || !error.isSealedByOthers)
    }
}

extension Model {
    /// The expressions of all attributes and projections.
    fileprivate var expressions: [String] {
        entities.flatMap { entity in
            entity.projections.map(\.transformer)
                + entity.columns.flatMap { attribute in
                    [attribute.transformer].compactMap(\.self) + attribute.projections.map(\.transformer)
                }
        }
    }
}

extension TransformerRegistry {
    /// Returns a Boolean value that indicates whether any stage of an expression or signature is confidential.
    fileprivate func isConfidential(_ text: String) -> Bool {
        let stages = (try? TransformerSignature(text))?.stages ?? []
        return stages.contains { stage in
            var stage = stage
            stage.version = nil
            let resolved = try? resolve(TransformerExpression(stages: [stage]), ending: .anything)
            return resolved?.traits.contains(.confidential) == true
        }
    }
}

/// A store that was created without a key and has never had an object, so it contains nothing that could have been
/// tampered with.
///
/// Its tables and metadata must be the same as those of a newly created store with its model.
private struct FreshStore {
    let connection: any EngineConnection
    let registry: TransformerRegistry
    /// The program's own model.
    let model: Model?

    var isFresh: Bool {
        get throws {
            guard let embedded = connection.embedded, try !embedded.hasHadRows(),
                let metadata = try? Metadata(reading: connection)
            else { return false }
            // The program's own model says more about types than the file's model.
            let isSame = model?.json == metadata.json
            guard let model = isSame ? model : try? Model(json: metadata.json) else { return false }
            var options = Store.Options(unresolved: .keepBytes)
            options.acceptsRevealing = true
            guard let likeness = try connection.makeEmptyDatabase(),
                (try? Store.validate(model, transformers: registry, options: options)) != nil,
                (try? StoreOpening(model: model, registry: registry, options: options).open(likeness)) != nil
            else { return false }
            let expected = try likeness.read { try Self.content(on: $0) }
            return try Self.content(on: connection) == expected
        }
    }

    /// Returns the content of the file, without what differs between stores and key rings.
    private static func content(on connection: any EngineConnection) throws -> [String: [SealContent.Row]]? {
        let message = try SealMessage(counter: 0, SealedTables(reading: connection))
        guard let content = SealContent(message.bytes) else { return nil }
        var sections = content.sections
        for section in SealMessage.sections {
            let own = section.columns.indices.filter { ["uuid", "keys"].contains(section.columns[$0]) }
            sections[section.name] = content.sections[section.name]?
                .map { row in
                    row.indices.map { own.contains($0) ? .null : row[$0] }
                }
        }
        return sections
    }
}
