/// An object of a store: a row whose attributes are decoded when they are read.
///
/// An object belongs to its context. If the context belongs to a block, the object is valid only inside the block.
///
/// ```swift
/// let name = try patient.value("name", as: String.self)
/// let ssn = try patient.value("ssn", as: String?.self)
/// try patient.setValue(CGRect(x: 0, y: 0, width: 2, height: 1), for: "bed")
/// ```
public final class ManagedObject {
    /// The object's number in its entity.
    let number: Int64
    let entity: StoredEntity
    /// The context that the object belongs to.
    public let context: StoreContext
    /// What the next save does with it.
    var lifecycle: ObjectLifecycle
    /// Its row as it was last read, and the values of its attributes.
    private(set) var values: ObjectValues
    /// The lists of to-many relationships that the context keeps.
    var lists = KeptLists()
    // The object of the program's own class that represents this one.
    private var represented: Representative
    // Whether the context looks for in-place changes of its values when it saves.
    var isWatched = false
    // Whether the context's tables of pending changes are out of date for this object.
    var isOutOfDate = false
    // Whether it has been notified that its row was read.
    private(set) var isAwake = false
    // Whether it was inserted into this context and has not been read since.
    private var wasInserted = false
    // Whether its hooks were notified of its deletion.
    var isPrepared = false
    // Whether a `@Transient` property of its class was set since the object was last saved.
    private var hasTransientChange = false

    /// Creates an object whose row was read.
    init(_ entity: StoredEntity, _ number: Int64, in context: StoreContext, _ values: ObjectValues) {
        self.entity = entity
        self.number = number
        self.context = context
        self.values = values
        lifecycle = ObjectLifecycle(isNew: false)
        represented = Representative(isAwake: false)
    }

    init(inserting entity: StoredEntity, _ number: Int64, in context: StoreContext) {
        self.entity = entity
        self.number = number
        self.context = context
        values = ObjectValues(row: .empty, version: 1)
        lifecycle = ObjectLifecycle(isNew: true)
        isAwake = true
        wasInserted = true
        represented = Representative(isAwake: true)
    }

    /// Creates an object that has only its id.
    init(fault entity: StoredEntity, _ number: Int64, in context: StoreContext) {
        self.entity = entity
        self.number = number
        self.context = context
        values = ObjectValues()
        lifecycle = ObjectLifecycle(isNew: false)
        represented = Representative(isAwake: false)
    }

    deinit {
        context.identities.remove(entity, number)
    }

    /// The object's id.
    public var id: ObjectID { ObjectID(entity: entity.name, number: number) }

    /// The attributes and to-one relationships that were set since the object was last written, in the model's order.
    public var changedAttributes: [String] {
        entity.reportedNames(
            of: entity.attributes.filter { values.isUnsaved($0.index) && !$0.description.isInternal }
        )
    }

    /// Whether anything was set since the object was last written, including attributes that are kept only in memory.
    var hasSetValues: Bool { hasTransientChange || values.hasUnsaved }

    /// Whether a value that is kept only in memory was set since the object was last saved.
    var hasTransientChanges: Bool { hasTransientChange || values.hasUnsavedTransients(of: entity) }

    /// Whether the object is unchanged since it was read, as far as its context knows.
    var isClean: Bool { state == .stored && !(isNoted && (storesTransients ? hasSetValues : hasStoredChanges)) }

    // Whether a hook may store values that are kept only in memory.
    private var storesTransients: Bool { context.store.hooks.runWillSave(for: entity) }

    /// Whether a save has something to write, unless the values that were set turn out to be equal to those stored.
    var hasStoredChanges: Bool { values.hasUnsavedColumns(of: entity) }

    // MARK: The row

    /// Whether the row must be read before it is used.
    var isFault: Bool { values.isFault }

    /// The cells as they were last read.
    var row: PackedRow { values.row }

    /// The row's version, which every update increments.
    var version: Int64 { values.version }

    /// Adopts a row that was read.
    ///
    /// If it replaces another version, ``didLoad()`` must be called.
    func fill(_ row: PackedRow, _ version: Int64) {
        let isReplaced = self.version != 0 && version != self.version
        replaceRow(row, version)
        guard isReplaced else { return }
        fallAsleep()
        resetTransients()
    }

    /// Adopts a row that was read, and keeps what was computed from the one before.
    func replaceRow(_ row: PackedRow, _ version: Int64) {
        if version != self.version {
            keepMutations()
            values.dropRead(of: entity, remembers: remembersValues)
            context.dropLists()
        } else if !isFault, row != self.row {
            // A program that writes with SQL has changed the row.
            keepMutations()
            values.dropRead(of: entity, remembers: remembersValues, replacedBy: row)
            context.dropLists()
        }
        values.fill(row, version)
    }

