/// An entity of an open store, with the statements that read and write its table.
final class StoredEntity: Sendable {
    let description: EntityDescription
    /// The entity's number in its store, which is never reused.
    let id: UInt32
    /// The entity's position in the store.
    let index: Int
    /// All attributes, inherited ones first.
    let attributes: [StoredAttribute]
    /// The attributes that have a column, in the order of a fetched row.
    let columns: [StoredAttribute]
    /// The attributes that are kept only in memory.
    let transients: [StoredAttribute]
    /// The attributes that have projections.
    let projected: [StoredAttribute]
    /// The attributes that have a value in a new object.
    let defaults: [StoredAttribute]
    /// The attributes whose cells are computed from the rest of the object when it is written.
    let derived: [StoredAttribute]
    /// The attributes that other threads may encode before the row of a new object is written.
    let encodedAhead: [StoredAttribute]
    /// The attributes that are decoded when an object is fetched.
    let eager: [StoredAttribute]
    let relationships: [StoredRelationship]
    /// The columns of references to objects.
    let references: [StoredAttribute]
    /// Whether the attribute at each position is a column of references or of positions.
    let isLink: [Bool]
    /// Columns that are computed from several attributes.
    let compounds: [StoredCompound]
    /// The relationships whose references are stored in several columns of the entity's table.
    let familyReferences: [StoredRelationship]
    /// Whether the objects that represent its objects are notified of fetches.
    let tellsOfFetches: Bool
    /// Whether the number of objects in any of its relationships is limited.
    let hasLimits: Bool
    /// Whether any of its values may be stored externally.
    let storesBlobs: Bool
    /// Whether it has composites.
    let hasComposites: Bool
    /// The columns of text that are indexed.
    let indexedText: Set<String>
    /// The columns whose values must be unique, alone or along with others.
    private let uniqueColumns: Set<String>
    /// The lists of columns whose combined values must be unique.
    let uniqueLists: [[String]]
    /// Those of them that are unique groups, inherited ones first.
    let uniqueGroups: [[String]]
    /// The columns of a new row after its number and version.
    let insertedColumns: [String]
    /// The number of these columns.
    let insertedCellCount: Int
    let uniqueText: UniqueText
    let composites: [CompositeDescription]
    /// The tags of its rows, or `nil` if there are none or if there is no key to check them with.
    let rowSeal: RowSeal?
    /// The indexes over several columns, or in descending order.
    let indexLists: [[SortKey]]
    /// The relationships that are kept only in memory.
    let transientRelationships: [TransientRelationship]
    private let compositesByName: [String: CompositeDescription]
    private let indexes: NameTable
    private let projections: [String: (attribute: Int, projection: Int)]

    let table: TableName
    let statements: EntityStatements
    /// Whether each object belongs to a tenant.
    let belongsToTenant: Bool
    /// The rows that a context can see, without its pending changes.
    let visible: String

    init(
        _ description: EntityDescription,
        id: UInt32,
        index: Int,
        attributes: [StoredAttribute],
        relationships: [StoredRelationship],
        compounds: [StoredCompound],
        composites: [CompositeDescription],
        uniqueGroups: [[String]],
        indexLists: [[SortKey]],
        transientRelationships: [TransientRelationship],
        readsLengths: Bool,
        rowSeal: RowSeal? = nil,
        belongsToTenant: Bool = false
    ) {
        self.belongsToTenant = belongsToTenant
        self.uniqueGroups = uniqueGroups
        self.indexLists = indexLists
        self.transientRelationships = transientRelationships
        self.rowSeal = rowSeal
        hasComposites = !composites.isEmpty
        self.composites = composites
        compositesByName = Dictionary(composites.map { ($0.name, $0) }) { first, _ in first }
        self.relationships = relationships
        self.compounds = compounds
        let columnsOfReferences = relationships.flatMap(\.columns)
        references = columnsOfReferences.map { attributes[$0] }
        let links = Set(columnsOfReferences + relationships.compactMap(\.position))
        isLink = attributes.indices.map(links.contains)
        familyReferences = relationships.filter { $0.hasColumn && $0.leadsToFamily }
        hasLimits = relationships.contains { RelationshipLimits($0) != nil }
        self.description = description
        tellsOfFetches = description.entityClass?.awake != nil
        self.id = id
        self.index = index
        self.attributes = attributes
        columns = attributes.filter { $0.cell != nil }
        storesBlobs = columns.contains(where: \.isExternal)
        transients = attributes.filter(\.isTransient)
        uniqueLists = columns.filter(\.description.isUnique).map { [$0.name] } + uniqueGroups
        uniqueColumns = Set(uniqueLists.joined())
        indexedText = TextIndex.columns(columns, uniqueGroups, indexLists)
        projected = columns.filter { !$0.projections.isEmpty }
        defaults = attributes.filter { $0.description.defaultValue != nil }
        derived = columns.filter { $0.derivation != nil }
        encodedAhead = columns.filter { $0.isEncodedAhead && $0.derivation == nil }
        eager = columns.filter { $0.description.decoding == .onFetch }
        indexes = NameTable(attributes.map(\.name))
        var projections: [String: (attribute: Int, projection: Int)] = [:]
        for attribute in attributes {
            for (position, projection) in attribute.projections.enumerated() {
                projections[projection.name] = (attribute.index, position)
            }
        }
        self.projections = projections

        table = TableName(description.name)
        visible = TenantColumn.visible(table, belongsToTenant)
        let computed = projected.flatMap(\.projections).map(\.name) + compounds.map(\.name)
        insertedColumns = columns.map(\.name) + computed
        insertedCellCount = insertedColumns.count
        uniqueText = UniqueText(insertedColumns, indexed: indexedText, unique: uniqueLists)
        statements = EntityStatements(
            table,
            columns,
            inserted: insertedColumns,
            readsLengths: readsLengths,
            rowSeal: rowSeal,
            belongsToTenant: belongsToTenant
        )
    }

