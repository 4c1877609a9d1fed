/// Rows that a context has read before they were asked for.
///
/// On a server, each statement costs a round trip. When an object needs rows of its own, those of other objects of the
/// context are therefore read along with them, more of them each time. Only the latest rows are kept.
final class ReadAhead {
    /// The largest number of objects that one statement reads for.
    private static let mostObjects = 256
    /// How much more objects each statement reads for than the one before.
    private static let growth = 4
    // The living objects are looked through again after this share of their number of requests.
    private static let share = 16

    /// The objects for which something has not been read.
    private struct Queue {
        var size = 1
        // The next one is the last.
        var numbers: [Int64] = []
        var scanned = 0
        var requests = 0
    }

    private struct RowKey: Hashable {
        let entity: Int
        let number: Int64
    }

    private struct ListKey: Hashable {
        // The statement that reads the rows for one object.
        let sql: String
        let number: Int64
    }

    // Keyed by the name of what is read.
    private var queues: [String: Queue] = [:]
    private var rows = LatestValues<RowKey, (row: PackedRow, version: Int64)>(2048)
    private var lists = LatestValues<ListKey, [PackedRow]>(512)
    // The objects in lists whose rows have not been read, by the positions of their entities.
    private var members: [Int: Set<Int64>] = [:]

    /// Returns the objects to read for.
    ///
    /// - Parameters:
    ///   - what: What is read.
    ///   - number: The object that needs it.
    ///   - isNeeded: Returns whether an object may still need it.
    ///   - candidates: Returns the objects that may need it, and the number of objects that were looked at.
    /// - Returns: The numbers of objects, the given one first.
    func numbers(
        for what: String,
        _ number: Int64,
        isNeeded: (Int64) -> Bool,
        _ candidates: () -> (numbers: Set<Int64>, scanned: Int)
    ) -> [Int64] {
        var queue = queues[what] ?? Queue()
        defer { queues[what] = queue }
        queue.requests += 1
        let size = queue.size
        queue.size = min(size * Self.growth, Self.mostObjects)
        guard size > 1 else { return [number] }
        if queue.numbers.isEmpty, queue.requests * Self.share >= queue.scanned {
            let found = candidates()
            queue.numbers = found.numbers.sorted(by: >)
            queue.scanned = found.scanned
            queue.requests = 0
        }
        var numbers = [number]
        while numbers.count < size, let next = queue.numbers.popLast() {
            if next != number, isNeeded(next) { numbers.append(next) }
        }
        return numbers
    }

    /// Records that something was found without a statement.
    func note(_ what: String) {
        queues[what]?.requests += 1
    }

    // MARK: Rows of objects

    func row(_ entity: StoredEntity, _ number: Int64) -> (row: PackedRow, version: Int64)? {
        rows[RowKey(entity: entity.index, number: number)]
    }

    func keep(_ row: PackedRow, _ version: Int64, _ entity: StoredEntity, _ number: Int64) {
        rows[RowKey(entity: entity.index, number: number)] = (row, version)
    }

    // MARK: Rows that refer to objects

    func list(_ sql: String, _ number: Int64) -> [PackedRow]? {
        lists[ListKey(sql: sql, number: number)]
    }

    func keep(_ list: [PackedRow], _ sql: String, _ number: Int64, of entity: StoredEntity) {
        lists[ListKey(sql: sql, number: number)] = list
        members[entity.index, default: []].formUnion(list.lazy.map { $0.integer(0) })
    }

    /// Returns the objects in lists, and forgets them.
    func takeMembers(_ entity: StoredEntity) -> Set<Int64> {
        members.removeValue(forKey: entity.index) ?? []
    }
}

/// Keeps only the latest values.
private struct LatestValues<Key: Hashable, Value> {
    // The number of values after which those before the last as many are dropped.
    private let limit: Int
    private var latest: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(_ limit: Int) {
        self.limit = limit
    }

    subscript(key: Key) -> Value? {
        get { latest[key] ?? older[key] }
        set {
            latest[key] = newValue
            guard latest.count >= limit else { return }
            older = latest
            latest = [:]
        }
    }
}

@available(*, unavailable)
extension ReadAhead: Sendable {}

// MARK: - Reading

extension StoreContext {
    /// Reads the row of an object, and those of other objects that have not been read.
    func rowAhead(_ ahead: ReadAhead, _ entity: StoredEntity, _ number: Int64) throws
        -> (row: PackedRow, version: Int64)?
    {
        let what = "row \(entity.index)"
        if let found = ahead.row(entity, number) {
            ahead.note(what)
            return found
        }
        let numbers = ahead.numbers(for: what, number) { [identities] in
            identities[entity, $0].map { $0.isFault && $0.state == .stored } != false && ahead.row(entity, $0) == nil
        } _: {
            let living = identities.living(entity)
            let faults = living.filter { $0.isFault && $0.state == .stored }.map(\.number)
            let members = ahead.takeMembers(entity)
            return (members.union(faults), living.count + members.count)
        }
        guard numbers.count > 1 else { return nil }
        try read(numbers, of: entity, ahead)
        return ahead.row(entity, number)
    }

