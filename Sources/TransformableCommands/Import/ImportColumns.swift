internal import TransformableStore

/// The purpose of a column's values.
enum ImportColumn: Sendable {
    case attribute(Result<AttributeParser, any Error>, isMutual: Bool)
    case references(ReferenceForm)
    /// The name of the object's entity, which “store show” writes for entities with sub-entities.
    case entity
    /// The object's tenant, which “store export” writes.
    case tenant
}

/// The columns that a file with the rows of an entity can have.
struct ImportColumns {
    /// The purpose of each column's values.
    let purposes: [ImportColumn]
    private let store: Store
    private let entity: String
    /// The positions of the attributes and relationships by name.
    private let places: [String: Int]
    /// The positions of the columns that describe an object otherwise, by name.
    private let special: [String: Int]
    /// The names of the columns to skip.
    private let ignored: Set<String>

    /// Finds the columns.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - store: The store.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if there is no such entity.
    init(of entity: String, in store: Store) throws(CommandError) {
        self.store = store
        self.entity = entity
        let attributes = try store.storedAttributes(of: entity)
        let references = store.referenceForms(of: entity, beside: attributes)
        purposes =
            attributes.map { attribute in
                ImportColumn.attribute(Result { try AttributeParser(attribute) }, isMutual: attribute.isMutual)
            }
            + references.map(ImportColumn.references) + [.entity, .tenant]
        let names = attributes.map(\.name) + references.map(\.name)
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var special = ["entity": names.count].filter { places[$0.key] == nil }
        if store.model.hasTenants { special["_tenant"] = names.count + 1 }
        self.places = places
        self.special = special
        // The output of “store show” and “store export” includes the number that an object had, and what the store derives.
        ignored = Set(attributes.filter { $0.description.derivation != nil }.map(\.name) + ["_id"])
    }

    /// Returns a reader of JSON objects, whose members name their columns.
    ///
    /// - Parameter source: The bytes.
    /// - Returns: The reader.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` if reading fails.
    func reader(ofJSON source: ByteSource) throws(CommandError) -> JSONLineReader {
        try JSONLineReader(source, entity, columns: places, special: special, ignored: ignored)
    }

    /// Returns the positions of the columns that the first record of a CSV file names.
    ///
    /// - Parameter header: The fields of the record.
    /// - Returns: The positions, which are nil for columns to skip.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a name is missing, unknown, or repeated.
    func positions(ofHeader header: [String?]) throws -> [Int?] {
        let names = header.map { $0.flatMap { ignored.contains($0) ? "-" : $0 } ?? "" }
        return try positions(of: names, in: places.merging(special) { place, _ in place })
    }

    /// Returns the positions of the columns that the user names.
    ///
    /// - Parameter names: The names, which are `-` for columns to skip.
    /// - Returns: The positions, which are nil for columns to skip.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a name is missing, unknown, or repeated.
    func positions(of names: [String]) throws -> [Int?] {
        try positions(of: names, in: places)
    }

    private func positions(of names: [String], in places: [String: Int]) throws -> [Int?] {
        var seen: Set<String> = []
        return try names.map { name in
            guard name != "-" else { return nil }
            guard !name.isEmpty else { throw CommandError(.usage, "a column has no name; use “-” to skip a column") }
            guard seen.insert(name).inserted else { throw CommandError(.usage, "the column “\(name)” appears twice") }
            return try places[name] ?? places[store.storedProperty(name, of: entity).name]
        }
    }
}
