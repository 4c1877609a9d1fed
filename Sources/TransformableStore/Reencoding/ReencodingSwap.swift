internal import Foundation
internal import Transformable

/// The end of a re-encoding: what is left is converted, the new columns replace the old ones, and the job ends.
struct ReencodingSwap {
    /// The re-encoding was refused because of values that cannot be written with the new transformer.
    struct Refused: Error {
        let reason: StoreError
    }

    let plan: ReencodingPlan
    let passes: [ReencodingPass]
    let store: Store
    let job: ReencodingJob
    /// Whether cells that cannot be converted are kept as they are.
    let keepsUndecodable: Bool

    /// Ends the re-encoding in a transaction of its own.
    func run(_ report: inout Reencoding.Report) throws {
        let reports = try store.engine.changeTables { connection in
            let reports = try Self.end([(self, report)], in: store, on: connection)
            // The end has removed the triggers, and this store may be able to write on.
            for seal in store.schema.rowSeals { try seal.watchWrites(on: connection) }
            return reports
        }
        report = reports[0]
    }

    /// Ends several re-encodings of a store in one transaction.
    ///
    /// Afterward, the connection no longer watches writes to the authenticated rows, because what comes next may be a
    /// migration.
    ///
    /// - Parameters:
    ///   - swaps: The re-encodings, with what they have reported so far.
    ///   - store: The store, opened with the model that the re-encodings start from.
    ///   - connection: The connection that writes. It may be one of another store of the same database.
    /// - Returns: The reports.
    /// - Throws: ``Refused``, or `StoreError` if another program has ended a re-encoding or migrated the store.
    static func end(
        _ swaps: [(swap: ReencodingSwap, report: Reencoding.Report)],
        in store: Store,
        on connection: any EngineConnection
    ) throws -> [Reencoding.Report] {
        for (swap, _) in swaps { try swap.job.requireRunning(on: connection) }
        // Another program may have migrated the store while this one waited for its turn.
        try store.watch.check(store.schema, on: connection)
        let moves = swaps.contains { !$0.swap.plan.isInPlace }
        let names = Set(swaps.flatMap { $0.swap.plan.columns.map(\.entity.name) })
        let seals = store.schema.entities.filter { names.contains($0.name) }.compactMap(\.rowSeal)
        // A connection that is opening a store does not watch writes yet.
        for seal in seals { try seal.watchWrites(on: connection) }
        let reports = try swaps.map { try $0.swap.completed($0.report, on: connection) }
        for seal in seals { try seal.ignoreWrites(on: connection) }
        if moves { for seal in seals { try seal.checkAll(on: connection) } }
        try store.resealing(movingOn: true, on: connection) {
            for (swap, _) in swaps { try swap.replaceColumns(on: connection) }
            for seal in seals { _ = try seal.renewOutdated(on: connection) }
            for ((swap, _), report) in zip(swaps, reports) {
                // Cells that were left unchanged may have projections with any earlier key.
                let allAreCurrent = report.failureCount == 0 && swap.job.failures == 0
                try swap.note(allAreCurrent: allAreCurrent, on: connection)
                try swap.job.end(on: connection)
            }
        }
        return reports
    }
}

// MARK: - Completion

extension ReencodingSwap {
    /// Converts the cells that have not been converted yet, and returns the report about all of them.
    private func completed(
        _ soFar: Reencoding.Report,
        on connection: any EngineConnection
    ) throws -> Reencoding.Report {
        guard !plan.isInPlace else { return soFar }
        var report = soFar
        report.failures = []
        report.failureCount = 0
        for pass in passes {
            try pass.complete(&report, on: connection) { cell in
                if keepsUndecodable { try keep(cell, in: pass, on: connection) }
            }
        }
        guard report.failureCount == 0 || keepsUndecodable else { throw Refused(reason: refusal(report)) }
        // The old column is about to be dropped, so it must not contain the only copy of a value.
        for pass in passes where try pass.pending(on: connection) > 0 {
            let message = "some of its values were not converted, so the column was left unchanged; verify the store"
            let (entity, attribute) = (pass.column.entity.name, pass.column.old.name)
            throw Refused(reason: StoreError(.corruptFile, message, entity: entity, attribute: attribute))
        }
        return report
    }

    /// Copies a cell that cannot be decoded.
    ///
    /// The new transformer must not be able to decode it either.
    private func keep(_ cell: ReencodingCell, in pass: ReencodingPass, on connection: any EngineConnection) throws {
        let column = pass.column
        let place = column.place(cell, store.uuid)
        // A cell that cannot be read at all has no value with any transformer.
        let isReadable = (try? cell.filled(column.old, at: place)).map { column.conversion.isReadable($0, at: place) }
        guard isReadable != true else {
            let reason = StoreError(
                .undecodable,
                "it cannot be decoded, but the new transformer would decode its bytes to a value; set it first",
                entity: column.entity.name,
                attribute: column.old.name,
                object: ObjectID(entity: column.entity.name, number: cell.number)
            )
            throw Refused(reason: reason)
        }
        _ = try pass.writer.write(cell.row.value(0), nil, over: cell, on: connection)
    }

