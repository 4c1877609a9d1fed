internal import GRDB
internal import Transformable

/// How far a program may believe a store's file, by the keys that it has.
struct StoreTrust {
    /// What keeps the file sealed; nil without a secret key, and where the file was not believed.
    private(set) var seal: StoreSeal?
    /// Whether what a seal covers may be changed.
    private(set) var mayChange = true
    /// Whether the seal was that of the file.
    private(set) var isVerified = false
    /// What to tell whoever reads on although nothing shows that the model is genuine.
    private(set) var warning: StoreError?
    /// What SQLite counted when the seal was checked; nil if it is to be renewed anyhow.
    private var checked: (changes: Int, schema: Int64)?

    /// A file that is about to become a store, or a store in memory.
    init(new registry: TransformerRegistry, isFile: Bool) {
        guard isFile, let sealer = registry.sealer, sealer.canSeal else { return }
        seal = StoreSeal(sealer: sealer)
        isVerified = true
    }

    /// Checks the seal of a file.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/unauthenticatedModel``.
    init(
        _ model: Model?,
        _ registry: TransformerRegistry,
        _ options: Store.Options,
        on database: Database
    ) throws {
        let record = try StoreSeal.record(on: database)
        let isReading = options.opening == .readOnly
        mayChange = record == nil
        guard let sealer = registry.sealer else { return }
        guard sealer.canSeal else {
            guard model == nil, !options.acceptingModel else { return }
            guard isReading else { throw StoreError.uncheckedPublicKey }
            warning = .uncheckedPublicKey
            return
        }
        let seal = StoreSeal(sealer: sealer)
        do {
            guard let record else { throw StoreError.unsealed }
            try seal.verify(record, on: database)
            isVerified = true
            (self.seal, mayChange) = (seal, true)
            if !seal.isOutdated(record) { checked = try Self.counts(database) }
        } catch let error as StoreError where error.code == .unauthenticatedModel {
            if try options.acceptingModel
                || (record == nil && FreshStore(database: database, registry: registry, model: model).isFresh)
            {
                if !isReading { (self.seal, mayChange) = (seal, true) }
            } else if isReading, error.isUncheckedSeal, try !Self.isConfidential(model, registry, on: database) {
                warning = error
            } else {
                throw error
            }
        }
    }

    /// Seals what has changed since the seal was checked, in the same transaction.
    mutating func renew(on database: Database) throws {
        guard let seal else { return }
        let counts = try Self.counts(database)
        if let checked, checked == counts { return }
        try seal.renew(on: database)
        isVerified = true
    }

    private static func counts(_ database: Database) throws -> (changes: Int, schema: Int64) {
        (database.totalChangesCount, try SQLStatement.integer("PRAGMA schema_version", on: database))
    }

    /// Whether anything is secret, as the file or the program says.
    private static func isConfidential(
        _ model: Model?,
        _ registry: TransformerRegistry,
        on database: Database
    ) throws -> Bool {
        let sql = """
            SELECT "expression" FROM "_transformable_attribute" WHERE "expression" NOT NULL
            UNION SELECT "signature" FROM "_transformable_attribute" WHERE "signature" NOT NULL
            UNION SELECT "expression" FROM "_transformable_projection"
            """
        let noted = try SQLStatement.rows(sql, count: 1, on: database).compactMap { $0.text(0) }
        let models = [model, try? Metadata(reading: database).model].compactMap(\.self)
        return (noted + models.flatMap(\.expressions)).contains { registry.isConfidential($0) }
    }
}

extension Model {
    /// The expressions of all attributes and projections.
    fileprivate var expressions: [String] {
        entities.flatMap { entity in
            entity.projections.map(\.transformer)
                + entity.attributes.flatMap { attribute in
                    [attribute.transformer].compactMap(\.self) + attribute.projections.map(\.transformer)
                }
        }
    }
}

extension TransformerRegistry {
    /// Whether any stage of an expression or a signature hides what it is given, whatever the others are.
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