    /// Returns a Boolean value that indicates whether a newer version of the row replaces the one that was read.
    ///
    /// This is the case unless the object has changes.
    func isOutdated(by version: Int64) -> Bool {
        guard !isFault, version != self.version else { return false }
        keepMutations()
        return isClean
    }

    /// Discards the row and its decoded values.
    ///
    /// Values that were set are kept.
    func turnIntoFault() {
        keepMutations()
        values.dropRead(of: entity, remembers: remembersValues)
        values.forgetRow()
    }

    /// Discards the row because there is a newer one, which is read when the object is next used.
    func outdate() {
        turnIntoFault()
        fallAsleep()
        // A class that is told of the fetch keeps its state until then, because code may use the state before.
        if entity.tellsOfFetches { values.dropTransients(of: entity) } else { resetTransients() }
    }

    /// Discards everything that was read or set, including values that are kept only in memory.
    func forget() {
        values.dropAll(remembers: remembersValues)
        values.forgetRow()
        lifecycle.forgetNote()
        hasTransientChange = false
        fallAsleep()
        resetTransients()
    }

    /// Adopts the row that was read again, and keeps the values that were set.
    func readAgain(_ current: (row: PackedRow, version: Int64)) throws {
        turnIntoFault()
        fallAsleep()
        resetTransients()
        fill(current.row, current.version)
        try didLoad()
    }

    /// Computes the values that are kept only in memory again, after the row was replaced while its changes are saved.
    ///
    /// Hooks have stored what was set of them before, so it does not take precedence.
    func recompute() throws {
        let hadChanges = hasTransientChanges
        hasTransientChange = false
        values.dropTransients(of: entity, evenIfSet: true)
        fallAsleep()
        resetTransients()
        try didLoad()
        // If the save fails, what was computed from unsaved values may have to be discarded along with them.
        hasTransientChange = hadChanges && values.hasUnsaved
    }

    /// Discards the values that are kept only in memory, unless they were set since the object was last saved.
    private func resetTransients() {
        values.dropTransients(of: entity)
        guard !hasTransientChange, let representative else { return }
        context.hookState.awaking { entity.description.entityClass?.reset?(representative) }
    }

    // MARK: Values

    // Whether its class's getters may ask for values that were dropped.
    private var remembersValues: Bool { representative != nil }

    /// Returns the value that an attribute had before its slot was dropped.
    package func formerSlot(at index: Int) -> Slot? {
        values.former(index)
    }

    private func makeRoom() {
        if values.lacksRoom { values.makeRoom(SlotTable(count: entity.attributes.count)) }
    }

    /// Keeps the slot of an attribute that was decoded or set.
    func keep(_ slot: Slot, _ attribute: StoredAttribute) {
        makeRoom()
        values.keep(slot, at: attribute.index)
        if slot.isDirty { context.work.touch(self) }
        guard attribute.isMutableInPlace, context.isWritable else { return }
        keepRepresentative()
        guard !isWatched else { return }
        isWatched = true
        context.watch(self)
    }

    /// Adopts the values that a program's own object has collected.
    ///
    /// - Parameters:
    ///   - slots: The values, at the positions of their attributes.
    ///   - adopt: Makes the program's object represent this object.
    /// - Throws: `StoreError` if a value is encoded when it is set and cannot be encoded.
    package func adopt(_ slots: [Slot?], _ adopt: (ManagedObject) -> Void) throws {
        makeRoom()
        for (index, slot) in slots.enumerated() {
            guard let slot else { continue }
            slot.markUnsaved()
            values.keep(slot, at: index)
        }
        adopt(self)
        for attribute in entity.attributes {
            if let slot = values[attribute.index] { try encodeIfAsked(slot, attribute) }
        }
    }

    /// Replaces an attribute's slot, and returns the earlier one.
    func replaceSlot(_ index: Int, _ slot: Slot?) -> Slot? {
        let earlier = values[index]
        values.drop(index, remembers: remembersValues)
        if let slot {
            makeRoom()
            values.keep(slot, at: index)
        }
        context.work.touch(self)
        return earlier
    }

    /// Discards the values that were set.
    func dropChanges() {
        values.dropChanges(of: entity, isWatched: isWatched, remembers: remembersValues)
        hasTransientChange = false
    }

    // MARK: Saving

    /// Records what was written in a block.
    func didWrite(_ kind: WrittenObject.Kind) {
        lifecycle.didWrite(isGone: kind == .deleted)
        guard kind != .deleted else { return }
        values.didWrite(isUpdate: kind == .updated)
        didSaveValues()
    }

    /// Records what a context for editing has committed.
    func didSave(_ entry: WrittenObject) {
        lifecycle.acknowledge(isGone: entry.row == nil)
        guard let (row, version) = entry.row else { return values.discardStreams() }
        values.fill(row, version)
        didSaveValues()
    }

