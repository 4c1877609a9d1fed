internal import GRDB

/// What a transaction has done to an object.
struct WrittenObject {
    enum Kind {
        case inserted
        case updated
        case deleted
    }

    let object: ManagedObject
    let kind: Kind
    /// The object of the program's own class that stands for it, until hooks have been told.
    let representative: AnyObject?
    /// Its row as it is then.
    var row: (row: PackedRow, version: Int64)?
}

extension StoreContext {
    /// Writes what has changed so far.
    ///
    /// In a `write` that is within its transaction, and the end of the block does so by itself. In a context for
    /// editing it is a transaction of its own: if it throws, nothing is written and every change is
    /// still pending.
    ///
    /// A failure to decode that an accessor could not throw is thrown by the next save of a context for editing, unless
    /// the store only reports such failures (``Store/Options/Quarantine``); the save after that one goes ahead.
    ///
    /// What a setter or an insertion of a program's own class was refused is done now if it can be: the lock of another
    /// process may be gone. If not, this save and each one after it throws why, until that is set or inserted again,
    /// undone or rolled back.
    ///
    /// - Throws: ``StoreError``: a value cannot be stored or breaks a rule of the model, a deletion is denied, another
    ///   context has saved an object first, something was refused; and what a hook throws.
    public func save() throws {
        guard phase == .open else {
            guard phase == .settled else { throw StoreError(.misuse, "a hook of a save cannot save") }
            return
        }
        try noteMutations()
        guard !isEditing else { return try saveEdits() }
        try throwRefused()
        try flush()
        try refuseEqualTexts()
    }

    /// Writes what has changed in a block, so that SQL sees it.
    func flush() throws {
        guard hasPending else { return }
        defer {
            phase = .open
            forgetPrepared()
        }
        try prepare()
        phase = .writing
        let pending = changed
        try writePending([])
        release(pending)
    }

    private func saveEdits() throws {
        try retryRefused()
        // Whatever a getter could not decode is reported even if nothing is to be written.
        try throwFailures()
        guard hasPending else { return }
        defer {
            phase = .open
            forgetPrepared()
        }
        // What the save leads to is part of what is undone before it.
        try grouped { try prepare() }
        dropLists()
        // What hooks were refused.
        try throwRefused()
        do {
            try transaction { _ in
                phase = .writing
                let revived = try settleConflicts()
                try followDeleteRules(again: true)
                try enforceDenials()
                try writePending(revived)
                try refuseEqualTexts()
                try ReferenceCheck.run(schema, on: database())
                try throwRefused()
                for index in written.indices where written[index].kind != .deleted {
                    let object = written[index].object
                    written[index].row = try row(object.entity, object.number)
                }
            }
        } catch {
            written = []
            rewritableTexts = []
            changes = ChangeSet()
            _ = takeRecounted()
            throw error
        }
        for entry in written { entry.object.didSave(entry) }
        forgetChanges()
        // Streams that were kept until now have kept every sweep away.
        if schema.blobs != nil { store.sweepGarbage() }
        phase = .open
        try didCommit()
    }

    /// Lets hooks and delete rules have their say before anything is written.
    private func prepare() throws {
        phase = .preparing
        isObserved = isRehearsal || store.isObserved
        try runWillSave()
        try followDeleteRules(again: isEditing)
        try enforceDenials()
        try validatePending()
    }

    private func writePending(_ revived: [ManagedObject]) throws {
        let pending = changed
        try noteCounts(of: pending)
        let database = try database()
        // Deleting first frees the values that occur once.
        for object in pending where object.state == .deleted {
            try object.writeDeletion(database)
        }
        let stored = pending.filter { $0.state == .stored }
        try writeUpdates(of: stored.filter { object in !revived.contains { $0 === object } }, database)
        for object in revived where stored.contains(object) { try object.writeAgain() }
        for object in pending where object.state == .inserted {
            try object.writeInsertion()
        }
        try writePairs()
        if !isEditing {
            changed = []
            pairs = PairEdits()
            links.forgetSources()
        }
        try enforceCounts()
    }

    /// Notes what was written of an object; in a block that is final at once.
    func didWrite(_ object: ManagedObject, _ kind: WrittenObject.Kind, _ attributes: [StoredAttribute] = []) {
        if isObserved { changes.note(object.id, kind, attributes.map(\.name)) }
        let entry = WrittenObject(object: object, kind: kind, representative: object.representative)
        guard !isEditing else { return written.append(entry) }
        if !store.hooks.isEmpty { written.append(entry) }
        object.didWrite(kind)
    }

    /// Tells observers and hooks what the transaction has done.
    func didCommit() throws {
        store.noteCommit()
        store.publish(changes)
        changes = ChangeSet()
        let saved = written
        written = []
        if !isEditing { phase = .settled }
        var told: Set<ObjectIdentifier> = []
        for entry in saved where told.insert(ObjectIdentifier(entry.object)).inserted {
            try runHooks(\.didSave, of: entry.object)
        }
    }
}
