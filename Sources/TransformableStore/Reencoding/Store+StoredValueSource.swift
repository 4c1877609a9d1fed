public import Foundation
public import Transformable

extension Store: StoredValueSource {
    /// Counts the stored values of transformed attributes by their first bytes, without decoding any.
    ///
    /// Values in external files are counted, and so are values that migrations have dropped and that the file still
    /// contains, and those that wait for the end of a re-encoding.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes to compare. Shorter values are compared as a whole.
    ///   - isIncluded: A closure that returns whether to count the values of a transformer. Its argument is `nil` for a
    ///     transformer that this program cannot resolve.
    /// - Returns: The counts, with one element for each included attribute.
    /// - Throws: `StoreError` if the file cannot be read, or with the code `access-denied` if row-level security of a
    ///   server may hide values.
    public func countValues(
        byFirst byteCount: Int,
        where isIncluded: (ResolvedTransformer?) -> Bool
    ) throws -> [StoredValueCounts] {
        let entities = model.entities.filter { !$0.isAbstract }.map(\.name)
        let described = try entities.map { (entity: $0, attributes: try attributes(of: $0)) }
        return try read(in: wholeScope) { context in
            try context.database().tenants?.requireAllRows()
            var found: [StoredValueCounts] = []
            for (entity, attributes) in described {
                for attribute in attributes
                where attribute.description.type == .transformed && isIncluded(attribute.transformer) {
                    let counts = try context.countStored(attribute.name, of: entity, by: 0..<byteCount)
                    let name = "\(entity).\(attribute.name)"
                    found.append(StoredValueCounts(name: name, transformer: attribute.transformer, counts: counts))
                }
            }
            for dropped in try context.countSetAside(by: 0..<byteCount) where isIncluded(dropped.transformer) {
                found.append(
                    StoredValueCounts(
                        name: "\(dropped.entity).\(dropped.attribute)",
                        transformer: dropped.transformer,
                        isSetAside: true,
                        counts: dropped.counts
                    )
                )
            }
            return try found + context.countWaiting(byFirst: byteCount, where: isIncluded)
        }
    }

    /// Returns the identifiers of the keys that the rows of keyed projections may have been written with.
    ///
    /// - Returns: The identifiers, by the projection's name, such as `Patient.ssn_blind_index`.
    /// - Throws: `StoreError` if the file is damaged.
    public func indexKeys() throws -> [String: [String]] {
        try read(in: wholeScope) { try $0.indexKeys() }
    }
}

extension StoreContext {
    /// Counts the values that wait for the end of a re-encoding, whose transformer is not known.
    fileprivate func countWaiting(
        byFirst byteCount: Int,
        where isIncluded: (ResolvedTransformer?) -> Bool
    ) throws -> [StoredValueCounts] {
        guard isIncluded(nil) else { return [] }
        return try ShadowColumn.places(on: database())
            .map { place in
                let column = ShadowColumn.name(of: place.attribute)
                let hasBytes = try place.hasBytes(on: database())
                let counts = try counts(of: column, in: place.source, by: 0..<byteCount, hasBytes: hasBytes)
                let name = "\(place.table).\(place.attributeName) (in an unfinished re-encoding)"
                return StoredValueCounts(name: name, transformer: nil, counts: counts)
            }
    }
}

extension StoreContext {
    /// Counts the stored values of an attribute by some of their bytes, without decoding any.
    ///
    /// If the bytes include a header, the counts show how many values have each header.
    ///
    /// - Parameters:
    ///   - attribute: The attribute's name.
    ///   - entity: The name of an entity with a table of its own.
    ///   - bytes: The range of bytes. For shorter values, it is clamped.
    /// - Returns: The number of values for each byte sequence. Values that are not bytes in the table are counted under
    ///   `nil`.
    /// - Throws: `StoreError` with the code `unknown-entity` or `unknown-attribute` if there
    ///   is no such entity or attribute.
    public func countStored(
        _ attribute: String,
        of entity: String,
        by bytes: Range<Int>
    ) throws -> [Data?: Int] {
        let entity = try schema.entity(entity)
        let attribute = try entity.attribute(attribute)
        guard attribute.cell != nil else { return [:] }
        return try counts(of: attribute.name, in: entity.table.description, by: bytes, hasBytes: attribute.isDeferrable)
    }

