internal import Transformable

/// A re-encoding that has begun but not finished, because another program is running it or because it was
/// interrupted.
///
/// Request the same re-encoding again to finish it, or call `Store.abortReencodings(sampling:where:)` to abort it.
public struct UnfinishedReencoding: Sendable, Hashable {
    /// The entity that declares the attribute, or a table that a migration has set aside.
    public let entity: String
    /// The attribute's name.
    public let attribute: String
    /// The number of new values in the shadow column, or 0 if they replace the old ones directly.
    public internal(set) var waitingCount: Int
    /// Whether the new values are readable without a key, although those of the attribute are not.
    public let isExposed: Bool
}

extension UnfinishedReencoding: CustomStringConvertible {
    /// A description of what is unfinished, what that means, and what to do, on one line.
    public var description: String {
        let waiting =
            switch (waitingCount, isExposed) {
            case (0, false): ""
            // A large value is written to a file of its own before the shadow column refers to it.
            case (0, true): "; values that it has opened may be left in files unencrypted"
            case (let count, true):
                "; \(count.counted("value")) \(count == 1 ? "waits" : "wait") in the file unencrypted"
            case (let count, false): "; \(count.counted("new value")) \(count == 1 ? "waits" : "wait") in the file"
            }
        let ways = "request the same re-encoding again to finish it, or abort it with “store reseal --abort”"
        return "\(entity).\(attribute): a re-encoding is unfinished\(waiting); \(ways)"
    }
}

/// The re-encodings that `Store.abortReencodings(sampling:where:)` has aborted.
public struct AbortedReencodings: Sendable {
    /// The re-encodings, each with the number of removed values.
    public internal(set) var list: [UnfinishedReencoding] = []
    /// Samples of the removed values, for `Store.scrub(searchingFor:)`.
    public internal(set) var canaries = Canaries()
}

extension Store {
    /// Returns the re-encodings that have begun but not finished, along with the values that wait for their
    /// end.
    ///
    /// - Returns: The re-encodings, sorted by name.
    /// - Throws: `StoreError` if the file cannot be read.
    public func unfinishedReencodings() throws -> [UnfinishedReencoding] {
        try Nesting.check(self)
        return try readTables { try UnfinishedReencoding.all(of: schema, on: $0).map(\.listed) }
    }

    /// Aborts re-encodings: removes the values that wait for their end, and leaves the attributes as they are.
    ///
    /// The removed values are overwritten in the file and in its log, unless another program is still reading them.
    /// `scrub(searchingFor:)` checks that. A program that is still running such a re-encoding receives
    /// `conflict`.
    ///
    /// - Parameters:
    ///   - sampleCount: The number of removed values that are kept in memory, for a later search of the file.
    ///   - isIncluded: Returns whether to abort a re-encoding. By default, all are aborted.
    /// - Returns: The aborted re-encodings.
    /// - Throws: `StoreError` if the file cannot be read or written.
    @discardableResult
    public func abortReencodings(
        sampling sampleCount: Int = 0,
        where isIncluded: (UnfinishedReencoding) -> Bool = { _ in true }
    ) throws -> AbortedReencodings {
        try Nesting.check(self)
        try requireWritable()
        let aborted = try engine.write { connection in
            try connection.embedded?.overwriteDeletedContent()
            let aborted = try connection.tables.changing {
                try connection.committing(.immediate) {
                    try resealing(on: connection) { try abort(sampleCount, isIncluded, on: connection) }
                }
            }
            // A reader keeps the log from being emptied. A scrub reports that.
            _ = try? connection.embedded?.emptyLog()
            return aborted
        }
        sweepGarbage()
        return aborted
    }

    private func abort(
        _ sampleCount: Int,
        _ isIncluded: (UnfinishedReencoding) -> Bool,
        on connection: any EngineConnection
    ) throws -> AbortedReencodings {
        var aborted = AbortedReencodings()
        var number = 0
        for unfinished in try UnfinishedReencoding.all(of: schema, on: connection) where isIncluded(unfinished.listed) {
            for shadow in unfinished.shadows {
                if sampleCount > 0 {
                    try shadow.forEachValue(on: connection) { value in
                        number += 1
                        aborted.canaries.sample(value, number: number, limit: sampleCount)
                    }
                }
                try shadow.drop(schema, on: connection)
            }
            for job in unfinished.jobs { try job.end(on: connection) }
            aborted.list.append(unfinished.listed)
        }
        return aborted
    }
}