    private func refusal(_ report: Reencoding.Report) -> StoreError {
        let first = report.failures.first
        let ways = """
            replace them, or leave their bytes unchanged: re-encode the column from the file's own model with “store reseal \
            --keep-damaged” (in code: “keepsUndecodable: true”)
            """
        return StoreError(
            first?.code ?? .undecodable,
            "\(report.failureCount.counted("value")) cannot be re-encoded, so the column was left unchanged; \(ways)",
            entity: plan.owner,
            attribute: plan.description.name,
            object: first?.object,
            faults: report.failures.map(\.description),
            underlying: first?.underlying
        )
    }
}

// MARK: - Columns and metadata

extension ReencodingSwap {
    private func replaceColumns(on connection: any EngineConnection) throws {
        guard !plan.isInPlace else { return }
        for column in plan.columns { try replace(column, on: connection) }
    }

    /// Replaces an old column with the new one.
    private func replace(_ column: ReencodingPlan.Column, on connection: any EngineConnection) throws {
        let (tables, table) = (connection.tables, column.entity.table)
        let triggers = ShadowColumn.triggers(of: column.old.id)
        for name in [triggers.change, triggers.disposal] { try tables.define("DROP TRIGGER IF EXISTS \(name)") }
        let required = RequiredColumn(entity: column.entity, attribute: column.old)
        try required.dropTriggers(on: connection)
        try tables.define("DROP TRIGGER IF EXISTS \(BlobTriggers.name(of: column.old.id))")
        try TableDefinition.dropIndexes(with: column.old.name, of: column.entity, on: connection)
        try tables.define("ALTER TABLE \(table) DROP COLUMN \(column.name)")
        try tables.define("ALTER TABLE \(table) RENAME COLUMN \(column.shadow) TO \(column.name)")
        if !column.old.description.isOptional { try required.demandValues(on: connection) }
        try column.entity.rowSeal?.renewAll(on: connection)
        guard column.old.isExternal else { return }
        let hasBytes = [.data, .transformed].contains(plan.description.type)
        let (attribute, entity) = (column.old.id, column.entity)
        try BlobTriggers.disposeOfStrays(attribute, entity, column.name, hasBytes: hasBytes, on: connection)
        // Cells that were kept may refer to blobs, regardless of the current threshold.
        guard hasBytes else { return }
        let trigger = BlobTriggers.name(of: column.old.id)
        let disposal = BlobTriggers.change(of: column.name, column.old.id, column.entity, trigger: trigger)
        try tables.define(disposal)
    }

    /// Records the transformers of the columns, and the keys of their projections.
    ///
    /// If no row is left whose projections may use another key, only the current keys are recorded.
    private func note(allAreCurrent: Bool, on connection: any EngineConnection) throws {
        for column in plan.columns {
            let resolved = column.new.transformer
            try connection.run(
                """
                UPDATE "_transformable_attribute" SET "type" = ?, "expression" = ?, "signature" = ? WHERE "id" = ?
                """,
                [
                    .text(plan.description.type.rawValue), ColumnValue(resolved?.expression.description),
                    ColumnValue(resolved?.signature.description), .integer(Int64(column.old.id)),
                ]
            )
        }
        let metadata = try Metadata(reading: connection)
        for column in plan.columns where allAreCurrent {
            for projection in column.projections { try note(projection, of: column.old.id, metadata, on: connection) }
            for compound in column.compounds {
                try note(compound.projection, of: compound.id, metadata, on: connection)
            }
        }
        let model = try metadata.model.replacing(fileDescription(metadata.model), of: plan.owner)
        try model.replaceText(on: connection)
        try SchemaWatch.alert(on: connection)
    }

    /// Returns the attribute for the file's model.
    ///
    /// What the program's model says otherwise is left alone.
    private func fileDescription(_ model: Model) -> AttributeDescription {
        let description = plan.description
        guard var copy = model.entity(plan.owner)?.column(description.name) else { return description }
        copy.type = description.type
        copy.transformer = description.transformer
        copy.isIndexed = description.isIndexed
        if copy.type == .transformed { copy.validation = .none }
        if description.externalThreshold == nil { copy.externalThreshold = nil }
        return copy
    }

    /// Records the keys of a projection, unless another program has begun to write rows with a newer key in the meantime.
    private func note(
        _ projection: StoredProjection,
        of owner: UInt32,
        _ metadata: Metadata,
        on connection: any EngineConnection
    ) throws {
        projection.keys?.update(metadata.projections[owner]?[projection.name]?.keys ?? [])
        guard projection.keys?.isNewest != false else { return }
        try connection.run(
            """
            UPDATE "_transformable_projection" SET "fingerprint" = ?, "keys" = ? WHERE "attribute" = ? AND "name" = ?
            """,
            [
                .text(projection.fingerprint), .text(projection.currentKeys),
                .integer(Int64(owner)), .text(projection.name),
            ]
        )
    }
}
