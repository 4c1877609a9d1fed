internal import Foundation

/// The record of a re-encoding in the file, so that it can be continued after an interruption.
struct ReencodingJob {
    private struct Detail: Codable {
        var owner: String
        var attribute: String
        var target: String
        /// The last object that was processed, by entity.
        var positions: [String: Int64] = [:]
        /// The number of cells that could not be re-encoded so far.
        var failures = 0
        /// Whether the new cells are unreadable without a key, or `nil` in records from earlier versions.
        var isConfidential: Bool?
    }

    private static let kind = ColumnValue.text("reencode")
    let id: Int64
    private var detail: Detail

    /// Continues the job of a plan, or begins it.
    ///
    /// A job with a different target is abandoned.
    static func begin(_ plan: ReencodingPlan, on connection: any EngineConnection) throws -> Self {
        for job in try all(on: connection) where job.detail.owner == plan.owner {
            guard job.detail.attribute == plan.description.name else { continue }
            if job.detail.target == plan.target {
                var job = job
                let mustStartOver = try plan.waitsBesideTags || plan.hasUnwatchedShadows(on: connection)
                if mustStartOver { try job.startOver(plan, on: connection) }
                try plan.prepare(on: connection)
                return job
            }
            try job.end(on: connection)
        }
        // What another job has written, or one that is no longer known, has another form.
        try plan.dropShadows(on: connection)
        try plan.prepare(on: connection)
        var detail = Detail(owner: plan.owner, attribute: plan.description.name, target: plan.target)
        detail.isConfidential = plan.isConfidential
        let sql = "INSERT INTO \"_transformable_job\" (\"kind\", \"state\", \"detail\") VALUES (?, 'running', ?)"
        try connection.run(sql, [kind, .text(text(detail))])
        return Self(id: connection.lastInsertedNumber, detail: detail)
    }

    static func all(on connection: any EngineConnection) throws -> [Self] {
        let sql = "SELECT \"id\", \"detail\" FROM \"_transformable_job\" WHERE \"kind\" = ?"
        return try connection.rows(sql, [kind], count: 2)
            .compactMap { row in
                let detail = try? JSONDecoder().decode(Detail.self, from: Data((row.text(1) ?? "").utf8))
                return detail.map { Self(id: row.integer(0), detail: $0) }
            }
    }

    private static func text(_ detail: Detail) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Names and numbers always have a JSON form.
        return (try? encoder.encode(detail)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    var owner: String { detail.owner }
    var attribute: String { detail.attribute }
    var failures: Int { detail.failures }

    /// Whether the new cells are unreadable without a key, as far as that is known.
    var isConfidential: Bool { detail.isConfidential ?? false }

    /// Returns the last object that was processed, or `nil` if there is none.
    func position(in entity: StoredEntity) -> Int64? { detail.positions[entity.name] }

    /// Records the job's progress, in the same transaction.
    mutating func move(
        to position: Int64?,
        in entity: StoredEntity,
        failures: Int,
        on connection: any EngineConnection
    ) throws {
        detail.positions[entity.name] = position
        // The file may contain any number.
        let sum = detail.failures.addingReportingOverflow(failures)
        detail.failures = sum.overflow ? Int.max : sum.partialValue
        try write(on: connection)
    }

    /// Discards the new cells of an earlier run.
    private mutating func startOver(_ plan: ReencodingPlan, on connection: any EngineConnection) throws {
        try plan.dropShadows(on: connection)
        detail.positions = [:]
        detail.failures = 0
        try write(on: connection)
    }

    private func write(on connection: any EngineConnection) throws {
        let sql = "UPDATE \"_transformable_job\" SET \"detail\" = ? WHERE \"id\" = ?"
        try connection.run(sql, [.text(Self.text(detail)), .integer(id)])
    }

    /// Throws an error if another program has ended the job in the meantime.
    func requireRunning(on connection: any EngineConnection) throws {
        let sql = "SELECT EXISTS (SELECT 1 FROM \"_transformable_job\" WHERE \"id\" = ?)"
        guard try connection.integer(sql, [.integer(id)]) == 1 else {
            throw StoreError(
                .conflict,
                """
                another program has finished or aborted this re-encoding, or begun a different one; open the store \
                again, and repeat it if it is still needed
                """,
                entity: detail.owner,
                attribute: detail.attribute
            )
        }
    }

    func end(on connection: any EngineConnection) throws {
        try connection.run("DELETE FROM \"_transformable_job\" WHERE \"id\" = ?", [.integer(id)])
    }
}

// MARK: - Migrations

extension Migration {
    /// Ends the re-encodings whose columns are dropped or renamed, because no one could request them again, and removes
    /// what they have written.
    func endReencodings() throws {
        // The new values of other re-encodings are dropped along with tables that are rebuilt.
        if try !ShadowColumn.places(on: connection).isEmpty { try connection.embedded?.overwriteDeletedContent() }
        for job in try ReencodingJob.all(on: connection) {
            let family = old.model.entities.filter { entity in
                !entity.isAbstract && old.model.lineage(of: entity).contains { $0.name == job.owner }
            }
            guard !family.contains(where: { keepsColumn(of: job, in: $0.name) }) else { continue }
            let numbers = family.compactMap { old.entities[$0.name] }
                .compactMap { old.attributes[$0]?[job.attribute]?.id }
            for shadow in try ShadowColumn.places(on: connection) where numbers.contains(shadow.attribute) {
                try shadow.drop(on: connection)
            }
            try job.end(on: connection)
        }
    }

    /// Returns a Boolean value that indicates whether an entity, its attribute, and the entity that declares the attribute
    /// have the same names in the new model.
    private func keepsColumn(of job: ReencodingJob, in entity: String) -> Bool {
        let succession = record.succession
        let before = Succession.columns(of: entity, in: old.model)
        guard succession.oldName(ofEntity: entity) == entity, model.entity(job.owner)?.column(job.attribute) != nil,
            let new = Succession.columns(of: entity, in: model).first(where: { $0.name == job.attribute })
        else { return false }
        return succession.predecessor(of: new, in: entity, among: before)?.name == job.attribute
    }
}
