/// Whether an object's hooks and its representative know the row, and whether its transient properties were set since.
///
/// Both are notified of the row once, until the object falls asleep. What they set then is kept only in memory.
struct AwakeState {
    private enum Stage {
        /// It has not been notified that its row was read.
        case asleep
        /// It has been notified that its row was read.
        case awake
        /// It was notified, and a hook has failed.
        case failed
        /// It was inserted into this context and has not been read since.
        case inserted
    }

    private var stage: Stage
    /// Whether the representative knows that the row was read.
    private(set) var isRepresentativeAwake: Bool
    /// Whether a `@Transient` property of the object's class was set since the object was last saved.
    private(set) var hasTransientChange = false
    /// Whether the representative was filled by the program and has not been saved since.
    private(set) var isRepresentativeFilled = false

    /// Creates the state of an object whose row is yet to be read, or of a new one, which needs no notification.
    init(isNew: Bool) {
        stage = isNew ? .inserted : .asleep
        isRepresentativeAwake = isNew
    }

    /// Whether the object has been notified that its row was read.
    var isAwake: Bool { stage == .awake || stage == .inserted }

    /// Whether a hook has failed, so that hooks must run again before the row is used.
    var hasFailed: Bool { stage == .failed }

    /// Records that the row was read, before anything is done with it.
    fileprivate mutating func beginLoading() {
        stage = .awake
    }

    /// Records that the row cannot be used after all.
    fileprivate mutating func loadingFailed() {
        stage = .failed
    }

    /// Records that there is a representative.
    ///
    /// That of an object that was inserted here knows that. Otherwise, it is notified when the row is read.
    mutating func didSetRepresentative() {
        isRepresentativeAwake = stage == .inserted
        isRepresentativeFilled = false
    }

    /// Records that the representative is about to be notified.
    fileprivate mutating func willAwakeRepresentative() {
        isRepresentativeAwake = true
    }

    /// Records that the representative must be notified again.
    fileprivate mutating func awakingFailed() {
        isRepresentativeAwake = false
        if stage == .awake { stage = .asleep }
    }

    /// Records that the representative is not notified of the row, because it was filled by the program.
    ///
    /// This is not a change, so that nothing is left to save if what the object got along with it is undone.
    fileprivate mutating func willKeepFilledRepresentative() {
        isRepresentativeAwake = true
        isRepresentativeFilled = true
    }

    /// Records that hooks must run again when the row is next read.
    ///
    /// - Parameter sparingRepresentative: Whether the representative is not notified again.
    fileprivate mutating func fallAsleep(sparingRepresentative: Bool) {
        stage = .asleep
        if !sparingRepresentative { isRepresentativeAwake = false }
    }

    fileprivate mutating func noteTransientChange() {
        hasTransientChange = true
    }

    /// Records that `@Transient` properties have nothing left to save.
    mutating func forgetTransientChange() {
        hasTransientChange = false
        isRepresentativeFilled = false
    }
}

// MARK: - Notifications about fetches

extension ManagedObject {
    /// Runs what is due when the row has been read, once until the object is refreshed.
    func didLoad() throws {
        guard !awakeState.isAwake else { return }
        awakeState.beginLoading()
        do {
            for attribute in entity.eager {
                let slot = try slot(attribute)
                if let failure = slot.failure { context.record(failure) }
            }
            if !context.store.hooks.isEmpty {
                try keepingSetTransients {
                    try context.hookState.awaking { try context.runHooks(\.awakeFromFetch, of: self) }
                }
            }
            try awakeRepresentative()
        } catch {
            // The next access runs what is due. Otherwise, a hook that stores what this one has not computed would
            // overwrite the row.
            turnIntoFaultUnlessChanged()
            awakeState.loadingFailed()
            throw error
        }
    }

    /// Runs a closure after which the transient attributes that were set have the same values as before.
    private func keepingSetTransients(_ body: () throws -> Void) rethrows {
        guard values.hasUnsaved else { return try body() }
        let set = entity.transients.map { values.unsaved($0.index) }
        defer {
            for (attribute, slot) in zip(entity.transients, set) where slot != nil {
                _ = replaceSlot(attribute.index, slot)
            }
        }
        try body()
    }

    /// Notifies the representative again if a newer row of its object was found.
    package func awakeIfOutdated() throws {
        if !awakeState.isAwake, state == .stored { try awakeRepresentative() }
    }

    /// Notifies the representative that its object was fetched, once until it is refreshed.
    ///
    /// The row is read if necessary. In a migration, an object may lack values that a step must set. Its representative
    /// is not notified.
    package func awakeRepresentative() throws {
        guard entity.tellsOfFetches, !awakeState.isRepresentativeAwake, representative != nil else { return }
        // Reading the row notifies it, too.
        if state == .stored, !awakeState.isAwake { try requireRow() }
        // The code of its class may read any value.
        guard !awakeState.isRepresentativeAwake, let representative, try !awaitsValue() else { return }
        awakeState.willAwakeRepresentative()
        do {
            try context.hookState.awaking { try entity.description.entityClass?.awake?(representative) }
        } catch {
            awakeState.awakingFailed()
            throw error
        }
    }

    /// Notifies a representative that was filled by the program instead of fetched, unless what it keeps only in memory is
    /// yet to be stored.
    package func awakeFilledRepresentative() throws {
        guard storesTransients else { return try awakeRepresentative() }
        awakeState.willKeepFilledRepresentative()
    }
}

// MARK: - Values that are kept only in memory

extension ManagedObject {
    /// Makes hooks run again when the row is next read, and discards the values that are kept only in memory, unless they
    /// were set since the object was last saved.
    ///
    /// A representative is neither told nor reset if that could replace what was set and is yet to be stored. If no hook
    /// stores it, it may have been computed from the row, and is reset along with it.
    ///
    /// - Parameter resetsProperties: Whether `@Transient` properties of the class are reset to their initial values.
    func fallAsleep(resetsProperties: Bool = true) {
        let isYetToBeStored = hasTransientState && storesTransients
        awakeState.fallAsleep(sparingRepresentative: isYetToBeStored)
        values.dropTransients(of: entity)
        guard resetsProperties, !isYetToBeStored, let representative else { return }
        context.hookState.awaking { entity.description.entityClass?.reset?(representative) }
    }

    /// Computes the values that are kept only in memory again, after the row was replaced while its changes are saved.
    ///
    /// Hooks have stored what was set of them before, so it does not take precedence.
    func recompute() throws {
        let hadChanges = hasTransientChanges
        awakeState.forgetTransientChange()
        values.dropTransients(of: entity, evenIfSet: true)
        fallAsleep()
        try didLoad()
        // If the save fails, what was computed from unsaved values may have to be discarded along with them.
        if hadChanges, values.hasUnsaved { awakeState.noteTransientChange() }
    }

    /// Marks the object as changed because a `@Transient` property of its class was set, so that the next save calls
    /// `willSave()`.
    ///
    /// Nothing happens where setting such a property is not a change: in a read, while hooks for fetching run, and
    /// outside of the context's block.
    package func noteTransientChange() {
        guard context.notesTransientChanges, !isDeleted else { return }
        awakeState.noteTransientChange()
        note()
    }
}
