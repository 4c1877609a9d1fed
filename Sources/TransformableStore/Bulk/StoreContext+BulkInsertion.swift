internal import Dispatch
internal import Foundation

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
    /// The objects are written immediately and belong to no context. `fill` can set the attributes of its object, and
    /// to-one relationships by the number of the related object (`setValue(id.number, for: "patient")`). Defaults and
    /// validation rules apply. Anything that needs the file is an error. The sequence is iterated on this thread, and
    /// memory use does not depend on its length. The hooks that run before a new object is written run on the same
    /// threads as `fill`. ``EntityHooks/didSave`` does not run.
    ///
    /// In a context for editing, the objects belong to the context. They are filled on this thread, undone together,
    /// and written when the context is saved.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - entity: The entity's name.
    ///   - progress: A closure that is called on this thread with the number of objects written so far. If it throws an
    ///     error, the insertion ends.
    ///   - fill: Sets the attributes of an element's object. It runs on several threads at the same time.
    /// - Returns: The numbers of the new objects, in the order of the elements.
    /// - Throws: Errors thrown by `fill` and `progress`, and `StoreError` with `StoreError.element` if a value
    ///   cannot be stored or breaks a rule of the model.
    @discardableResult
    public func insert<Elements: Sequence>(
        many elements: Elements,
        into entity: String,
        progress: ((_ count: Int) throws -> Void)? = nil,
        fill: @escaping @Sendable (ManagedObject, Elements.Element) throws -> Void
    ) throws -> Range<Int64> where Elements.Element: Sendable {
        try insert(many: elements, into: entity, progress: progress, BulkFilling(fill))
    }

    /// Does the same for objects that are filled in any way.
    package func insert<Elements: Sequence>(
        many elements: Elements,
        into entity: String,
        progress: ((_ count: Int) throws -> Void)?,
        _ filling: BulkFilling<Elements.Element>
    ) throws -> Range<Int64> where Elements.Element: Sendable {
        try requireWritable()
        guard !isEditing else {
            return try insertPending(Array(elements), schema.entity(entity), progress, filling)
        }
        // If others take numbers at the same time, consecutive numbers must be reserved at once.
        let isExclusive = store.engine.dialect.has(.exclusiveWriter)
        guard isExclusive || elements is [Elements.Element] else {
            return try insert(many: Array(elements), into: entity, progress: progress, filling)
        }
        // Pending changes are written first, as if the objects were inserted one by one.
        try save()
        dropLists()
        let entity = try schema.entity(entity)
        try requireOwn(entity)
        let encoder = BulkEncoder(store: store, scope: scope, entity: entity, filling: filling)
        let reserved = try isExclusive ? nil : connection.nextNumbers(max(1, elements.underestimatedCount), of: entity)
        var source = BulkSource(elements.makeIterator(), numberedFrom: reserved)
        var window: [BulkChunk<Elements.Element>] = []
        defer { for chunk in window { chunk.abandon() } }
        let last = try reserved.map { $0 - 1 } ?? connection.lastNumber(of: entity)
        guard last < Int64.max else { throw NumberReserve.exhausted(entity) }
        let first = last + 1
        var count = 0
        var batch = RowBatch(of: entity, on: connection)
        while true {
            while window.count < Self.windowSize, let chunk = try source.next(entity, in: self) {
                window.append(chunk)
                DispatchQueue.global().async { chunk.encode(encoder) }
            }
            guard !window.isEmpty else { break }
            let chunk = window.removeFirst()
            let cells = try chunk.cells(encoder)
            source.note(cells)
            count += chunk.count
            if batch != nil {
                guard try add(cells, of: chunk, entity, to: &batch) else { continue }
            } else {
                try write(cells, of: chunk, entity)
            }
            try progress?(count)
        }
        if let rows = batch?.count, rows > 0 {
            try batch?.insert(on: database())
            try progress?(count)
        }
        return first..<first + Int64(count)
    }

    /// Inserts into a context for editing, where new objects are pending until it is saved.
    private func insertPending<Element>(
        _ elements: [Element],
        _ entity: StoredEntity,
        _ progress: ((Int) throws -> Void)?,
        _ filling: BulkFilling<Element>
    ) throws -> Range<Int64> {
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

    /// The number of chunks that keeps all cores busy while the writer takes the oldest one.
    private static var windowSize: Int { ProcessInfo.processInfo.activeProcessorCount * 2 + 1 }

    /// Adds the rows of a chunk to a batch, and returns whether all rows have been written.
    private func add<Element>(
        _ cells: [ColumnValue],
        of chunk: BulkChunk<Element>,
        _ entity: StoredEntity,
        to batch: inout RowBatch?
    ) throws -> Bool {
        let width = entity.insertedCellCount
        for row in 0..<chunk.count {
            batch?.append(chunk.first + Int64(row), 1, cells[row * width..<(row + 1) * width])
        }
        try note(cells, of: chunk, entity)
        guard batch?.isFull == true else { return false }
        try batch?.insert(on: database())
        return true
    }

    private func write<Element>(
        _ cells: [ColumnValue],
        of chunk: BulkChunk<Element>,
        _ entity: StoredEntity
    ) throws {
        if connection.isPipelined, !entity.storesBlobs {
            try send(cells, of: chunk, entity)
        } else {
            try writeRows(cells, of: chunk, entity)
        }
        try note(cells, of: chunk, entity)
    }

    /// Inserts the rows of a chunk without waiting for each of them.
    private func send<Element>(_ cells: [ColumnValue], of chunk: BulkChunk<Element>, _ entity: StoredEntity) throws {
        let width = entity.insertedCellCount
        let database = try database()
        for row in 0..<chunk.count {
            let number = chunk.first + Int64(row)
            let own = cells[row * width..<(row + 1) * width]
            if entity.hasUniqueText {
                for (cell, value) in own.enumerated() { noteText(value, in: cell, of: entity, number) }
            }
            try locating(row, of: chunk, entity) {
                try database.change(entity.insert, [.integer(number), .integer(1)] + own) { result in
                    try self.locating(row, of: chunk, entity) { _ = try result.get() }
                }
            }
        }
        try database.settle()
    }

    /// Says in an error which element and object it is about.
    private func locating<Element>(
        _ row: Int,
        of chunk: BulkChunk<Element>,
        _ entity: StoredEntity,
        _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch var error as StoreError {
            error.object = error.object ?? ObjectID(entity: entity.name, number: chunk.first + Int64(row))
            error.element = error.element ?? chunk.place + row
            throw error
        }
    }

    private func writeRows<Element>(
        _ cells: [ColumnValue],
        of chunk: BulkChunk<Element>,
        _ entity: StoredEntity
    ) throws {
        let statement = try connection.insertion(entity)
        let width = entity.insertedCellCount
        let external = entity.columns.enumerated().filter { $1.description.externalThreshold != nil }
        for row in 0..<chunk.count {
            let number = chunk.first + Int64(row)
            try locating(row, of: chunk, entity) {
                try statement.bind(number, at: 1)
                try statement.bind(1, at: 2)
                for cell in 0..<width {
                    try statement.bind(cells[row * width + cell], at: cell + 3)
                    if entity.hasUniqueText { noteText(cells[row * width + cell], in: cell, of: entity, number) }
                }
                let isLarge = external.contains { cell, attribute in
                    cells[row * width + cell].byteCount > attribute.description.externalThreshold ?? .max
                }
                try keepingBlobs(of: entity, if: isLarge) {
                    for (cell, attribute) in external {
                        let place = place(of: number, attribute, entity)
                        let moved = try attribute.external(cells[row * width + cell], at: place, schema, on: database())
                        try statement.bind(moved, at: cell + 3)
                    }
                    try statement.run()
                }
            }
        }
    }

    /// Records the objects of a chunk for observers, and those that they refer to.
    private func note<Element>(_ cells: [ColumnValue], of chunk: BulkChunk<Element>, _ entity: StoredEntity) throws {
        try noteCounts(of: cells, numberedFrom: chunk.first, entity)
        guard isRehearsal || store.isObserved else { return record.omitSome() }
        for row in 0..<chunk.count {
            record.note(ObjectID(entity: entity.name, number: chunk.first + Int64(row)), .inserted, [])
        }
    }

    /// Records the objects whose relationships contain more objects than before.
    private func noteCounts(of cells: [ColumnValue], numberedFrom first: Int64, _ entity: StoredEntity) throws {
        guard schema.hasLimits else { return }
        let columns = schema.countedReferences(of: entity)
        let width = entity.insertedCellCount
        for row in 0..<cells.count / max(1, width) {
            if entity.hasLimits { work.recount(ObjectID(entity: entity.name, number: first + Int64(row))) }
            for (column, destination) in columns {
                guard let cell = column.cell, case .integer(let number) = cells[row * width + cell] else { continue }
                work.recount(ObjectID(entity: destination, number: number))
            }
        }
    }
}

