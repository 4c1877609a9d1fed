internal import Transformable

extension StoreOpening {
    /// Opens a store, after its columns have been re-encoded for the model if the options ask for that.
    ///
    /// - Parameters:
    ///   - isNew: Whether the store contains nothing yet.
    ///   - reopen: A closure that opens the store with a model, or with its own.
    ///   - body: A closure that opens the store as this opening describes it, or one that first ends re-encodings.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` if a value cannot be re-encoded, and errors thrown by the closures.
    package func run<Result>(
        isNew: @autoclosure () -> Bool,
        _ reopen: (Model?, Store.Options) throws -> Store,
        opened body: (Self) throws -> Result
    ) throws -> Result {
        guard let model, options.changedTransformers == .reencode, ![.readOnly, .create].contains(options.opening),
            !isNew()
        else { return try body(self) }
        return try ReencodingAtOpening(opening: self, model: model).run(reopen, opened: body)
    }
}

/// Re-encodes the columns of a store for the transformers in a program's model, when the store is opened with it.
///
/// The new cells are complete before anything else changes. They replace the old ones in the transaction that migrates the
/// store.
struct ReencodingAtOpening {
    let opening: StoreOpening
    /// The model of the opening.
    let model: Model

    /// Opens a store after its columns have been re-encoded for the model.
    ///
    /// If that fails, the store is as it was, except that new values are kept if another program is in the way. The same
    /// call continues with them, as it does if the process is killed.
    ///
    /// With public keys, the file's own model cannot be verified, so nothing is re-encoded. Opening the store then
    /// reports the differences.
    ///
    /// - Parameters:
    ///   - reopen: A closure that opens the store with a model, or with its own.
    ///   - body: A closure that opens the store with the program's model, as the opening that it receives describes it.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` if a value cannot be re-encoded, and errors thrown by the closures.
    func run<Result>(
        _ reopen: (Model?, Store.Options) throws -> Store,
        opened body: (StoreOpening) throws -> Result
    ) throws -> Result {
        if let sealer = opening.registry.sealer, !sealer.canSeal { return try body(opening) }
        for _ in 1..<Self.attempts {
            do {
                return try attempt(reopen, opened: body)
            } catch let error as StoreError where Self.causedByOthers.contains(error.code) {
                // Another program is re-encoding the same values, or has migrated the store in the meantime.
                continue
            }
        }
        return try attempt(reopen, opened: body)
    }

    private static let attempts = 3
    private static let causedByOthers: [StoreError.Code] = [.conflict, .storeChanged, .transactionConflict]

    private func attempt<Result>(
        _ reopen: (Model?, Store.Options) throws -> Store,
        opened body: (StoreOpening) throws -> Result
    ) throws -> Result {
        let store = try open(reopen)
        defer { try? store.close() }
        let wanted = try reencodings(in: store.schema)
        let all = wanted.isEmpty ? [] : try planned(wanted, in: store)
        guard !all.isEmpty else {
            try store.close()
            return try body(opening)
        }
        var runs: [ReencodingRun] = []
        do {
            let result = try StoreError.explainingFullDisk(at: store.engine.path, "the values are unchanged") {
                for reencoding in all {
                    var run = try ReencodingRun(reencoding, in: store)
                    runs.append(run)
                    try run.convertAll { _ in }
                    runs[runs.count - 1] = run
                }
                let ends = runs.map(\.end)
                var ending = opening
                ending.prelude = { _ = try ReencodingSwap.end(ends, in: store, on: $0) }
                return try body(ending)
            }
            store.sweepGarbage()
            return result
        } catch {
            throw failure(error, of: runs, in: store)
        }
    }

    /// Removes what failed re-encodings have written, and returns the error with what there is to say about that.
    ///
    /// It is kept if another program is in the way, which may be re-encoding the same values. To an error of another kind,
    /// such as one of a step, nothing can be added, so what there is to say is logged.
    private func failure(_ error: any Error, of runs: [ReencodingRun], in store: Store) -> any Error {
        let reason = (error as? ReencodingSwap.Refused)?.reason ?? error
        let isKept = (reason as? StoreError).map { $0.code == .busy || Self.causedByOthers.contains($0.code) } ?? false
        let faults = isKept ? exposures(in: store) : Set(runs.compactMap { $0.discard() }).sorted()
        guard var reason = reason as? StoreError else {
            for fault in faults { opening.options.logger?.noteRemains(fault) }
            return reason
        }
        reason.faults += faults
        return reason
    }

