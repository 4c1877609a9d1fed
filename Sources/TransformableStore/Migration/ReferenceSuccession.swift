/// Determines which references of a file continue in a newer model, and where.
///
/// Objects keep their numbers, so references only move between columns and tables of pairs, and follow the names of
/// entities and relationships.
struct ReferenceSuccession {
    /// References of the file, in the direction of a link or in the opposite direction.
    struct Source: Hashable {
        let link: Int
        let isFlipped: Bool
    }

    /// A relationship of an entity.
    fileprivate struct End: Hashable {
        let relationship: String
        let entity: String
    }

    /// A relationship of an entity to the objects of another one.
    fileprivate struct Direction: Hashable {
        let relationship: String
        let entity: String
        let other: String
    }

    let succession: Succession
    let old: [ReferenceLink]
    let new: [ReferenceLink]
    /// The sources of the references of each new link.
    let sources: [[Source]]
    /// The new links that cannot hold all references of the file.
    var crowded: Set<Int> = [] {
        didSet { moved = findMoved() }
    }
    /// The links of the file that are not kept in place.
    private(set) var moved: Set<Int> = []
    // The links of the file of a relationship, in either direction.
    private let oldLinks: [End: [Source]]
    // The new links with a relationship on their first side, and those with a relationship on their second side.
    private let groups: [End: [Int]]
    private let inverseGroups: [End: [Int]]
    // What the new links serve, in either direction.
    private let served: Set<Direction>
    // The links of the file whose references continue in a new one.
    private let carried: Set<Int>

    init(_ succession: Succession) {
        self.succession = succession
        let old = RelationshipPlan(model: succession.old).links
        let new = RelationshipPlan(model: succession.model).links
        self.old = old
        self.new = new
        let known = Self.links(old, by: \.direction, inverse: \.inverseDirection)
        sources = new.map { Self.sources(of: $0, among: old, known, by: succession) }
        carried = Set(sources.joined().map(\.link))
        groups = Dictionary(grouping: new.indices) { new[$0].end }
        let inverses = new.indices.compactMap { index in new[index].inverseEnd.map { (index, $0) } }
        inverseGroups = Dictionary(grouping: inverses, by: \.1).mapValues { $0.map(\.0) }
        served = Set(new.flatMap { [$0.direction, $0.inverseDirection].compactMap(\.self) })
        oldLinks = Self.links(old, by: \.end, inverse: \.inverseEnd)
        moved = findMoved()
    }

    /// Returns the links that serve a relationship, and in which direction.
    private static func links<Key: Hashable>(
        _ links: [ReferenceLink],
        by key: (ReferenceLink) -> Key,
        inverse: (ReferenceLink) -> Key?
    ) -> [Key: [Source]] {
        var found: [Key: [Source]] = [:]
        for (index, link) in links.enumerated() {
            found[key(link), default: []].append(Source(link: index, isFlipped: false))
            // A relationship that is its own inverse has each pair twice.
            guard !link.isOwnInverse, let back = inverse(link) else { continue }
            found[back, default: []].append(Source(link: index, isFlipped: true))
        }
        return found
    }

    private static func sources(
        of link: ReferenceLink,
        among old: [ReferenceLink],
        _ known: [Direction: [Source]],
        by succession: Succession
    ) -> [Source] {
        guard let first = succession.oldName(ofEntity: link.first),
            let second = succession.oldName(ofEntity: link.second)
        else { return [] }
        var found: [Source] = []
        func add(_ relationship: String?, _ entity: String, _ other: String, against: Bool) {
            guard let relationship else { return }
            for match in known[Direction(relationship: relationship, entity: entity, other: other)] ?? [] {
                let source = Source(link: match.link, isFlipped: match.isFlipped != against)
                if !found.contains(source) { found.append(source) }
            }
        }
        add(succession.oldName(ofRelationship: link.relationship.name, in: link.first), first, second, against: false)
        guard let inverse = link.inverse, !link.isOwnInverse || !found.contains(where: { old[$0.link].isOwnInverse })
        else { return found }
        add(succession.oldName(ofRelationship: inverse.name, in: link.second), second, first, against: true)
        return found
    }
}

extension ReferenceLink {
    fileprivate var end: ReferenceSuccession.End {
        .init(relationship: relationship.name, entity: first)
    }

    fileprivate var inverseEnd: ReferenceSuccession.End? {
        inverse.map { .init(relationship: $0.name, entity: second) }
    }

    fileprivate var direction: ReferenceSuccession.Direction {
        .init(relationship: relationship.name, entity: first, other: second)
    }

