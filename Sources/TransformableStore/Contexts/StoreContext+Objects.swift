// MARK: - Turning rows into objects

extension StoreContext {
    /// Returns the object for the current row of a statement, whose cells begin with the number and the version.
    func object(at statement: any EngineStatement, _ entity: StoredEntity) throws -> ManagedObject {
        let number = statement.integer(0)
        let version = statement.integer(1)
        if let object = known(entity, number, version: version) {
            // A row with pending changes is not the one that was stored. The object reads that one when it needs it.
            if object.isFault, object.isNoted, connection.isOverlaid(entity) { return object }
            guard object.isFault || object.isOutdated(by: version) else { return object }
            object.fill(statement.packedRow(from: 2, count: entity.columns.count), version)
            try object.didLoad()
            return object
        }
        let row = statement.packedRow(from: 2, count: entity.columns.count)
        let object = ManagedObject(entity, number, in: self, ObjectValues(row: row, version: version))
        identities.insert(object)
        try object.didLoad()
        return object
    }

    /// Returns the object for a row that was read before.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - found: The row.
    ///   - values: Values that were decoded from it.
    /// - Returns: The object.
    /// - Throws: Errors thrown by hooks that run when an object is fetched.
    func object(of entity: StoredEntity, _ found: DecodingBatch.Row, _ values: SlotTable) throws -> ManagedObject {
        if let object = known(entity, found.number, version: found.version) {
            guard object.isFault || object.isOutdated(by: found.version) else { return object }
            object.fill(found.cells, found.version)
            try object.didLoad()
            return object
        }
        let values = ObjectValues(row: found.cells, version: found.version, slots: values)
        let object = ManagedObject(entity, found.number, in: self, values)
        identities.insert(object)
        try object.didLoad()
        return object
    }

    /// Reads the row of an object from the file, or returns `nil` if there is none.
    func row(_ entity: StoredEntity, _ number: Int64) throws -> (row: PackedRow, version: Int64)? {
        if let ahead, let row = try rowAhead(ahead, entity, number) { return row }
        return try connected { _ in
            let statement = try statement(entity.statements.selectOne)
            try statement.bind(number, at: 1)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            guard statement.integer(0) == number else {
                throw StoreError.otherRow(than: ObjectID(entity: entity.name, number: number))
            }
            return (statement.packedRow(from: 2, count: entity.columns.count), statement.integer(1))
        }
    }

    /// Returns the object of a row that was found, if it is in memory.
    ///
    /// A deleted object exists again if another context has written its row since. A row that still has the deleted
    /// version was found by a fetch before the deletion.
    @discardableResult
    func known(_ entity: StoredEntity, _ number: Int64, version: Int64) -> ManagedObject? {
        let object = identities[entity, number]
        if let object, object.state == .gone, version != object.version { object.reappear() }
        return object
    }

    /// Returns an object whose row exists and is read when the object is used.
    func fault(_ entity: StoredEntity, _ number: Int64) -> ManagedObject {
        if let object = identities[entity, number] { return object }
        let object = ManagedObject(fault: entity, number, in: self)
        identities.insert(object)
        return object
    }

    /// Returns the same for a row whose version is known.
    ///
    /// An object without changes discards what it has of another version.
    func fault(_ entity: StoredEntity, _ number: Int64, version: Int64) -> ManagedObject {
        let object = known(entity, number, version: version) ?? fault(entity, number)
        if object.isOutdated(by: version) { object.outdate() }
        return object
    }
}

// MARK: - Finding an object

extension StoreContext {
    /// Returns the object with the given id.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object.
    /// - Throws: `StoreError` with the code `no-such-object` or `unknown-entity` if there is
    ///   no such object or entity.
    public func object(_ id: ObjectID) throws -> ManagedObject {
        guard let object = try objectIfPresent(id) else {
            throw StoreError(.noSuchObject, "there is no \(id)", entity: id.entity, object: id)
        }
        return object
    }

    /// Returns the object with the given id, or `nil` if there is none.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object, or `nil` if there is none.
    /// - Throws: `StoreError` with the code `unknown-entity` if there is no such entity.
    public func objectIfPresent(_ id: ObjectID) throws -> ManagedObject? {
        let entity = try schema.entity(id.entity)
        var known = identities[entity, id.number]
        if let known, known.state != .gone, known.isDeleted || !known.isFault { return known.isDeleted ? nil : known }
        guard let (row, version) = try row(entity, id.number) else { return nil }
        known = self.known(entity, id.number, version: version)
        guard known?.isDeleted != true else { return nil }
        let object = known ?? ManagedObject(entity, id.number, in: self, ObjectValues(row: row, version: version))
        if known == nil { identities.insert(object) } else { object.fill(row, version) }
        try object.didLoad()
        return object
    }