    /// Returns a sentence about each attribute of which unencrypted values wait for the next opening.
    private func exposures(in store: Store) -> [String] {
        let scrub = store.engine.dialect.has(.server) ? "" : " --scrub"
        let remedy = "open the store again with the same model, or run “store reseal --abort\(scrub)”"
        return ((try? store.unfinishedReencodings()) ?? []).filter { $0.isExposed && $0.waitingCount > 0 }
            .map { unfinished in
                let count = unfinished.waitingCount
                let values = "\(count.counted("value")) of “\(unfinished.entity).\(unfinished.attribute)”"
                return "\(values) \(count == 1 ? "waits" : "wait") in the file unencrypted; \(remedy)"
            }
    }

    /// Returns the re-encodings that precede a migration: steps convert the values that cannot be re-encoded.
    ///
    /// - Throws: The errors of the migration, before anything is changed.
    private func planned(_ reencodings: [Reencoding], in store: Store) throws -> [Reencoding] {
        try store.readTables { connection in
            let old = try Metadata(reading: connection)
            guard old.model.version < model.version else { return reencodings }
            let wanted = opening.steps.applicable(from: old.model.version, to: model.version)
            let record = MigrationRecord(from: old, to: model, wanted)
            try record.requireMigration(on: connection)
            var planner = MigrationPlanner(record, opening.registry, opening.options, on: connection)
            let plan = try planner.run()
            try planner.requireNoFault()
            return reencodings.filter { reencoding in
                record.succession.heirs(of: reencoding.attribute, of: reencoding.entity)
                    .contains { !plan.adds($0.attribute.name, to: $0.entity) }
            }
        }
    }

    /// Opens the store with its own model.
    private func open(_ reopen: (Model?, Store.Options) throws -> Store) throws -> Store {
        var options = opening.options
        options.opening = .mustExist
        options.unresolved = .keepBytes
        options.changedTransformers = .refuse
        options.acceptsRevealing = true
        options.precedesMigration = true
        let stored = try reopen(nil, options)
        let typed = try typed(stored.model)
        try stored.close()
        do {
            return try reopen(typed, options)
        } catch let error as StoreError where error.code == .newerModel {
            // The older model is the one that the store had a moment ago, and not the program's.
            let message = "another program has migrated the store in the meantime; open it again"
            throw StoreError(.storeChanged, message, underlying: error)
        }
    }

    /// Returns the file's model with the value types that the program's model declares.
    private func typed(_ stored: Model) throws(StoreError) -> Model {
        let succession = Succession(from: stored, to: model)
        var entities = stored.entities
        for entity in entities.indices {
            for var column in entities[entity].columns where column.type == .transformed && column.valueType == nil {
                guard let new = succession.heirs(of: column.name, of: entities[entity].name).first?.attribute,
                    new.type == .transformed
                else { continue }
                column.valueType = new.valueType
                entities[entity].replaceColumn(column)
            }
        }
        return try stored.with(entities: entities)
    }

    /// Returns the re-encodings that the model requires, one for each attribute.
    private func reencodings(in schema: StoreSchema) throws -> [Reencoding] {
        var all: [Reencoding] = []
        let succession = Succession(from: schema.model, to: model)
        let targets = ReencodingTargets(succession: succession, registry: opening.registry)
        for entity in schema.model.entities {
            for old in entity.columns where !old.isTransient {
                guard let stored = try schema.family(entity.name).first?.attribute(old.name), stored.failure == nil
                else { continue }
                let wanted = try succession.heirs(of: old.name, of: entity.name)
                    .compactMap { heir in
                        let signature = stored.transformer?.signature
                        return try targets.target(from: old, writtenBy: signature, to: heir.attribute)
                    }
                // If they differ, the plan of the migration refuses that.
                guard let target = wanted.first else { continue }
                var reencoding = Reencoding(old.name, of: entity.name, to: target)
                reencoding.precedesMigration = true
                all.append(reencoding)
            }
        }
        return all
    }
}