    var name: String { description.name }

    /// The table for statements that write.
    var written: String { TenantColumn.written(table, belongsToTenant) }

    /// Whether any values must be unique.
    var hasUniqueness: Bool { !uniqueLists.isEmpty }

    /// Returns the attribute with the given name.
    func attribute(_ name: String) throws(StoreError) -> StoredAttribute {
        guard let index = indexes[name] else { throw unknownAttribute(name) }
        return attributes[index]
    }

    /// Returns the error of a name that no attribute has, with advice that begins with a semicolon.
    func unknownAttribute(_ name: String, _ advice: String = "") -> StoreError {
        let names = attributes.filter { !$0.description.isInternal }.map(\.name).joined(separator: ", ")
        let hint = name == "id" ? ", and the object's number is “_id”" : ""
        return StoreError(
            .unknownAttribute,
            "there is no such attribute; the attributes are \(names)\(hint)\(advice)",
            entity: self.name,
            attribute: name
        )
    }

    /// Returns the relationship with the given name.
    func relationship(_ name: String) throws(StoreError) -> StoredRelationship {
        guard let relationship = relationships.first(where: { $0.name == name }) else {
            throw unknownRelationship(name)
        }
        return relationship
    }

    func unknownRelationship(_ name: String) -> StoreError {
        let isInMemory = keepsInMemory(name)
        let reason = "it is kept only in memory, so the database does not know about it"
        let message = isInMemory ? reason : "there is no such relationship"
        return StoreError(isInMemory ? .unsupported : .unknownAttribute, message, entity: self.name, attribute: name)
    }

    /// Whether a relationship is kept only in memory.
    func keepsInMemory(_ name: String) -> Bool {
        transientRelationships.contains { $0.name == name }
    }

    /// Returns a Boolean value that indicates whether the entity has a member with the given name.
    func has(_ name: String) -> Bool {
        indexes[name] != nil || projections[name] != nil || compositesByName[name] != nil
            || relationships.contains { $0.name == name }
    }

    /// Returns the composite with the given name.
    func composite(_ name: String) -> CompositeDescription? {
        compositesByName[name]
    }

    /// Returns the name of the attribute for a composite's part, if a path such as `size.width` leads to one.
    func partName(ofPath path: String) -> String? {
        guard hasComposites, let point = path.firstIndex(of: "."),
            let composite = composite(String(path[..<point]))
        else { return nil }
        return composite.attributeName(String(path[path.index(after: point)...]))
    }

    func attributeIfAny(_ name: String) -> StoredAttribute? {
        indexes[name].map { attributes[$0] }
    }

    /// Returns the projection with the given name, along with its attribute.
    func projection(_ name: String) -> (attribute: StoredAttribute, index: Int)? {
        projections[name].map { (attributes[$0.attribute], $0.projection) }
    }

    /// Returns the compound projections that depend on any of the given attributes.
    func compounds(of changed: [StoredAttribute]) -> [StoredCompound] {
        guard !compounds.isEmpty else { return [] }
        return compounds.filter { compound in changed.contains(where: compound.hasPart) }
    }

    /// Returns the columns that change along with the given attributes.
    func columns(of changed: [StoredAttribute]) -> [String] {
        changed.map(\.name) + changed.flatMap { $0.projections.map(\.name) } + compounds(of: changed).map(\.name)
    }

    /// Returns the columns that change along with the given attributes and must be unique, alone or along with others.
    func uniqueColumns(of changed: [StoredAttribute]) -> [String] {
        columns(of: changed).filter(uniqueColumns.contains)
    }
}

/// The columns of text that must be unique, alone or along with others.
///
/// SQLite compares bytes, so its indexes do not notice text that is equal in Swift.
struct UniqueText: Sendable {
    /// Whether there are no such columns.
    let isEmpty: Bool
    /// Whether each column of a new row, after its number and version, is one of them.
    let isIncluded: [Bool]
    /// The columns of each unique group that includes text.
    let groups: [Set<String>]

    /// - Parameters:
    ///   - columns: The columns of a new row, after its number and version.
    ///   - indexed: The columns of text that are indexed.
    ///   - lists: The lists of columns whose combined values must be unique.
    init(_ columns: [String], indexed: Set<String>, unique lists: [[String]]) {
        let unique = Set(lists.joined())
        isIncluded = columns.map { unique.contains($0) && indexed.contains($0) }
        isEmpty = !isIncluded.contains(true)
        groups = lists.filter { $0.count > 1 && !indexed.isDisjoint(with: $0) }.map(Set.init)
    }
}
