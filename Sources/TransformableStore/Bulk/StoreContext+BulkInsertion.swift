extension StoreContext {
    /// Inserts an object for each element of a sequence, encoding on all cores while this thread writes.
    ///
    /// ```swift
    /// try store.write { context in
    ///     try context.insert(many: readings, into: "Reading") { reading, element in
    ///         try reading.setValue(element.time, for: "time")
    ///         try reading.setValue(element.wave, for: "wave")
    ///     }
    /// }
    /// ```
    ///
    /// Changes that the block made before are written first, so they must be complete and valid by then.
    ///
    /// The objects are written immediately and belong to no context. `fill` can set the attributes of its object, and
    /// to-one relationships by the number of the related object (`setValue(id.number, for: "patient")`). Defaults and
    /// validation rules apply. Anything that needs the file is an error. The sequence is iterated on this thread. The
    /// hooks that run before a new object is written run on the same threads as `fill`. ``EntityHooks/didSave`` does not
    /// run.
    ///
    /// In a file, memory use does not depend on the length of the sequence. If the sequence is not an array or another
    /// collection whose length is known, neither it nor `progress` can insert objects of the same entity.
    ///
    /// On a server, the numbers of all objects are reserved at once, so the elements of any other sequence are collected
    /// first. A block of `write` may run again there. If the sequence can be iterated only once, collect its elements
    /// outside of the block.
    ///
    /// If an error is thrown, objects of earlier elements may have been written, so let the error end the block.
    ///
    /// In a context for editing, the objects belong to the context. They are filled on this thread, undone together,
    /// and written when the context is saved. If an error is thrown, nothing is inserted.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - entity: The entity's name.
    ///   - progress: A closure that is called on this thread with the number of objects written so far. If it throws an
    ///     error, the insertion ends.
    ///   - fill: Sets the attributes of an element's object. It runs on several threads at the same time.
    /// - Returns: The numbers of the new objects, in the order of the elements.
    /// - Throws: Errors thrown by `fill` and `progress`, and `StoreError` with `StoreError.element` if a value
    ///   cannot be stored or breaks a rule of the model, or with the code `misuse` if other objects of the entity were
    ///   inserted in the meantime.
    @inlinable
    @discardableResult
    public func insert<Elements: Sequence>(
        many elements: Elements,
        into entity: String,
        progress: ((_ count: Int) throws -> Void)? = nil,
        fill: @escaping @Sendable (ManagedObject, Elements.Element) throws -> Void
    ) throws -> Range<Int64> where Elements.Element: Sendable {
        try insert(many: BulkElements(elements), into: entity, progress: progress, BulkFilling(fill))
    }

    /// Does the same for objects that are filled in any way.
    @usableFromInline
    package func insert<Element: Sendable>(
        many elements: BulkElements<Element>,
        into entity: String,
        progress: ((_ count: Int) throws -> Void)?,
        _ filling: BulkFilling<Element>
    ) throws -> Range<Int64> {
        try requireWritable()
        guard !isEditing else {
            return try insertPending(elements.rest(), schema.entity(entity), progress, filling)
        }
        // Pending changes are written first, as if the objects were inserted one by one.
        try saveUncounted()
        dropLists()
        links.forgetPositions()
        let entity = try schema.entity(entity)
        try requireOwn(entity)
        var encoder = BulkEncoder(store: store, scope: scope, entity: entity, filling: filling)
        let table = RowTable(of: entity, on: connection)
        if let table { encoder.packaging = try packaging(for: table, entity) }
        var source = BulkSource(elements)
        // If others take numbers at the same time, consecutive numbers must be reserved at once. If they can be, the
        // caller may insert objects of the entity in the meantime.
        let isAlone = store.engine.dialect.has(.exclusiveWriter)
        if !isAlone || elements.count != nil {
            try source.reserve { try connection.nextNumbers(isAlone ? $0 : max(1, $0), of: entity) }
        }
        let last = try source.reserved.map { $0.lowerBound - 1 } ?? connection.lastNumber(of: entity)
        guard last < Int64.max else { throw NumberReserve.exhausted(entity) }
        source.first = last + 1
        let window = BulkWindow(source, encoder)
        defer { window.abandon() }
        if let table {
            try numberingElements(of: entity, from: last + 1) { try insert(window, into: table, progress) }
        } else {
            while let (chunk, rows) = try window.next(in: self) {
                try write(rows.cells, of: chunk, entity)
                try progress?(window.count)
            }
        }
        return last + 1..<last + 1 + Int64(window.count)
    }

    /// Returns what makes packages of an entity's rows, unless their cells are needed for anything else.
    private func packaging(for table: RowTable, _ entity: StoredEntity) throws -> (@Sendable () -> any RowPackage)? {
        guard !entity.storesBlobs, !schema.hasLimits else { return nil }
        return try database().copier?.packaging(for: table)
    }

    /// Says in an error about an object which element it is.
    private func numberingElements(of entity: StoredEntity, from first: Int64, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as StoreError {
            if let object = error.object, object.entity == entity.name, object.number >= first {
                error.element = error.element ?? Int(object.number - first)
            }
            throw error
        }
    }

    /// Inserts the rows of many chunks at a time, apart from those with external values.
    ///
    /// More of them go together if nobody has to learn of the progress. The server rejects rows only at the end of each
    /// part, and a canceled task notices it then.
    private func insert<Element>(
        _ window: BulkWindow<Element>,
        into table: RowTable,
        _ progress: ((Int) throws -> Void)?
    ) throws {
        let entity = window.entity
        // Rows that may have to be inserted again stay in memory.
        let batches = progress == nil && !table.mustNameRows ? 4 : 1
        var count = 0
        var waiting = try window.next(in: self)
        while let (chunk, rows) = waiting {
            if hasExternal(rows.cells, of: entity) {
                waiting = nil
                try insertExternal(rows.cells, of: chunk, into: table, entity)
                count += chunk.count
            } else {
                var (cellCount, byteCount) = (0, 0)
                try insert(into: table, packaged: window.isPackaging) {
                    if waiting == nil, !RowBatch.isFull(cellCount / batches, byteCount / batches) {
                        waiting = try window.next(in: self)
                    }
                    guard let (chunk, rows) = waiting, !hasExternal(rows.cells, of: entity) else { return nil }
                    waiting = nil
                    cellCount += rows.cellCount
                    byteCount += rows.byteCount
                    count += chunk.count
                    try note(rows.cells, of: chunk, entity)
                    return rows
                }
            }
            try progress?(count)
            if waiting == nil { waiting = try window.next(in: self) }
        }
    }

    /// Inserts rows, either all of which are in packages or none.
    private func insert(into table: RowTable, packaged isPackaged: Bool, _ next: () throws -> BulkRows?) throws {
        let database = try database()
        if isPackaged, let copier = database.copier {
            try copier.insert(into: table) { try next()?.package }
        } else {
            try database.insert(into: table) { try next()?.cells }
        }
    }

    private func hasExternal(_ cells: [ColumnValue], of entity: StoredEntity) -> Bool {
        guard entity.storesBlobs else { return false }
        let width = entity.insertedCellCount + 2
        return entity.columns.enumerated()
            .contains { cell, attribute in
                guard let threshold = attribute.description.externalThreshold else { return false }
                return stride(from: cell + 2, to: cells.count, by: width).contains { cells[$0].byteCount > threshold }
            }
    }

    /// Inserts the rows of a chunk after their external values.
    private func insertExternal(
        _ cells: [ColumnValue],
        of chunk: BulkChunk,
        into table: RowTable,
        _ entity: StoredEntity
    ) throws {
        let width = entity.insertedCellCount + 2
        try keepingBlobs(of: entity) {
            var rows: [ColumnValue]? = try cells.enumerated()
                .map { index, cell in
                    guard index % width >= 2, index % width - 2 < entity.columns.count else { return cell }
                    let attribute = entity.columns[index % width - 2]
                    let row = index / width
                    return try locating(row, of: chunk, entity) {
                        let place = place(of: chunk.first + Int64(row), attribute, entity)
                        return try attribute.external(cell, at: place, schema, on: database())
                    }
                }
            try note(cells, of: chunk, entity)
            try database()
                .insert(into: table) {
                    defer { rows = nil }
                    return rows
                }
        }
    }

    /// Inserts into a context for editing, where new objects are pending until it is saved.
    private func insertPending<Element>(
        _ elements: [Element],
        _ entity: StoredEntity,
        _ progress: ((Int) throws -> Void)?,
        _ filling: BulkFilling<Element>
    ) throws -> Range<Int64> {
        try requireOwn(entity)
        let count = elements.count
        let first = try connection.nextNumbers(count, of: entity)
        try group {
            for (index, element) in elements.enumerated() {
                do {
                    var representative: AnyObject?
                    defer { withExtendedLifetime(representative) {} }
                    let object = try insert(entity, first + Int64(index)) {
                        representative = try filling.prepare($0, element)
                    }
                    try filling.fill(object, element)
                } catch var error as StoreError {
                    error.element = index
                    throw error
                }
                try progress?(index + 1)
            }
        }
        return first..<first + Int64(count)
    }

    private func write(_ cells: [ColumnValue], of chunk: BulkChunk, _ entity: StoredEntity) throws {
        if connection.isPipelined, !entity.storesBlobs {
            try send(cells, of: chunk, entity)
        } else {
            try writeRows(cells, of: chunk, entity)
        }
        try note(cells, of: chunk, entity)
    }

    /// Inserts the rows of a chunk without waiting for each of them.
    private func send(_ cells: [ColumnValue], of chunk: BulkChunk, _ entity: StoredEntity) throws {
        let width = entity.insertedCellCount + 2
        let database = try database()
        for row in 0..<chunk.count {
            let own = cells[row * width..<(row + 1) * width]
            try locating(row, of: chunk, entity) {
                try database.change(entity.statements.insert, Array(own)) { result in
                    try self.locating(row, of: chunk, entity) { _ = try result.get() }
                }
            }
        }
        try database.settle()
    }

    /// Says in an error which element and object it is about.
    private func locating<Result>(
        _ row: Int,
        of chunk: BulkChunk,
        _ entity: StoredEntity,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError {
            error.object = error.object ?? ObjectID(entity: entity.name, number: chunk.first + Int64(row))
            error.element = error.element ?? chunk.place + row
            throw error
        }
    }

    private func writeRows(_ cells: [ColumnValue], of chunk: BulkChunk, _ entity: StoredEntity) throws {
        let statement = try connection.insertion(entity)
        let width = entity.insertedCellCount + 2
        let external = entity.columns.enumerated().filter { $1.description.externalThreshold != nil }
        for row in 0..<chunk.count {
            let number = chunk.first + Int64(row)
            let start = row * width
            try locating(row, of: chunk, entity) {
                for cell in 0..<width { try statement.bind(cells[start + cell], at: cell + 1) }
                let isLarge = external.contains { cell, attribute in
                    cells[start + 2 + cell].byteCount > attribute.description.externalThreshold ?? .max
                }
                try keepingBlobs(of: entity, if: isLarge) {
                    for (cell, attribute) in external {
                        let place = place(of: number, attribute, entity)
                        let moved = try attribute.external(cells[start + 2 + cell], at: place, schema, on: database())
                        try statement.bind(moved, at: cell + 3)
                    }
                    try statement.run()
                }
            }
        }
    }

    /// Records the objects of a chunk for observers, their strings that must be unique, and the objects that they refer
    /// to.
    private func note(_ cells: [ColumnValue], of chunk: BulkChunk, _ entity: StoredEntity) throws {
        if !entity.uniqueText.isEmpty {
            let width = entity.insertedCellCount + 2
            for (index, cell) in cells.enumerated() where index % width >= 2 {
                noteText(cell, in: index % width - 2, of: entity, chunk.first + Int64(index / width))
            }
        }
        try noteCounts(of: cells, numberedFrom: chunk.first, entity)
        guard isRehearsal || store.isObserved else { return saving.record.omitSome() }
        for row in 0..<chunk.count {
            saving.record.note(ObjectID(entity: entity.name, number: chunk.first + Int64(row)), .inserted, [])
        }
    }

    /// Records the objects whose relationships contain more objects than before.
    private func noteCounts(of cells: [ColumnValue], numberedFrom first: Int64, _ entity: StoredEntity) throws {
        guard schema.hasLimits else { return }
        let columns = schema.countedReferences(of: entity)
        let width = entity.insertedCellCount + 2
        for row in 0..<cells.count / width {
            if entity.hasLimits { work.recount(ObjectID(entity: entity.name, number: first + Int64(row))) }
            for (column, destination) in columns {
                guard let cell = column.cell, case .integer(let number) = cells[row * width + 2 + cell] else {
                    continue
                }
                work.recount(ObjectID(entity: destination, number: number))
            }
        }
    }
}
