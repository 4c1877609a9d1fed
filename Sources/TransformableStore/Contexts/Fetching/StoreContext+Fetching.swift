extension StoreContext {
    /// Fetches objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The objects.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func fetch(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ManagedObject] {
        var objects: [ManagedObject] = []
        try withPending {
            try forEachStored(bind(entity, condition, order, limit, offset)) { objects.append($0) }
        }
        return objects
    }

    /// Fetches the first object.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the object must satisfy.
    ///   - order: The keys to sort by, most important first.
    /// - Returns: The object, or `nil` if there is none.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func first(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = []
    ) throws -> ManagedObject? {
        try fetch(entity, where: condition, sortedBy: order, limit: 1).first
    }

    /// Calls a closure with each object.
    ///
    /// In a block that reads, memory use is constant unless you keep the objects, and other cores decode the attributes that
    /// the closure has read of the first objects. In a block that writes, memory also includes a list of the objects'
    /// numbers, because the closure may insert, change, or delete objects. It is called with the objects that satisfied the
    /// condition in the beginning and have not been deleted since.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - body: A closure that is called with each object.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid, and errors thrown
    ///   by the closure.
    public func forEach(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (ManagedObject) throws -> Void
    ) throws {
        guard try !laysPending() else {
            // The closure may change objects or save, which would fail while a statement is running.
            return try visit(fetch(entity, where: condition, sortedBy: order, limit: limit, offset: offset), body)
        }
        let family = try bind(entity, condition, order, limit, offset)
        guard isWritable else { return try forEachRead(family, body) }
        // A running statement would also return what the closure writes, perhaps without an end.
        let list = try list(family)
        var batches = ObjectBatches(self)
        for start in stride(from: 0, to: list.count, by: Self.batch) {
            try visit(batches.read(list[start..<min(start + Self.batch, list.count)]), body)
        }
    }

    /// Calls a closure with each object that it has not deleted before, until the task is canceled.
    private func visit(_ objects: [ManagedObject], _ body: (ManagedObject) throws -> Void) throws {
        for object in objects where !object.isDeleted {
            try requireUncancelled()
            try body(object)
        }
    }

    /// Whether there may be changes that only the context knows about while it fetches.
    ///
    /// A hook may fetch during a fetch over which pending changes are laid, in a savepoint that is rolled back.
    private var fetchesPending: Bool {
        isEditing || saving.phase == .preparing || saving.phase == .writing || connection.overlaidTables != nil
    }

    /// Runs a fetch that sees pending changes.
    ///
    /// In a block, they are written first if that is possible. Otherwise, they are laid over the tables.
    func withPending<Result>(_ body: () throws -> Result) throws -> Result {
        try laysPending() ? PendingView.run(self, body) : body()
    }

    /// Returns a Boolean value that indicates whether a fetch lays pending changes over the tables.
    ///
    /// Otherwise, they are written now.
    ///
    /// Objects that lack a value, break a rule, or are refused by a validation stay pending, because the rest of the
    /// block may resolve that. So do changes that currently violate uniqueness, and deletions that are denied.
    private func laysPending() throws -> Bool {
        guard !fetchesPending else { return true }
        return try !flushIfPossible()
    }

    private func forEachStored(_ family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        let reader = FetchReader(family)
        guard let entity = reader.single?.entity else { return try forEach(of: reader, body) }
        let (list, count) = connection.isOverlaid(entity) ? entity.statements.overlaidList : entity.statements.readList
        let isUnchecked = connection.isOverlaid(entity) && entity.rowSeal?.isInSQL == false
        try reader.forEachRow(selecting: list, count: count, on: database()) { statement in
            if isUnchecked { try requireChecked(statement, at: count - 1, entity) }
            try body(object(at: statement, entity))
        }
    }

    /// The same in a block that reads, in which other threads decode values before the closure reads them.
    private func forEachRead(_ family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        let reader = FetchReader(family)
        guard let entity = reader.single?.entity, !connection.isOverlaid(entity) else {
            return try forEachStored(family, body)
        }
        try withoutActuallyEscaping(body) { body in
            var ahead = DecodeAhead(entity, in: self, body)
            defer { ahead.abandon() }
            let (list, count) = entity.statements.readList
            do {
                try reader.forEachRow(selecting: list, count: count, on: database()) { try ahead.add($0) }
            } catch {
                // The closure is called with all objects before a row that cannot be read.
                if !(error is CancellationError) { try ahead.finish() }
                throw error
            }
            try ahead.finish()
        }
    }

    /// Throws an error unless a row matches its tag or belongs to an object with unsaved changes.
    private func requireChecked(_ statement: any EngineStatement, at index: Int, _ entity: StoredEntity) throws {
        let number = statement.integer(0)
        guard statement.integer(index) != 1, identities[entity, number]?.isNoted != true, let seal = entity.rowSeal
        else { return }
        throw StoreError(RowFault(.forged, "", seal, of: number))
    }

    /// Calls a closure with objects that are found by their numbers.
    private func forEach(of reader: FetchReader, _ body: (ManagedObject) throws -> Void) throws {
        var batches = ObjectBatches(self)
        var list: [FoundRow] = []
        try reader.forEach(on: database()) { row in
            list.append(row)
            guard list.count == Self.batch else { return }
            try objects(list, &batches).forEach(body)
            list.removeAll(keepingCapacity: true)
        }
        try objects(list, &batches).forEach(body)
    }

    /// Returns the listed objects, many of which are read with each statement.
    private func objects(_ list: [FoundRow], _ batches: inout ObjectBatches) throws -> [ManagedObject] {
        guard connection.overlaidTables?.isEmpty != false else {
            // Pending objects have no rows.
            return try list.map { try object(ObjectID(entity: schema.entities[$0.place].name, number: $0.number)) }
        }
        return try batches.read(list[...])
    }

    private func list(_ family: [BoundFetch]) throws -> [FoundRow] {
        var list: [FoundRow] = []
        try FetchReader(family).forEach(on: database()) { list.append($0) }
        return list
    }

    /// Counts objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    /// - Returns: The number of objects.
    /// - Throws: `StoreError` if a name is unknown, or if the condition is invalid.
    public func count(_ entity: String, where condition: Condition = .all) throws -> Int {
        try withPending {
            try FetchReader(bind(entity, condition, [], nil, 0)).count(on: database())
        }
    }

    /// Returns a Boolean value that indicates whether there is an object that satisfies a condition.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the object must satisfy.
    /// - Returns: Whether there is at least one object.
    /// - Throws: `StoreError` if a name is unknown, or if the condition is invalid.
    public func exists(_ entity: String, where condition: Condition = .all) throws -> Bool {
        try !ids(entity, where: condition, limit: 1).isEmpty
    }

    /// Fetches the ids of objects, without reading the objects themselves if possible.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The ids.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func ids(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ObjectID] {
        try withPending {
            try list(bind(entity, condition, order, limit, offset))
                .map { ObjectID(entity: schema.entities[$0.place].name, number: $0.number) }
        }
    }

    /// Deletes all objects that satisfy a condition.
    ///
    /// The objects stay in memory until the next save.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    /// - Returns: The number of deleted objects.
    /// - Throws: `StoreError` if a name is unknown, or if the condition is invalid.
    @discardableResult
    public func delete(_ entity: String, where condition: Condition) throws -> Int {
        try requireWritable()
        let objects = try fetch(entity, where: condition)
        try grouped {
            try readingTogether {
                for object in objects { try delete(object) }
            }
        }
        return objects.count
    }
}

