extension Store {
    /// Creates a context for editing, whose objects live as long as they are referenced.
    ///
    /// The context and its objects belong to the actor or thread that created it, because none of them is `Sendable`.
    /// See <doc:Editing>.
    ///
    /// - Parameter policy: What happens to an object that another context has saved since it was read here.
    /// - Returns: The context. If the store is read-only, the context cannot change anything.
    public func makeContext(onConflict policy: ConflictPolicy = .fail) -> sending StoreContext {
        let scope = schema.model.hasTenants ? options.implicitScope ?? .shared : .undivided
        return StoreContext(editing: self, in: scope, onConflict: policy)
    }
}

// MARK: - Changes

extension StoreContext {
    /// Whether there is anything to save.
    ///
    /// In a context for editing, this includes changes since the last save, and values that setters rejected.
    public var hasChanges: Bool {
        if !work.pairs.isEmpty || failures.hasRefusals || work.changed.contains(where: \.isPending) { return true }
        // If a value cannot be compared, the save reports the error.
        return (try? work.mutatedObjects().isEmpty) == false
    }

    /// The new objects that have not been written yet, in insertion order.
    public var insertedObjects: [ManagedObject] { work.changed.filter { $0.state == .inserted } }

    /// The objects with changed attributes that have not been written yet.
    public var updatedObjects: [ManagedObject] { work.changed.filter { $0.state == .stored && $0.hasSetValues } }

    /// The objects that the next save will delete.
    public var deletedObjects: [ManagedObject] { work.changed.filter { $0.state == .deleted } }

    /// Discards all changes since the last save.
    ///
    /// New objects become deleted objects. If this is not a context for editing, changes that the block has already
    /// written are kept.
    ///
    /// If a transient value of an object was set, all transient values of the object are reset, as they are by
    /// ``refresh(_:keepingChanges:)``. If a hook throws an error, the next save throws it once, or the block throws it
    /// at its end.
    public func rollback() {
        discardChanges()
        // Until then, the list of changes retains the objects.
        work.releaseUnusedWatched()
    }

    private func discardChanges() {
        for object in identities.living where object.isWatched && !object.isNoted { object.dropChanges() }
        let recomputed = work.changed.filter(\.hasTransientChanges)
        for object in work.changed { object.rollBack() }
        forgetChanges()
        hookState.forgetPrepared()
        for object in recomputed where object.state == .stored { reset(object) }
    }

    /// Discards what was read of an object, so that its row is read again when the object is next used.
    ///
    /// The object's transient values are reset. Transient attributes of the model have no value, and `@Transient`
    /// properties of a class have their initial values, except for `lazy` properties. ``EntityHooks/awakeFromFetch``
    /// runs again when the row has been read.
    ///
    /// If changes are kept and a `@Transient` property of the class was set, none of these properties is reset, because
    /// the object does not know which of them were set. If the class has a `willSave()` method, which is yet to store
    /// what was set, its `awakeFromFetch()` does not run either. The properties that were not set then still show the
    /// row that was read before.
    ///
    /// If a change of a relationship that is its own inverse is discarded, the other objects are changed to agree with
    /// the object.
    ///
    /// - Parameters:
    ///   - object: The object. A new or deleted object stays as it is.
    ///   - keepingChanges: Whether to keep the values that were set, including transient values, on top of what another
    ///     context may have saved, so that saving them is not a conflict. They are merged with it as by
    ///     ``ConflictPolicy/mine``. If `false`, they are discarded.
    /// - Throws: `StoreError` with the code `misuse` if the object belongs to another context, or with
    ///   the code `no-such-object` if changes are to be kept and the object no longer exists. Errors thrown by
    ///   hooks.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = false) throws {
        try requireOwnership(of: object)
        guard object.state == .stored else { return }
        dropLists()
        links.forgetPositions()
        work.touch(object)
        if keepingChanges { object.keepMutations() }
        guard keepingChanges, object.isNoted else {
            if !keepingChanges { _ = failures.takeRefusals(of: object) }
            let discarded = object.entity.columns.filter { object.values.isUnsaved($0.index) }
            if object.isNoted { work.forget(object) }
            object.forget()
            release([object])
            return try wake(object, settling: discarded)
        }
        try readAgain(object)
    }

    /// Discards what was read of all objects without changes, so that they show what other contexts have saved.
    ///
    /// Transient values are reset, as they are by ``refresh(_:keepingChanges:)``. If a hook throws an error, the next
    /// save throws it once, or the block throws it at its end.
    public func refreshAll() {
        dropLists()
        links.forgetPositions()
        for object in identities.living where object.state == .stored {
            object.keepMutations()
            guard !(object.isNoted && object.hasSetValues) else { continue }
            if object.isNoted { work.touch(object) }
            reset(object)
        }
        work.forgetUnchanged()
    }

    /// Discards what was read and set of an object, and records the error of a hook.
    private func reset(_ object: ManagedObject) {
        object.forget()
        do {
            try wake(object)
        } catch {
            record(error as? StoreError ?? StoreError(.misuse, "an object cannot be refreshed", underlying: error))
        }
    }

    /// Notifies the class's object that its object was refreshed, after changes of some attributes were discarded.
    ///
    /// Changes of relationships that are their own inverse have changed other objects as well. The values that the
    /// class sets after a fetch may be read before any value of the row.
    private func wake(_ object: ManagedObject, settling discarded: [StoredAttribute] = []) throws {
        do {
            try settlePartners(of: object, concernedBy: discarded)
            try object.awakeRepresentative()
        } catch let error as StoreError where error.code == .noSuchObject && object.isFault {
            // The next use of the object reports the error.
        }
    }
}
