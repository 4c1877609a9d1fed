internal import GRDB
internal import Transformable

extension Store {
    /// Lists the re-encodings that have begun and not ended, and the values that wait for their end.
    ///
    /// - Returns: The re-encodings, in the order of their names.
    /// - Throws: ``StoreError``.
    public func unfinishedReencodings() throws -> [UnfinishedReencoding] {
        try Failure.translate {
            try database.read { try UnfinishedReencoding.all(of: schema, on: $0).map(\.listed) }
        }
    }

    /// Gives up re-encodings: removes what waits for their end, and leaves the attributes as they are.
    ///
    /// What is removed is overwritten in the file and in its log, unless another program still reads it;
    /// `scrub(searchingFor:)` finds out. A program that is still at such a re-encoding is told
    /// ``StoreError/Code/conflict``.
    ///
    /// - Parameters:
    ///   - sampleCount: How many of the removed values are kept in memory, for a search of the file afterwards.
    ///   - isIncluded: Which are given up; by default all.
    /// - Returns: What was given up.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func abortReencodings(
        sampling sampleCount: Int = 0,
        where isIncluded: (UnfinishedReencoding) -> Bool = { _ in true }
    ) throws -> AbortedReencodings {
        try Nesting.check(self)
        try requireWritable()
        let aborted = try Failure.translate {
            try database.writeWithoutTransaction { database in
                try SQLStatement.run("PRAGMA secure_delete = ON", on: database)
                let aborted = try database.committing(.immediate) {
                    try resealing(on: database) { try abort(sampleCount, isIncluded, on: database) }
                }
                // Whoever still reads keeps the log from being emptied; a scrub says so.
                _ = try? SQLStatement.rows("PRAGMA wal_checkpoint(TRUNCATE)", count: 1, on: database)
                return aborted
            }
        }
        sweepGarbage()
        return aborted
    }

    private func abort(
        _ sampleCount: Int,
        _ isIncluded: (UnfinishedReencoding) -> Bool,
        on database: Database
    ) throws -> AbortedReencodings {
        var aborted = AbortedReencodings()
        var number = 0
        for unfinished in try UnfinishedReencoding.all(of: schema, on: database) where isIncluded(unfinished.listed) {
            for shadow in unfinished.shadows {
                if sampleCount > 0 {
                    try shadow.forEachValue(on: database) { value in
                        number += 1
                        aborted.canaries.sample(value, number: number, limit: sampleCount)
                    }
                }
                try shadow.drop(schema, on: database)
            }
            for job in unfinished.jobs { try job.end(on: database) }
            aborted.list.append(unfinished.listed)
        }
        return aborted
    }
}

extension UnfinishedReencoding {
    /// A re-encoding with what the file has of it.
    struct Found {
        var listed: UnfinishedReencoding
        var jobs: [ReencodingJob] = []
        var shadows: [ShadowColumn.Place] = []
    }

    /// Finds jobs, and columns of new cells, those that no job is left of too.
    static func all(of schema: StoreSchema, on database: Database) throws -> [Found] {
        var found: [String: Found] = [:]
        for job in try ReencodingJob.all(on: database) {
            let isExposed = schema.isConfidential(job.attribute, of: job.owner) && !job.isConfidential
            let name = "\(job.owner).\(job.attribute)"
            let listed = Self(entity: job.owner, attribute: job.attribute, waitingCount: 0, isExposed: isExposed)
            found[name, default: Found(listed: listed)].jobs.append(job)
        }
        for shadow in try ShadowColumn.places(on: database) {
            let owner = schema.owner(of: shadow.attributeName, in: shadow.table)
            let isExposed = schema.isConfidential(shadow.attributeName, of: owner)
            let name = "\(owner).\(shadow.attributeName)"
            let listed = Self(entity: owner, attribute: shadow.attributeName, waitingCount: 0, isExposed: isExposed)
            found[name, default: Found(listed: listed)].shadows.append(shadow)
            found[name]?.listed.waitingCount += try shadow.count(on: database)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension StoreSchema {
    /// The entity that declares an attribute of a table; the table itself if it is not one of the model.
    fileprivate func owner(of attribute: String, in table: String) -> String {
        let lineage = model.entity(table).map { model.lineage(of: $0) } ?? []
        return lineage.last { $0.attribute(attribute) != nil }?.name ?? table
    }

    /// Whether an attribute is not readable without a key; one that nobody here knows may be such a one.
    fileprivate func isConfidential(_ attribute: String, of owner: String) -> Bool {
        guard let stored = try? family(owner).first?.attributeIfAny(attribute) else { return true }
        guard stored.description.type == .transformed else { return false }
        return stored.transformer?.traits.contains(.confidential) ?? true
    }
}