/// Splits a sequence into chunks that are large enough for a thread and small in memory.
private struct BulkSource<Iterator: IteratorProtocol> where Iterator.Element: Sendable {
    private static var mostElements: Int { 512 }
    private static var bytes: Int { 1 << 20 }
    private var iterator: Iterator
    private var place = 0
    // Small until the size of rows is known.
    private var size = 16
    // The next of the numbers that were reserved for all elements, or `nil` if each chunk takes its own.
    private var reserved: Int64?

    init(_ iterator: Iterator, numberedFrom first: Int64?) {
        self.iterator = iterator
        reserved = first
    }

    /// Returns the next chunk, with numbers for its objects, or `nil` at the end.
    mutating func next(_ entity: StoredEntity, in context: StoreContext) throws -> BulkChunk<Iterator.Element>? {
        var elements: [Iterator.Element] = []
        while elements.count < size, let element = iterator.next() { elements.append(element) }
        guard !elements.isEmpty else { return nil }
        defer { place += elements.count }
        let first = try reserved ?? context.connection.takeNumbers(elements.count, of: entity)
        reserved = reserved.map { $0 + Int64(elements.count) }
        return BulkChunk(elements, numberedFrom: first, at: place)
    }

    /// Chooses the size of later chunks by the number of bytes in one.
    mutating func note(_ cells: [ColumnValue]) {
        guard !cells.isEmpty else { return }
        let bytes = cells.reduce(0) { $0 + $1.byteCount }
        let rows = Self.bytes * size / max(1, bytes)
        size = min(Self.mostElements, max(1, rows))
    }
}