    fileprivate var inverseDirection: ReferenceSuccession.Direction? {
        inverse.map { .init(relationship: $0.name, entity: second, other: first) }
    }
}

// MARK: - References that stay in place

extension ReferenceSuccession {
    /// Returns the new links of a relationship of an entity that is on their first side.
    func group(of relationship: String, in entity: String) -> [Int] {
        groups[End(relationship: relationship, entity: entity)] ?? []
    }

    /// Returns the new links of a relationship of an entity that is on their second side.
    func inverseGroup(of relationship: String, in entity: String) -> [Int] {
        inverseGroups[End(relationship: relationship, entity: entity)] ?? []
    }

    /// Returns a Boolean value that indicates whether references of a relationship can lead from an entity to another one
    /// in the new model.
    func isServed(_ relationship: String, of entity: String, to other: String) -> Bool {
        served.contains(Direction(relationship: relationship, entity: entity, other: other))
    }

    /// Returns a Boolean value that indicates whether the cells of a new link are those of a column of the file.
    private func isColumnKept(_ index: Int) -> Bool {
        guard sources[index].count == 1, let source = sources[index].first, !source.isFlipped else {
            return sources[index].isEmpty
        }
        return old[source.link].isColumn && !crowded.contains(index)
            && !(new[index].isOwnInverse && !old[source.link].isOwnInverse)
    }

    /// Returns a Boolean value that indicates whether the references of a new link need not be collected, because they
    /// stay in place or because there are none.
    func isKept(_ index: Int) -> Bool {
        guard new[index].isColumn else { return sources[index].isEmpty || isTableKept(index) }
        return group(of: new[index].relationship.name, in: new[index].first).allSatisfy(isColumnKept)
    }

    /// Returns a Boolean value that indicates whether a table of pairs is left unchanged.
    func isTableKept(_ index: Int) -> Bool {
        guard sources[index].count == 1, let source = sources[index].first, !source.isFlipped else { return false }
        let (new, old) = (new[index], old[source.link])
        return !new.isColumn && new.place == old.place && new.first == old.first && new.second == old.second
            && new.isOwnInverse == old.isOwnInverse
    }

    /// Returns the file's column whose cells a reference column keeps, by the destination entity.
    func keptColumn(_ index: Int) -> String? {
        guard isKept(index), let source = sources[index].first, case .column(let name, _) = old[source.link].place
        else {
            return nil
        }
        return name
    }

    private func findMoved() -> Set<Int> {
        let kept = Set(new.indices.filter(isKept).flatMap { sources[$0].map(\.link) })
        return Set(old.indices).subtracting(kept)
    }

    /// Returns the links of the file that belong to a relationship of an entity, and their directions.
    func oldLinks(of relationship: String, in entity: String) -> [Source] {
        oldLinks[End(relationship: relationship, entity: entity)] ?? []
    }

    /// Returns a Boolean value that indicates whether all references of a file's link continue in the new model, except
    /// for those that it cannot hold.
    func isCarried(_ link: Int) -> Bool {
        carried.contains(link)
    }

    /// Returns a Boolean value that indicates whether the relationship of a file's link still exists where its
    /// references are stored, whatever it leads to.
    func livesOn(_ link: Int) -> Bool {
        guard let owner = succession.heir(ofEntity: old[link].first) else { return false }
        return succession.newName(ofRelationship: old[link].relationship.name, in: owner) != nil
    }

    // MARK: - Selecting

    /// Returns a statement that selects the references of a new link from the tables of the file.
    func selection(_ index: Int) -> String {
        let parts = sources[index].map { $0.isFlipped ? old[$0.link].flippedSelection : old[$0.link].selection }
        guard parts.count > 1 else {
            return parts.first ?? """
                SELECT \(ReferenceLink.none) AS "first", \(ReferenceLink.none) AS "second", \
                \(ReferenceLink.none) AS "first_order", \(ReferenceLink.none) AS "second_order" WHERE 1 = 0
                """
        }
        return """
            SELECT "first", "second", max("first_order") AS "first_order", max("second_order") AS "second_order" \
            FROM (\(parts.joined(separator: " UNION ALL "))) AS "parts" GROUP BY "first", "second"
            """
    }

    /// Returns a statement that selects the references of several new links, each with the link's index as `part`.
    func selection(_ indexes: [Int]) -> String {
        indexes.map { "SELECT \($0) AS \"part\", \"first\", \"second\" FROM (\(selection($0))) AS \"references\"" }
            .joined(separator: " UNION ALL ")
    }
}