    /// Reads the rows of the objects that references lead to, if one of them is about to be followed.
    func readAhead(
        following attribute: StoredAttribute,
        of source: StoredEntity,
        to entity: StoredEntity,
        _ number: Int64
    ) throws {
        guard let ahead, let cell = attribute.cell else { return }
        let what = "reference \(attribute.id)"
        func isNeeded(_ number: Int64) -> Bool {
            identities[entity, number].map { $0.isFault && $0.state == .stored } != false
                && ahead.row(entity, number) == nil
        }
        guard isNeeded(number) else { return ahead.note(what) }
        let numbers = ahead.numbers(for: what, number, isNeeded: isNeeded) {
            let living = identities.living(source)
            let rows = living.filter { !$0.isFault && $0.state == .stored }.map(\.row)
            let found = rows.compactMap { $0.kind(cell) == .integer ? $0.integer(cell) : nil }
            return (Set(found.filter(isNeeded)), living.count)
        }
        if numbers.count > 1 { try read(numbers, of: entity, ahead) }
    }

    private func read(_ numbers: [Int64], of entity: StoredEntity, _ ahead: ReadAhead) throws {
        let numbers = Self.padded(numbers)
        try connected { connection in
            let statement = try connection.statement(entity.statements.selectMany(numbers.count), cached: false)
            try statement.bind(numbers.map(ColumnValue.integer))
            defer { statement.reset() }
            while try statement.step() {
                let row = statement.packedRow(from: 2, count: entity.columns.count)
                ahead.keep(row, statement.integer(1), entity, statement.integer(0))
            }
        }
    }

    /// Returns the rows of another table that refer to an object, and reads those that refer to other objects.
    ///
    /// - Parameters:
    ///   - columns: The columns to read, the first of which is the number of an object.
    ///   - table: The table.
    ///   - column: The column that refers to the object.
    ///   - entity: The entity of the objects in the first column.
    ///   - object: The object.
    ///   - relationship: The object's relationship that the rows belong to, or `nil` to read for this object only.
    /// - Returns: The rows, whose first cells are the columns.
    /// - Throws: `StoreError` if the rows cannot be read.
    func referringRows(
        _ columns: [String],
        in table: String,
        by column: String,
        of entity: StoredEntity,
        to object: ManagedObject,
        _ relationship: StoredRelationship?
    ) throws -> [PackedRow] {
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(column) = ?"
        if let numbers = referrers?.numbers[object.entity.index], numbers.contains(object.number) {
            let known = try referrers?.lists[sql] ?? lists(columns, in: table, by: column, to: Array(numbers))
            referrers?.lists[sql] = known
            return known[object.number] ?? []
        }
        guard let ahead, let relationship, relationship.description.isToMany else {
            let isCascade = relationship?.description.deleteRule == .cascade
            return try referringRows(columns, in: table, by: column, to: object, deleting: isCascade ? entity : nil)
        }
        if let list = ahead.list(sql, object.number) {
            ahead.note(sql)
            return list
        }
        let numbers = ahead.numbers(for: sql, object.number) {
            ahead.list(sql, $0) == nil
        } _: {
            let living = identities.living(object.entity)
            let others = living.filter { $0.state == .stored && $0.keptList(relationship) == nil }
            return (Set(others.map(\.number)), living.count)
        }
        guard numbers.count > 1 else { return try rows(sql, [.integer(object.number)], count: columns.count) }
        let lists = try lists(columns, in: table, by: column, to: numbers)
        for number in numbers { ahead.keep(lists[number] ?? [], sql, number, of: entity) }
        return lists[object.number] ?? []
    }

    /// Returns the rows of another table that refer to an object, and reads those that refer to others if delete rules are
    /// being applied to the object.
    ///
    /// If the objects of an entity that the rows name first are deleted along with it, these are read as well.
    func referringRows(
        _ columns: [String],
        in table: String,
        by column: String,
        to object: ManagedObject,
        deleting entity: StoredEntity? = nil
    ) throws -> [PackedRow] {
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(column) = ?"
        func own() throws -> [PackedRow] { try rows(sql, [.integer(object.number)], count: columns.count) }
        let doomed = try links.doomed?
            .rows(sql, to: object) { numbers in
                guard numbers.count > 1 else { return [object.number: try own()] }
                let lists = try lists(columns, in: table, by: column, to: numbers)
                if let entity { try readMembers(of: lists, entity) }
                return lists
            }
        return try doomed ?? own()
    }

    /// Reads the objects that are deleted along with several others, unless there are many or hooks notice it.
    private func readMembers(of lists: [Int64: [PackedRow]], _ entity: StoredEntity) throws {
        let numbers = Set(lists.values.joined().map { $0.integer(0) })
        guard numbers.count <= DoomedRows.window, store.hooks.isEmpty, !entity.tellsOfFetches else { return }
        let members = numbers.sorted().map { fault(entity, $0) }
        try prefetch(members)
        links.doomed?.keep(members)
    }

    /// Returns the rows that refer to each of several objects.
    private func lists(
        _ columns: [String],
        in table: String,
        by column: String,
        to numbers: [Int64]
    ) throws -> [Int64: [PackedRow]] {
        let values = Self.padded(numbers)
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let list = (columns + [column]).joined(separator: ", ")
        let sql = "SELECT \(list) FROM \(table) WHERE \(column) IN (\(marks))"
        let rows = try rows(sql, values.map(ColumnValue.integer), count: columns.count + 1)
        return Dictionary(grouping: rows) { $0.integer(columns.count) }
    }

    /// Repeats the last number, so that there are few different statements, each of which a server has to describe.
    static func padded(_ numbers: [Int64]) -> [Int64] {
        guard let last = numbers.last else { return [] }
        var size = 1
        while size < numbers.count { size *= 2 }
        return numbers + Array(repeating: last, count: size - numbers.count)
    }
}
