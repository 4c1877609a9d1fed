/// A row with a new unique text that can also be written with other scalars.
///
/// SQLite compares bytes, so its indexes do not notice text that is equal in Swift.
struct RewritableText {
    let entity: StoredEntity
    let number: Int64
}

extension StoreContext {
    /// Records a cell of a row that is written, if it is unique text that can be written in other ways.
    ///
    /// - Parameters:
    ///   - cell: The cell.
    ///   - place: Its position in a new row, after the number and the version.
    ///   - entity: The row's entity.
    ///   - number: The row's number.
    func noteText(_ cell: ColumnValue, in place: Int, of entity: StoredEntity, _ number: Int64) {
        guard entity.uniqueText.isIncluded[place], case .text(let text) = cell, !text.hasOneForm else { return }
        saving.record.note(RewritableText(entity: entity, number: number))
    }

    /// Records the cells of a row that are written to some columns.
    func noteTexts(_ cells: [ColumnValue], in columns: [String], of entity: StoredEntity, _ number: Int64) {
        for (column, cell) in zip(columns, cells) {
            guard let place = entity.insertedColumns.firstIndex(of: column) else { continue }
            noteText(cell, in: place, of: entity, number)
        }
    }

    /// Records an object whose row is written, if it belongs to a unique group with text that can be written in other ways
    /// and stays as it is, while another column of the group changes.
    func noteUnchangedText(_ object: ManagedObject, beside columns: [String]) {
        let entity = object.entity
        for group in entity.uniqueText.groups where !group.isDisjoint(with: columns) {
            let hasOneForm = group.intersection(entity.indexedText).subtracting(columns)
                .allSatisfy { name in
                    guard !object.isFault, let cell = entity.attributeIfAny(name)?.cell else { return false }
                    guard case .text(let text) = object.row.value(cell) else { return true }
                    return text.hasOneForm
                }
            if !hasOneForm { return saving.record.note(RewritableText(entity: entity, number: object.number)) }
        }
    }

    /// Searches for rows with text that is equal to recorded text.
    ///
    /// - Throws: `StoreError` with the code `not-unique`, which names the object that was written last.
    func refuseEqualTexts() throws {
        guard !saving.record.rewritableTexts.isEmpty else { return }
        var indexes: UniqueIndexes?
        let groups = Dictionary(grouping: saving.record.rewritableTexts, by: \.entity.index)
        for (_, texts) in groups.sorted(by: { $0.key < $1.key }) {
            guard try texts.count < 1000 || hasOthers(texts[0].entity) else { continue }
            for text in texts.reversed() {
                // Only what an entity inherits may lack an index, in a store from an earlier version.
                let isChild = text.entity.description.parent != nil
                if isChild, indexes == nil { indexes = try UniqueIndexes(on: database()) }
                for columns in text.entity.uniqueLists
                where !isChild || indexes?.contains(columns, of: text.entity.name) == true {
                    try refuseEqual(columns, to: text)
                }
            }
        }
        saving.record.forgetTexts()
    }

    /// Returns a Boolean value that indicates whether there is text that is not in composed form.
    ///
    /// SQLite compares all other text as Swift does.
    private func hasOthers(_ entity: StoredEntity) throws -> Bool {
        try zip(entity.insertedColumns, entity.uniqueText.isIncluded)
            .contains { try $1 && TextColumn.hasOthers($0, of: entity, on: database()) }
    }

    private func refuseEqual(_ columns: [String], to text: RewritableText) throws {
        let table = text.entity.table
        let names = columns.map(SQL.quoted).joined(separator: ", ")
        let own = "SELECT \(names) FROM \(table) WHERE \"_id\" = ?"
        guard let row = try rows(own, [.integer(text.number)], count: columns.count).first else { return }
        let cells = columns.indices.map(row.value)
        // A group without a value in one of its columns is not equal to any other.
        guard !cells.contains(.null) else { return }
        let tests = zip(columns, cells).map { equal($0, $1, in: text.entity) }
        guard try isFound(.all(tests), except: text) else { return }
        throw StoreError(
            .notUnique,
            "another object has the same \(columns.joined(separator: " and ")), written with other Unicode scalars",
            entity: text.entity.name,
            attribute: columns.first,
            object: ObjectID(entity: text.entity.name, number: text.number)
        )
    }

    /// Returns a Boolean value that indicates whether a row other than the one with the given text passes a test.
    private func isFound(_ test: Criterion, except text: RewritableText) throws -> Bool {
        var columns = ExpressionColumns()
        let check = columns.evaluator(of: test.check ?? .constant(.integer(1)))
        let statement = try database()
            .statement(
                """
                SELECT \(columns.selection) FROM \(raw: text.entity.table) \
                WHERE \(test.filter) AND "_id" <> \(.integer(text.number))
                """
            )
        defer { statement.reset() }
        while try statement.step() {
            if try check(statement.packedRow(from: 0, count: columns.list.count)).isTrue { return true }
        }
        return false
    }

    /// Tests whether a column is equal to a cell, as Swift compares text.
    private func equal(_ column: String, _ cell: ColumnValue, in entity: StoredEntity) -> Criterion {
        let sql = Scope(entity).column(column)
        guard case .text(let text) = cell else { return Criterion("\(sql) = \(cell)") }
        return PlainComparison.equal(sql, text, store.engine.dialect).holds
    }
}
