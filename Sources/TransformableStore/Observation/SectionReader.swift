/// A fetch to keep up to date, and the attribute that determines its sections.
struct SectionFetch: Sendable {
    let entity: String
    let condition: Condition
    let order: [SortKey]
    let attribute: String?
}

/// Runs a fetch in one snapshot and groups its objects into sections.
struct SectionReader {
    private let fetch: SectionFetch
    private let context: StoreContext
    private var sources: [Int: ValueRow.Source] = [:]
    private var tokens: SectionTokens
    private var sections: [SectionList.Section] = []
    private var places: [Int: Int] = [:]
    private var versions: [ObjectID: Int64] = [:]

    /// The list, and whether objects of other entities affect its content.
    typealias Result = (list: SectionList, reachesOthers: Bool)

    private init(_ fetch: SectionFetch, after previous: SectionList?, in context: StoreContext) throws {
        self.fetch = fetch
        self.context = context
        tokens = SectionTokens(after: previous?.sections ?? [])
        guard let attribute = fetch.attribute else {
            sections = [SectionList.Section(token: 0, row: nil)]
            return
        }
        for entity in try context.schema.family(fetch.entity) {
            sources[entity.index] = try ValueRow.Source(attribute, of: entity, in: context)
        }
    }

    /// Reads the list, without its changes.
    static func read(
        _ fetch: SectionFetch,
        after previous: SectionList?,
        in context: StoreContext
    ) throws -> Result {
        let family = try context.bind(fetch.entity, fetch.condition, fetch.order, nil, 0)
        var reader = try Self(fetch, after: previous, in: context)
        try reader.read(family)
        return (SectionList(reader.sections, versions: reader.versions), family.contains(where: \.involvesOthers))
    }

    private mutating func read(_ family: [BoundFetch]) throws {
        let names = ["_version"] + [fetch.attribute].compactMap(\.self)
        // The names of sections are shown without fetching their objects, although a fetch would check them.
        let check = fetch.attribute == nil ? nil : context.rowCheck(of: family, besides: ["_id"] + names)
        try FetchReader(family)
            .forEach(selecting: names.map(SQL.quoted), checking: check, on: context.database()) { found in
                let entity = context.schema.entities[found.place]
                let id = ObjectID(entity: entity.name, number: found.number)
                versions[id] = found.cells.integer(0)
                let place = try fetch.attribute.map { name in
                    let row = PackedRow(single: found.cells.value(1))
                    return try section(of: row, id, name, sources[entity.index] ?? .computed)
                }
                sections[place ?? 0].ids.append(id)
            }
    }

    /// Returns the index of the section for an object with the given cell.
    private mutating func section(
        of cell: PackedRow,
        _ id: ObjectID,
        _ name: String,
        _ source: ValueRow.Source
    ) throws -> Int {
        let row = ValueRow(id: id, names: [name], sources: [source], row: cell)
        let (token, failure) = try tokens.token(of: row, cell, source)
        if let failure { context.record(failure) }
        if let place = places[token] { return place }
        places[token] = sections.count
        sections.append(SectionList.Section(token: token, row: row))
        return sections.count - 1
    }
}