    /// Returns the object with the given id, without checking that it exists.
    ///
    /// Its row is read when the object is used.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object. If it has no row, using it throws `StoreError` with the code `no-such-object`.
    /// - Throws: `StoreError` with the code `unknown-entity` if there is no such entity, or with
    ///   the code `no-such-object` if the object has been deleted in this context.
    public func fault(_ id: ObjectID) throws -> ManagedObject {
        let object = fault(try schema.entity(id.entity), id.number)
        try object.requireAlive()
        return object
    }
}

// MARK: - Inserting and deleting

extension StoreContext {
    /// Inserts a new object.
    ///
    /// It has its id immediately and is written when the context is saved.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The object, with the default values of the model.
    /// - Throws: `StoreError` with the code `unknown-entity` or `read-only`, and errors
    ///   thrown by the entity's ``EntityHooks/awakeFromInsert``. If an error is thrown, nothing is inserted.
    public func insert(_ entity: String) throws -> ManagedObject {
        try insert(entity) { try $0.setDefaults() }
    }

    /// Inserts a new object, and configures it before observers are notified.
    private func insert(_ entity: String, filling fill: (ManagedObject) throws -> Void) throws -> ManagedObject {
        try requireWritable()
        try requireUncancelled()
        let entity = try schema.entity(entity)
        try requireOwn(entity)
        return try insert(entity, connection.nextNumber(entity), filling: fill)
    }

    /// The same, with a number that was reserved before.
    func insert(
        _ entity: StoredEntity,
        _ number: Int64,
        runsHooks: Bool = true,
        filling fill: (ManagedObject) throws -> Void
    ) throws -> ManagedObject {
        let object = newObject(entity, number)
        work.note(object)
        do {
            try group {
                noteStep(.state(object, .gone))
                try fill(object)
                if runsHooks { try runHooks(\.awakeFromInsert, of: object) }
            }
        } catch {
            // The first error says more than one of a hook that objects to the removal.
            try? takeBack(object)
            throw error
        }
        return object
    }

    /// Returns the object for a new number, for which a program may hold a fault already.
    private func newObject(_ entity: StoredEntity, _ number: Int64) -> ManagedObject {
        if let fault = identities[entity, number], fault.becomesNew() { return fault }
        let object = ManagedObject(inserting: entity, number, in: self)
        identities.insert(object)
        return object
    }

    /// Removes a new object whose insertion has failed, or whose values were rejected.
    ///
    /// - Throws: `StoreError` if the object was written before that and its deletion fails.
    package func takeBack(_ object: ManagedObject) throws {
        // A hook may have saved it, or a fetch of a hook may have written it.
        guard object.state == .inserted || object.state == .gone else { return try takeBackWritten(object) }
        object.discard()
        work.forget(object)
        work.touch(object)
        dropLists()
        object.dismissRepresentative()
        guard !isEditing else { return }
        _ = failures.takeRefusals(of: object)
        // A block has no undo, so what hooks have made lead to the object is cleared when it is saved.
        work.noteRejection(object)
    }

    /// Deletes the row of a new object that was written before its insertion failed.
    ///
    /// Everything that leads to the object is cleared. Otherwise, neither its delete rules nor the hooks of a deletion
    /// apply, because it was never inserted.
    private func takeBackWritten(_ object: ManagedObject) throws {
        try object.requireVersion()
        _ = try markDeleted(object, takingBack: true)
        if isEditing { try joined { try followDeleteRules() } }
        object.dismissRepresentative()
    }

    /// Deletes an object.
    ///
    /// Its row is removed when the context is saved.
    ///
    /// - Parameter object: The object. It may have been deleted already.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot change objects, or with the code `misuse`
    ///   if the object belongs to another context. Errors thrown by the entity's ``EntityHooks/prepareForDeletion``.
    public func delete(_ object: ManagedObject) throws {
        try requireWritable()
        try requireOwnership(of: object)
        guard !object.isDeleted else { return }
        try object.requireVersion()
        try hookState.deleting(didEnd: didEndDeletion) {
            try group {
                try prepareDeletion(of: object)
                guard !object.isDeleted else { return }
                noteStep(.state(object, object.state))
                for refusal in try markDeleted(object) { noteStep(.refusal(refusal, isTakenBack: true)) }
                // While editing, related deletions show immediately. A block applies the rules when it is saved.
                if isEditing { try followDeleteRules() }
            }
        }
    }

    /// Marks an object as deleted, and returns the refused changes that are discarded along with it.
    private func markDeleted(_ object: ManagedObject, takingBack: Bool = false) throws -> [Refusal] {
        work.noteDeletion(object)
        try unlist(object)
        if object.markDeleted(takingBack: takingBack) { work.note(object) } else { work.touch(object) }
        return failures.takeRefusals(of: object)
    }

    private func didEndDeletion() {
        // A block applies the delete rules when it is saved.
        if isEditing, !undoLog.isFollowingRules { hookState.forgetPrepared() }
    }
}