    private func didSaveValues() {
        hasTransientChange = false
        values.dropDerived(of: entity)
        values.markSaved()
    }

    /// Discards all changes, including that the object was inserted or deleted.
    func rollBack() {
        lifecycle.rollBack()
        dropChanges()
        lifecycle.forgetNote()
    }

    /// Records that another context has written the row of the deleted object again.
    func reappear() {
        lifecycle.acknowledge(isGone: false)
        values.dropAll(remembers: false)
        values.forgetRow()
        fallAsleep()
    }

    /// Makes hooks run again when the row is next read.
    ///
    /// A representative is not told if that could replace what was set and is yet to be stored.
    func fallAsleep() {
        isAwake = false
        wasInserted = false
        if !(hasTransientChange && storesTransients) { represented.isAwake = false }
    }

    /// Records that everything that was set has been saved or discarded.
    func forgetNote() {
        lifecycle.forgetNote()
        hasTransientChange = false
        for attribute in entity.transients { values[attribute.index]?.markSaved() }
    }

    /// Marks the object as changed because a `@Transient` property of its class was set, so that the next save calls
    /// `willSave()`.
    ///
    /// Nothing happens where setting such a property is not a change: in a read, while hooks for fetching run, and
    /// outside of the context's block.
    package func noteTransientChange() {
        guard context.notesTransientChanges, !isDeleted else { return }
        hasTransientChange = true
        note()
    }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}

// MARK: - Objects of a program's own classes

extension ManagedObject {
    /// The object of a program's own class that represents this one.
    package var representative: AnyObject? { represented.object }

    /// Makes an object of a program's own class represent this one until it is deinitialized.
    ///
    /// - Parameters:
    ///   - object: The object, which must call ``removeRepresentative(isSecond:)`` when it is deinitialized.
    ///   - runsDeinit: Whether code of its class runs before that.
    package func setRepresentative(_ object: AnyObject, runsDeinit: Bool) {
        represented.set(object, runsDeinit: runsDeinit)
        // An object that was inserted here knows that. An object whose row is not read yet is notified when it is.
        represented.isAwake = wasInserted
        if isNoted || isWatched { keepRepresentative() }
    }

    /// Forgets the representative, which is being deinitialized.
    ///
    /// - Parameter isSecond: Whether another object represents this one as well, which it still does.
    package func removeRepresentative(isSecond: Bool) {
        if !isSecond { represented.removePlain() }
        context.lost.note(self)
    }

    /// Stops the representative from representing this object, because the object was not inserted after all.
    package func dismissRepresentative() {
        let dismissed = represented.dismiss()
        withExtendedLifetime(dismissed) {}
    }

    /// Retains the representative until its object has nothing left to save.
    func keepRepresentative() {
        // An object that is encoded on a separate thread is saved immediately.
        if !context.connection.isDetached { represented.keep() }
    }

    /// Returns the retained representative and stops retaining it.
    ///
    /// Code of its class may run when the caller releases it.
    func releaseRepresentative() -> AnyObject? {
        represented.release()
    }

    /// Notifies the representative again if a newer row of its object was found.
    package func awakeIfOutdated() throws {
        if !isAwake, state == .stored { try awakeRepresentative() }
    }

    /// Notifies the representative that its object was fetched, once until it is refreshed.
    ///
    /// The row is read if necessary. In a migration, an object may lack values that a step must set. Its representative
    /// is not notified.
    package func awakeRepresentative() throws {
        guard entity.tellsOfFetches, !represented.isAwake, representative != nil else { return }
        // Reading the row notifies it, too.
        if state == .stored, !isAwake { try requireRow() }
        // The code of its class may read any value.
        guard !represented.isAwake, let representative, try !awaitsValue() else { return }
        represented.isAwake = true
        try context.hookState.awaking { try entity.description.entityClass?.awake?(representative) }
    }
}

// MARK: - Notifications about fetches

extension ManagedObject {
    /// Runs what is due when the row has been read, once until the object is refreshed.
    func didLoad() throws {
        guard !isAwake else { return }
        isAwake = true
        do {
            for attribute in entity.eager {
                let slot = try slot(attribute)
                if let failure = slot.failure { context.record(failure) }
            }
        } catch {
            // The next access reads the row again, and runs what is due then.
            turnIntoFault()
            isAwake = false
            throw error
        }
        if !context.store.hooks.isEmpty {
            try keepingSetTransients {
                try context.hookState.awaking { try context.runHooks(\.awakeFromFetch, of: self) }
            }
        }
        try awakeRepresentative()
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
}

extension ManagedObject: Equatable {
    /// Returns a Boolean value that indicates whether two references are to the same object of the
    /// same context.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
        left === right
    }
}
