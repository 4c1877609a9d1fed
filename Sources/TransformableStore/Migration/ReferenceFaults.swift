internal import Transformable

/// Counts the references of a file that a newer model cannot hold, and the objects without a reference that it
/// requires.
struct ReferenceFaults {
    /// A relationship of the newer model that cannot hold all references of the file.
    struct Fault {
        let entity: String
        let relationship: String
        let reason: String
        /// The links of the file that lose references, which are empty if references are missing.
        var links: [Int] = []
        /// The new links with more than one reference on a side.
        var crowd: [Int] = []
        /// The side.
        var side = ""

        /// The error, unless a migration step handles the references.
        var error: StoreError {
            let isMissing = links.isEmpty
            let remedy =
                isMissing ? "" : "; remove such references first, or read them in a migration step with “oldObjects”"
            return StoreError(
                isMissing ? .missingValue : .unsupported,
                reason + remedy,
                entity: entity,
                attribute: relationship
            )
        }
    }

    let references: ReferenceSuccession
    let connection: any EngineConnection

    private var succession: Succession { references.succession }

    func find() throws -> [Fault] {
        var faults = try homeless()
        for entity in succession.model.entities where succession.oldName(of: entity) != nil {
            for relationship in succession.model.relationships(of: entity.name) where !relationship.isToMany {
                faults += try [
                    ambiguous(relationship, of: entity.name), missing(relationship, of: entity),
                ]
                .compactMap(\.self)
            }
        }
        return faults
    }

    private func count(_ sql: String) throws -> Int {
        try Int(connection.integer("SELECT count(*) FROM (\(sql)) AS \"rows\""))
    }

    // MARK: - References to other entities

    private func homeless() throws -> [Fault] {
        try references.old.indices.flatMap { index in
            let link = references.old[index]
            let own = try homeless(index, link.relationship, of: link.first, to: link.second)
            guard let inverse = link.inverse, !link.isOwnInverse else { return [own].compactMap(\.self) }
            let back = try homeless(index, inverse, of: link.second, to: link.first)
            return [own, back].compactMap(\.self)
        }
    }

    /// Returns the references of one side whose relationship continues to exist, but leads to other objects.
    private func homeless(
        _ index: Int,
        _ relationship: RelationshipDescription,
        of entity: String,
        to other: String
    ) throws -> Fault? {
        guard let owner = succession.heir(ofEntity: entity),
            let name = succession.newName(ofRelationship: relationship.name, in: owner)
        else { return nil }
        let heir = succession.heir(ofEntity: other)
        guard heir.map({ references.isServed(name, of: owner, to: $0) }) != true else { return nil }
        let count = try count(references.old[index].selection)
        guard count > 0 else { return nil }
        let new = succession.model.relationships(of: owner).first { $0.name == name }
        let reason = """
            it now refers to “\(new?.destination ?? "")”, but the store has \(count.counted("reference")) to “\(other)”
            """
        return Fault(entity: owner, relationship: name, reason: reason, links: [index])
    }

    // MARK: - More than one reference

    /// Returns the links of a relationship, and its side of them.
    private func side(of relationship: RelationshipDescription, in entity: String) -> (links: [Int], column: String) {
        let own = references.group(of: relationship.name, in: entity)
        guard own.isEmpty else { return (own, "first") }
        return (references.inverseGroup(of: relationship.name, in: entity), "second")
    }

    /// Returns a fault if several references would lead away from an object in a to-one relationship.
    private func ambiguous(_ relationship: RelationshipDescription, of entity: String) throws -> Fault? {
        let (links, column) = side(of: relationship, in: entity)
        let all = links.flatMap { references.sources[$0] }
        guard !links.isEmpty, !all.isEmpty, !wasOne(relationship, of: entity) else { return nil }
        let rows = "SELECT DISTINCT \"\(column)\", \"\(column == "first" ? "second" : "first")\", \"part\""
        let pairs = "\(rows) FROM (\(references.selection(links))) AS \"references\""
        let count = try count("SELECT 1 FROM (\(pairs)) AS \"pairs\" GROUP BY \"\(column)\" HAVING count(*) > 1")
        guard count > 0 else { return nil }
        let reason = """
            it is now to-one, but \(count.counted("object")) \(count == 1 ? "refers" : "refer") to several
            """
        return Fault(
            entity: entity,
            relationship: relationship.name,
            reason: reason,
            links: all.map(\.link),
            crowd: links,
            side: column
        )
    }

    /// Returns a Boolean value that indicates whether all references of a relationship come from to-one relationships.
    private func wasOne(_ relationship: RelationshipDescription, of entity: String) -> Bool {
        let (links, column) = side(of: relationship, in: entity)
        let former = Set(
            links.flatMap { references.sources[$0] }
                .map { source -> RelationshipDescription? in
                    let link = references.old[source.link]
                    let isFirst = (column == "first") != source.isFlipped
                    return isFirst ? link.relationship : link.inverse
                }
        )
        guard former.count == 1, let only = former.first else { return false }
        let becomesOwn = relationship.inverse == relationship.name && only?.inverse != only?.name
        return only?.isToMany == false && !becomesOwn
    }

    // MARK: - No reference

    /// Returns a fault if objects would have no reference although the relationship requires one.
    private func missing(_ relationship: RelationshipDescription, of entity: EntityDescription) throws -> Fault? {
        guard !relationship.isOptional, let former = succession.oldName(of: entity) else { return nil }
        guard RelationshipPlan(model: succession.model).hasColumn(relationship, in: entity.name) else { return nil }
        let links = references.group(of: relationship.name, in: entity.name)
        let name = succession.oldName(ofRelationship: relationship.name, in: entity.name)
        let before = succession.old.relationships(of: former).first { $0.name == name }
        if before?.isOptional == false, links.allSatisfy(references.isKept) { return nil }
        // There are no links to an abstract entity without children.
        let all = "SELECT \"first\" FROM (\(references.selection(links))) AS \"references\""
        let led = links.isEmpty ? "SELECT 0 WHERE 1 = 0" : all
        let count = try count("SELECT 1 FROM \(SQL.quoted(former)) WHERE \"_id\" NOT IN (\(led))")
        guard count > 0 else { return nil }
        let isNew = before == nil && links.allSatisfy { references.sources[$0].isEmpty }
        let empty = "\(count.counted("object")) would have no related object"
        let reason = "it is \(isNew ? "new and " : "")not optional, and \(empty); make it optional"
        return Fault(entity: entity.name, relationship: relationship.name, reason: reason)
    }
}