    /// Counts the cells of a column by some of their bytes.
    ///
    /// For cells that refer to a blob, the blob's bytes count. The name of the table is quoted, and may include a schema.
    func counts(
        of column: String,
        in table: String,
        by bytes: Range<Int>,
        hasBytes: Bool = true
    ) throws -> [Data?: Int] {
        let column = SQL.quoted(column)
        let sql = """
            SELECT \(try start(of: column, by: bytes, hasBytes: hasBytes)) AS "start", count(*)
            FROM \(table) WHERE \(column) IS NOT NULL GROUP BY 1
            """
        let rows = try database().rows(sql, count: 2)
        var counts = Dictionary(rows.map { ($0.isNull(0) ? nil : $0.data(0), Int($0.integer(1))) }) { $0 + $1 }
        if hasBytes { try countBlobs(column, table, by: bytes, into: &counts) }
        return counts
    }

    /// Returns the expression for some of the bytes of a cell, which is NULL if the cell contains no bytes.
    private func start(of column: String, by bytes: Range<Int>, hasBytes: Bool) throws -> String {
        let dialect = try database().dialect
        let part = "substr(\(column), \(bytes.lowerBound + 1), \(bytes.count))"
        if dialect.has(.dynamicTypes) { return "CASE typeof(\(column)) WHEN 'blob' THEN \(part) END" }
        guard hasBytes else { return "CAST(NULL AS bytea)" }
        return "CASE WHEN NOT (\(BlobRecord.isReference(column, dialect))) THEN \(part) END"
    }

    /// Returns the identifiers of the keys that the rows of keyed projections may have been written with.
    ///
    /// - Returns: The identifiers, by the projection's name, such as `Patient.ssn_blind_index`.
    /// - Throws: `StoreError` if the file is damaged.
    public func indexKeys() throws -> [String: [String]] {
        let metadata = try Metadata(reading: database())
        var keys: [String: [String]] = [:]
        for entity in schema.entities {
            let attributes = metadata.attributes[entity.id]?.values.map(\.id) ?? []
            let compounds = metadata.compounds[entity.id]?.values.map(\.self) ?? []
            for owner in attributes + compounds {
                for (name, projection) in metadata.projections[owner] ?? [:] where !projection.keys.isEmpty {
                    keys["\(entity.name).\(name)"] = projection.keys
                }
            }
        }
        return keys
    }
}

// MARK: - External blobs

extension StoreContext {
    /// Counts the external blobs that a column's cells refer to by some of their bytes.
    private func countBlobs(
        _ column: String,
        _ table: String,
        by bytes: Range<Int>,
        into counts: inout [Data?: Int]
    ) throws {
        guard let blobs = schema.blobs, counts.keys.contains(nil) else { return }
        let sql = "SELECT \(column) FROM \(table) WHERE \(BlobRecord.isReference(column, try database().dialect))"
        let names = try database().rows(sql, count: 1).compactMap { BlobRecord.uuid(in: $0, 0) }
        let noBytes: Data? = nil
        for first in stride(from: 0, to: names.count, by: Self.blobsAtOnce) {
            let some = Array(names[first..<min(first + Self.blobsAtOnce, names.count)])
            for start in try starts(of: some, in: blobs, count: bytes.upperBound) {
                counts[noBytes, default: 0] -= 1
                counts[Data(start.dropFirst(bytes.lowerBound)), default: 0] += 1
            }
        }
        if counts[noBytes] == 0 { counts.removeValue(forKey: noBytes) }
    }

    /// The number of blobs whose first bytes are read together.
    private static let blobsAtOnce = 512

    /// Returns the first bytes of blobs, without those that are missing.
    private func starts(of uuids: [UUID], in blobs: BlobStorage, count: Int) throws -> [Data] {
        guard case .folder(let folder) = blobs else {
            let first = try database().requirePieces().firstBytes(of: Array(Set(uuids)), count: count)
            return uuids.compactMap { first[$0] }
        }
        return try uuids.compactMap { uuid in
            let path = folder.path(of: uuid)
            guard let descriptor = try FileSystem.openToRead(path) else { return nil }
            return try FileReader(descriptor, path: path).readAll(count: count)
        }
    }
}