/// Reads listed objects, many with each statement.
///
/// The statements are its own, because a hook may run the same ones.
private struct ObjectBatches {
    private let context: StoreContext
    // The statements for whole batches, by the positions of the entities.
    private var statements: [Int: any EngineStatement] = [:]

    init(_ context: StoreContext) {
        self.context = context
    }

    /// Returns the listed objects that still exist.
    mutating func read(_ list: ArraySlice<FoundRow>) throws -> [ManagedObject] {
        var objects: [Int: [Int64: ManagedObject]] = [:]
        for (place, entries) in Dictionary(grouping: list, by: \.place) {
            let entity = context.schema.entities[place]
            let statement = try statement(for: entries.count, of: entity)
            try statement.bind(entries.map { .integer($0.number) })
            defer { statement.reset() }
            while try statement.step() {
                let object = try context.object(at: statement, entity)
                objects[place, default: [:]][object.number] = object
            }
        }
        return list.compactMap { objects[$0.place]?[$0.number] }
    }

    private mutating func statement(for count: Int, of entity: StoredEntity) throws -> any EngineStatement {
        if count == StoreContext.batch, let known = statements[entity.index] { return known }
        let statement = try context.database().statement(entity.statements.selectMany(count), cached: false)
        if count == StoreContext.batch { statements[entity.index] = statement }
        return statement
    }
}
