/// Inserts the references of a many-to-many relationship, which an export has in a file of their own.
struct PairImport {
    private let context: StoreContext
    private let relationship: StoredRelationship
    private let entity: StoredEntity

    init(_ context: StoreContext, _ relationship: StoredRelationship, of entity: StoredEntity) {
        self.context = context
        self.relationship = relationship
        self.entity = entity
    }

    /// Inserts the references of all lines, and returns how many there are.
    func run(_ lines: inout LineReader) throws -> Int {
        var count = 0
        var last: (number: Int64, count: Int64) = (0, 0)
        while let members = try lines.nextMembers() {
            let own = try lines.number(ofObject: members)
            let isNext = own != last.number
            last = (own, isNext ? 1 : last.count + 1)
            let stated = (members["_position"] ?? nil).flatMap { Int64($0) }
            // In a family, lines are in order only among objects of one entity, and say which place they have among all.
            let place = relationship.leadsToFamily ? stated : stated ?? last.count * Position.step
            let position = relationship.description.isOrdered ? place : nil
            if isNext, let tenant = try TenantColumn.tenant(of: own, in: entity, on: context.database()) {
                try context.importNext(of: tenant)
            }
            try insert(own, members[relationship.name] ?? nil, position, lines)
            count += 1
            // A server's answers would wait in memory.
            if count.isMultiple(of: 1000) { try context.database().settle() }
        }
        return count
    }

    private func insert(_ number: Int64, _ text: String?, _ position: Int64?, _ lines: LineReader) throws {
        let target = try lines.members(ArraySlice((text ?? "").utf8))
        let part = (target["entity"] ?? nil).flatMap(relationship.part)
        guard case .pairs(let table, let own)? = part?.storage else {
            throw lines.fault("“\(relationship.name)” cannot refer to this object")
        }
        let values = [number, try lines.number(ofObject: target)] + (position.map { [$0] } ?? [])
        let column = own.positionColumn
        let columns = [own.column, own.opposite.column] + (position == nil ? [] : [column])
        let conflict = position == nil ? "NOTHING" : "UPDATE SET \(column) = excluded.\(column)"
        let isOwned = context.schema.pairTables[table]?.belongsToTenant == true
        let names = (columns + (isOwned ? [TenantColumn.name] : [])).map(\.description)
        let marks = columns.map { _ in "?" } + (isOwned ? [TenantColumn.current] : [])
        let key = TenantColumn.pairKey(isOwned, context.store.engine.dialect)
        let sql = """
            INSERT INTO \(TenantColumn.written(table, isOwned)) (\(names.joined(separator: ", "))) \
            VALUES (\(marks.joined(separator: ", "))) ON CONFLICT (\(key)) DO \(conflict)
            """
        try context.database().change(sql, values.map(ColumnValue.integer)) { _ = try $0.get() }
    }
}
