extension Store {
    /// Creates a context whose objects live as long as somebody holds them, for editing.
    ///
    /// It belongs to the actor or thread that made it, and so do its objects: none of them is `Sendable`.
    /// See <doc:Editing>.
    ///
    /// - Parameter policy: What becomes of an object that another context has saved since it was read here.
    /// - Returns: The context; of a store that is open for reading only, one that cannot change anything.
    public func makeContext(onConflict policy: ConflictPolicy = .fail) -> sending StoreContext {
        StoreContext(editing: self, onConflict: policy)
    }
}

// MARK: - What has changed

extension StoreContext {
    /// Whether a save would have something to look at: in a context for editing, what was changed since the last one, and
    /// what setters were refused.
    public var hasChanges: Bool {
        if !pairs.isEmpty || !refusals.isEmpty || changed.contains(where: \.isPending) { return true }
        // A value that cannot be compared is the business of the save.
        return (try? mutatedObjects().isEmpty) == false
    }

    /// The new objects that are not written yet, in the order they were made.
    public var insertedObjects: [ManagedObject] { changed.filter { $0.state == .inserted } }

    /// The objects with attributes that were set and are not written yet.
    public var updatedObjects: [ManagedObject] { changed.filter { $0.state == .stored && $0.hasSetValues } }

    /// The objects that are to be deleted by the next save.
    public var deletedObjects: [ManagedObject] { changed.filter { $0.state == .deleted } }

    /// Gives up every change since the last save.
    ///
    /// New objects are deleted ones then. Where it is not done in a context for editing, what a block has written
    /// already stays.
    public func rollback() {
        for object in livingObjects where object.isWatched && !object.isNoted { object.dropChanges() }
        for object in changed {
            switch object.state {
            case .inserted: object.state = .gone
            case .deleted: object.state = .stored
            case .stored, .gone: break
            }
            object.dropChanges()
            object.isNoted = false
        }
        forgetChanges()
    }

    /// Creates an object forget what was read of it, so that its row is read again when it is used next.
    ///
    /// Its transient values are reset: those of the model have no value, and the `@Transient` properties of a class have
    /// their initial values, but for `lazy` ones. ``EntityHooks/awakeFromFetch`` runs again when the row has been read.
    ///
    /// - Parameters:
    ///   - object: The object; a new or deleted one stays as it is.
    ///   - keepingChanges: Whether what was set stays, transient values included, over what another context may have
    ///     saved, so that saving it is not a conflict; otherwise it is given up.
    /// - Throws: ``StoreError`` with ``StoreError/Code/misuse`` for an object of another context, or
    ///   ``StoreError/Code/noSuchObject`` if changes are to be kept of an object that is gone; what a hook throws.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = false) throws {
        guard object.context === self else {
            throw StoreError(.misuse, "the object belongs to another context", object: object.id)
        }
        guard object.state == .stored else { return }
        dropLists()
        pendingTables?.note(object)
        guard keepingChanges, object.isNoted else {
            changed.removeAll { $0 === object }
            object.forget()
            release([object])
            return try wake(object)
        }
        try object.readAgain()
    }

    /// Makes all objects without changes forget what was read of them, so that they show what others have saved.
    ///
    /// Transient values are reset, as ``refresh(_:keepingChanges:)`` does. What a hook throws is thrown by the next save,
    /// or at the end of the block.
    public func refreshAll() {
        dropLists()
        for object in livingObjects where object.state == .stored && !(object.isNoted && object.hasSetValues) {
            object.forget()
            do {
                try wake(object)
            } catch {
                refuse(error as? StoreError ?? StoreError(.misuse, "an object cannot be refreshed", underlying: error))
            }
        }
        changed.removeAll { !$0.isNoted }
    }

    /// Tells the object of a class that its object was refreshed: what it sets at a fetch may be read before anything
    /// of the row is.
    private func wake(_ object: ManagedObject) throws {
        do {
            try object.awakeRepresentative()
        } catch let error as StoreError where error.code == .noSuchObject && object.isFault {
            // Whatever is asked of it next says so.
        }
    }
}
