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