extension UnfinishedReencoding {
    /// A re-encoding, along with what the file contains of it.
    struct Found {
        var listed: UnfinishedReencoding
        var jobs: [ReencodingJob] = []
        var shadows: [ShadowColumn.Place] = []
    }

    /// Finds jobs, and columns of new cells, including those without a job.
    static func all(of schema: StoreSchema, on connection: any EngineConnection) throws -> [Found] {
        var found: [String: Found] = [:]
        for job in try ReencodingJob.all(on: connection) {
            let isExposed = schema.isConfidential(job.attribute, of: job.owner) && !job.isConfidential
            let name = "\(job.owner).\(job.attribute)"
            let listed = Self(entity: job.owner, attribute: job.attribute, waitingCount: 0, isExposed: isExposed)
            found[name, default: Found(listed: listed)].jobs.append(job)
        }
        for shadow in try ShadowColumn.places(on: connection) {
            let owner = schema.owner(of: shadow.attributeName, in: shadow.table)
            let isExposed = schema.isConfidential(shadow.attributeName, of: owner)
            let name = "\(owner).\(shadow.attributeName)"
            let listed = Self(entity: owner, attribute: shadow.attributeName, waitingCount: 0, isExposed: isExposed)
            found[name, default: Found(listed: listed)].shadows.append(shadow)
            found[name]?.listed.waitingCount += try shadow.count(on: connection)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension StoreSchema {
    /// Returns the entity that declares an attribute of a table, or the table itself if it is not in the model.
    fileprivate func owner(of attribute: String, in table: String) -> String {
        let lineage = model.entity(table).map { model.lineage(of: $0) } ?? []
        return lineage.last { $0.column(attribute) != nil }?.name ?? table
    }

    /// Returns a Boolean value that indicates whether an attribute is unreadable without a key.
    ///
    /// An unknown attribute may be.
    fileprivate func isConfidential(_ attribute: String, of owner: String) -> Bool {
        guard let stored = try? family(owner).first?.attributeIfAny(attribute) else { return true }
        guard stored.description.type == .transformed else { return false }
        return stored.transformer?.traits.contains(.confidential) ?? true
    }
}

/// Unencrypted copies of the values of confidential attributes.
enum PlainShadows {
    /// Returns the number of copies, by table and column.
    static func counts(of schema: StoreSchema, on connection: any EngineConnection) throws -> [(String, Int)] {
        let waiting = try UnfinishedReencoding.all(of: schema, on: connection).filter(\.listed.isExposed)
            .flatMap { unfinished in
                try unfinished.shadows.map { ("\($0.table).\($0.attributeName)", try $0.count(on: connection)) }
            }
        let projected = try revealing(schema)
            .map { projection in
                let sql = "SELECT count(\(SQL.quoted(projection.name))) FROM \(projection.entity.table)"
                let name = "\(projection.entity.name).\(projection.name)"
                return (name, Int(try connection.integer(sql)))
            }
        return (waiting + projected).filter { $0.1 > 0 }
    }

    /// Returns the projections of stores from earlier versions that are not keyed and that the model does not allow to
    /// be revealing.
    static func revealing(_ schema: StoreSchema) -> [(entity: StoredEntity, name: String)] {
        schema.entities.flatMap { entity in
            let projections = entity.projected.filter(\.isConfidential).flatMap(\.projections)
            let compounds = entity.compounds
                .filter { compound in
                    let names = compound.description.parts.map(\.attribute)
                    return names.contains { entity.attributeIfAny($0)?.isConfidential == true }
                }
            return (projections + compounds.map(\.projection))
                .filter { !$0.description.reveals && !$0.isKeyed }
                .map { (entity, $0.name) }
        }
    }
}

extension StoredProjection {
    /// Whether its cells reveal nothing without a key.
    ///
    /// Cells that cannot be computed in this program are assumed to be keyed.
    fileprivate var isKeyed: Bool {
        failure.map { $0.code != .revealingProjection } ?? (keys != nil)
    }
}
