internal import Transformable

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
        let names = ["_version"] + [fetch.attribute?.composed].compactMap(\.self)
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

/// Assigns numbers to the values of an attribute.
///
/// Equal values have the same number, in this list and in later ones.
private struct SectionTokens {
    /// Represents all cells that cannot be decoded.
    private struct Undecodable: Hashable {}

    private enum Key: Hashable {
        case cell(PackedRow)
        case value(AnyHashable)
    }

    private var numbers: [Key: Int] = [:]
    private var next: Int

    /// Creates tokens that include the values of previous sections, taken from their first cells.
    init(after sections: [SectionList.Section]) {
        next = (sections.map(\.token).max() ?? 0) + 1
        for section in sections {
            guard let row = section.row else { continue }
            // A value that can no longer be read belongs to a different section now.
            guard let key = try? key(of: row, row.row, row.sources[0]).key else { continue }
            numbers[key] = section.token
        }
    }

    /// Returns the number of a value, and the reason why it cannot be decoded, if any.
    mutating func token(
        of row: ValueRow,
        _ cell: PackedRow,
        _ source: ValueRow.Source
    ) throws -> (token: Int, failure: StoreError?) {
        let isKnownByBytes = source.isSettledByBytes
        if isKnownByBytes, let token = numbers[.cell(cell)] { return (token, nil) }
        let (key, failure) = try key(of: row, cell, source)
        let token = numbers[key] ?? next
        if token == next { next += 1 }
        numbers[key] = token
        if isKnownByBytes, failure == nil { numbers[.cell(cell)] = token }
        return (token, failure)
    }

    private func key(
        of row: ValueRow,
        _ cell: PackedRow,
        _ source: ValueRow.Source
    ) throws -> (key: Key, failure: StoreError?) {
        guard case .attribute(let attribute, _) = source, attribute.transformer != nil, !cell.isNull(0) else {
            return switch cell.value(0) {
            // Other programs can write decimal numbers with zeros at the end, and UUIDs in lowercase.
            case .text where source.type == .decimal: (.value(AnyHashable(DecimalOrder.key(cell.value(0)))), nil)
            case .text(let text) where source.type == .uuid: (.value(AnyHashable(text.uppercased())), nil)
            case .text(let text): (.value(AnyHashable(text)), nil)
            // Other programs can write -0 to PostgreSQL, which equals 0.
            case .real(0): (.cell(PackedRow(single: .real(0))), nil)
            default: (.cell(cell), nil)
            }
        }
        do {
            let value = try row.value(row.names[0], as: Any?.self)
            return (try Self.key(of: value, cell, attribute), nil)
        } catch let failure as StoreError where failure.code == .undecodable {
            return (.value(AnyHashable(Undecodable())), failure)
        }
    }

    /// Returns the key of a decoded value, which several cells may have.
    private static func key(of value: Any?, _ cell: PackedRow, _ attribute: StoredAttribute) throws(StoreError) -> Key {
        if let value = value as? any Hashable {
            let key = AnyHashable(value)
            // A value that is not equal to itself, such as NaN, is identified by its bytes.
            return key == key ? .value(key) : .cell(cell)
        }
        guard attribute.transformer?.traits.contains(.deterministic) == true else {
            throw StoreError(
                .unsupported,
                "it cannot determine sections, because its bytes differ each time and its values are not Hashable",
                entity: attribute.entity,
                attribute: attribute.name
            )
        }
        return .cell(cell)
    }
}

extension ValueRow.Source {
    /// The type of the attribute, or `nil` for a projection.
    fileprivate var type: AttributeType? {
        if case .attribute(let attribute, _) = self { attribute.description.type } else { nil }
    }

    /// Whether two cells with the same bytes have the same value, regardless of their rows.
    fileprivate var isSettledByBytes: Bool {
        guard case .attribute(let attribute, _) = self, let traits = attribute.transformer?.traits else { return true }
        return traits.contains(.deterministic) && !traits.contains(.contextual)
    }
}
