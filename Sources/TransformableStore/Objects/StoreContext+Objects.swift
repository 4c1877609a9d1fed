internal import GRDB

// MARK: - Rows become objects

extension StoreContext {
    /// The object of a row that a statement stands on, whose cells begin with number and version.
    func object(at statement: SQLStatement, _ entity: StoredEntity) throws -> ManagedObject {
        let number = statement.integer(0)
        let version = statement.integer(1)
        if let object = registered(entity, number) {
            guard object.isFault || (object.isClean && object.version != version) else { return object }
            object.fill(statement.packedRow(from: 2, count: entity.columns.count), version)
            try object.didLoad()
            return object
        }
        let row = statement.packedRow(from: 2, count: entity.columns.count)
        let object = ManagedObject(entity, number, in: self, row: row, version: version)
        register(object)
        try object.didLoad()
        return object
    }

    /// Reads the row of an object, as it is in the file; nil if there is none.
    func row(_ entity: StoredEntity, _ number: Int64) throws -> (row: PackedRow, version: Int64)? {
        try connected { _ in
            let statement = try statement(entity.selectOne)
            try statement.bind(number, at: 1)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return (statement.packedRow(from: 2, count: entity.columns.count), statement.integer(1))
        }
    }

    /// An object whose row is there and is read when it is touched.
    func fault(_ entity: StoredEntity, _ number: Int64) -> ManagedObject {
        if let object = registered(entity, number) { return object }
        let object = ManagedObject(fault: entity, number, in: self)
        register(object)
        return object
    }

    /// The same, of a row whose version is known: an object without changes forgets what it had of another one.
    func fault(_ entity: StoredEntity, _ number: Int64, version: Int64) -> ManagedObject {
        let object = fault(entity, number)
        if object.isClean, !object.isFault, object.version != version { object.turnIntoFault() }
        return object
    }
}

// MARK: - Finding one

extension StoreContext {
    /// Gives the object with an id.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object.
    /// - Throws: ``StoreError`` with ``StoreError/Code/noSuchObject`` or ``StoreError/Code/unknownEntity``.
    public func object(_ id: ObjectID) throws -> ManagedObject {
        guard let object = try objectIfAny(id) else {
            throw StoreError(.noSuchObject, "there is no \(id)", entity: id.entity, object: id)
        }
        return object
    }

    /// Gives the object with an id, if there is one.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object; nil if there is none.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity``.
    public func objectIfAny(_ id: ObjectID) throws -> ManagedObject? {
        let entity = try schema.entity(id.entity)
        let known = registered(entity, id.number)
        if let known, known.isDeleted || !known.isFault { return known.isDeleted ? nil : known }
        guard let (row, version) = try row(entity, id.number) else { return nil }
        let object = known ?? ManagedObject(entity, id.number, in: self, row: row, version: version)
        if known == nil { register(object) } else { object.fill(row, version) }
        try object.didLoad()
        return object
    }

    /// Gives the object with an id without looking whether there is one: its row is read when it is touched.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object; what is asked of it throws ``StoreError/Code/noSuchObject`` if it has no row.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity``, or ``StoreError/Code/noSuchObject`` if the
    ///   object has been deleted in this context.
    public func fault(_ id: ObjectID) throws -> ManagedObject {
        let object = fault(try schema.entity(id.entity), id.number)
        try object.requireAlive()
        return object
    }

    /// Reads the rows of objects that are not read yet, many with each statement.
    ///
    /// - Parameter objects: The objects; those whose row has gone meanwhile stay as they are.
    /// - Throws: ``StoreError``: reading the file fails.
    public func prefetch(_ objects: [ManagedObject]) throws {
        var faults: [[Int64]] = Array(repeating: [], count: schema.entities.count)
        for object in objects where object.isFault && object.state == .stored && object.context === self {
            faults[object.entity.index].append(object.number)
        }
        try connected { database in
            for (entity, numbers) in zip(schema.entities, faults) {
                for start in stride(from: 0, to: numbers.count, by: Self.batch) {
                    try load(numbers[start..<min(start + Self.batch, numbers.count)], of: entity, on: database)
                }
            }
        }
    }

    // How many rows a statement of a batch reads.
    static let batch = 256

    private func load(_ numbers: ArraySlice<Int64>, of entity: StoredEntity, on database: Database) throws {
        let statement = try SQLStatement(entity.selectMany(numbers.count), on: database)
        try statement.bind(numbers.map(ColumnValue.integer))
        defer { statement.reset() }
        while try statement.step() {
            guard let object = registered(entity, statement.integer(0)), object.isFault else { continue }
            object.fill(statement.packedRow(from: 2, count: entity.columns.count), statement.integer(1))
            try object.didLoad()
        }
    }
}

// MARK: - Inserting and deleting

extension StoreContext {
    /// Creates a new object, which has its id at once and is written when the context saves.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The object, with the model's defaults.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity`` or ``StoreError/Code/readOnly``; what the
    ///   entity's ``EntityHooks/awakeFromInsert`` throws.
    public func insert(_ entity: String) throws -> ManagedObject {
        try insert(entity) { try $0.setDefaults() }
    }

    /// Creates a new object, and fills it before anybody hears of it.
    func insert(_ entity: String, filling fill: (ManagedObject) throws -> Void) throws -> ManagedObject {
        try requireWritable()
        try requireUncancelled()
        let entity = try schema.entity(entity)
        return try insert(entity, nextNumber(entity), filling: fill)
    }

    /// The same with a number that was taken before.
    func insert(
        _ entity: StoredEntity,
        _ number: Int64,
        filling fill: (ManagedObject) throws -> Void
    ) throws -> ManagedObject {
        let object = ManagedObject(inserting: entity, number, in: self)
        register(object)
        noteChange(object)
        try fill(object)
        return try grouped {
            noteStep(.state(object, .gone))
            try runHooks(\.awakeFromInsert, of: object)
            return object
        }
    }

    func nextNumber(_ entity: StoredEntity) throws -> Int64 {
        // Within a transaction nobody else takes numbers.
        guard isEditing, !isConnected else {
            return try takeNumbers(of: entity)
        }
        return try store.nextNumber(entity)
    }

    /// Deletes an object; its row goes when the context saves.
    ///
    /// - Parameter object: The object; one that is deleted already stays so.
    /// - Throws: ``StoreError`` with ``StoreError/Code/readOnly``; what the entity's
    ///   ``EntityHooks/prepareForDeletion`` throws.
    public func delete(_ object: ManagedObject) throws {
        try requireWritable()
        guard object.context === self else {
            throw StoreError(.misuse, "the object belongs to another context", object: object.id)
        }
        guard !object.isDeleted else { return }
        try object.requireVersion()
        deletionDepth += 1
        defer {
            deletionDepth -= 1
            // A block deletes what goes with the object when it saves.
            if isEditing, deletionDepth == 0, !undoLog.isFollowingRules { forgetPrepared() }
        }
        try group {
            try prepareDeletion(of: object)
            guard !object.isDeleted else { return }
            noteStep(.state(object, object.state))
            noteDeletion(object)
            try unlist(object)
            if object.markDeleted() { changed.append(object) }
            pendingTables?.note(object)
            // What is edited shows at once what goes with it; a block follows the rules when it saves.
            if isEditing { try followDeleteRules() }
        }
    }
}
