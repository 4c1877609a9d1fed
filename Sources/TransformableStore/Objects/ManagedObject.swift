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
    /// Whether its hooks and its representative know the row.
    var awakeState: AwakeState
    /// The lists of to-many relationships that the context keeps.
    var lists = KeptLists()
    /// The object of the program's own class that represents this one.
    var represented = Representative()
    /// Whether the context's tables of pending changes are up to date.
    var tableMark = PendingTables.Mark()
    /// Whether its hooks were notified of its deletion.
    var deletionMark = HookState.Mark()
    /// Whether the context looks for in-place changes of its values when it saves.
    private(set) var isWatched = false

    /// Creates an object whose row was read, or a new one.
    init(
        _ entity: StoredEntity,
        _ number: Int64,
        in context: StoreContext,
        _ values: ObjectValues,
        isNew: Bool = false
    ) {
        self.entity = entity
        self.number = number
        self.context = context
        self.values = values
        lifecycle = ObjectLifecycle(isNew: isNew)
        awakeState = AwakeState(isNew: isNew)
    }

    convenience init(inserting entity: StoredEntity, _ number: Int64, in context: StoreContext) {
        self.init(entity, number, in: context, ObjectValues(row: .empty, version: 1), isNew: true)
    }

    /// Creates an object that has only its id.
    convenience init(fault entity: StoredEntity, _ number: Int64, in context: StoreContext) {
        self.init(entity, number, in: context, ObjectValues())
    }

    deinit {
        context.identities.remove(self)
    }

    /// Makes a fault that has no row a new object, because its number is now given to one.
    ///
    /// - Returns: `false` if there is more than its id in memory.
    func becomesNew() -> Bool {
        guard state == .stored, !isNoted, version == 0, representative == nil else { return false }
        values.dropAll(remembers: false)
        values.fill(.empty, 1)
        lifecycle = ObjectLifecycle(isNew: true)
        awakeState = AwakeState(isNew: true)
        return true
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
    var hasSetValues: Bool { awakeState.hasTransientChange || values.hasUnsaved }

    /// Whether a value that is kept only in memory was set since the object was last saved.
    var hasTransientChanges: Bool {
        awakeState.hasTransientChange || awakeState.isRepresentativeFilled || values.hasUnsavedTransients(of: entity)
    }

    /// Whether the representative keeps something in memory that the next save may store.
    ///
    /// What a filled one keeps is stored along with the values that the object got from it, unless they were undone.
    var hasTransientState: Bool {
        awakeState.hasTransientChange || awakeState.isRepresentativeFilled && values.hasUnsaved
    }

    /// Whether the object is unchanged since it was read, as far as its context knows.
    private var isClean: Bool { state == .stored && !(isNoted && (storesTransients ? hasSetValues : hasStoredChanges)) }

    /// Whether a hook may store values that are kept only in memory.
    var storesTransients: Bool { context.store.hooks.runWillSave(for: entity) }

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
        if isReplaced { fallAsleep() }
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
        dropRead()
        values.forgetRow()
    }

    /// Does the same, but keeps the row if values were set on top of it.
    ///
    /// The next save compares its version, and a newer one would hide a conflict.
    func turnIntoFaultUnlessChanged() {
        dropRead()
        if !hasStoredChanges { values.forgetRow() }
    }

    private func dropRead() {
        keepMutations()
        values.dropRead(of: entity, remembers: remembersValues)
    }

    /// Discards the row because there is a newer one, which is read when the object is next used.
    func outdate() {
        turnIntoFault()
        // A class that is told of the fetch keeps its state until then, because code may use the state before.
        fallAsleep(resetsProperties: !entity.tellsOfFetches)
    }

    /// Discards everything that was read or set, including values that are kept only in memory.
    func forget() {
        values.dropAll(remembers: remembersValues)
        values.forgetRow()
        lifecycle.forgetNote()
        awakeState.forgetTransientChange()
        fallAsleep()
    }

    /// Adopts the row that was read again, and keeps the values that were set.
    func readAgain(_ current: (row: PackedRow, version: Int64)) throws {
        turnIntoFault()
        fallAsleep(resetsProperties: !hasTransientState)
        replaceRow(current.row, current.version)
        try didLoad()
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
        if attribute.isMutableInPlace { watch() }
    }

    /// Makes the next save look for in-place changes of the object's values.
    private func watch() {
        // An object that is encoded on a separate thread is saved immediately.
        guard context.isWritable, !context.connection.isDetached else { return }
        keepRepresentative()
        guard !isWatched else { return }
        isWatched = true
        context.watch(self)
    }

    /// Records that the context no longer looks for in-place changes of its values.
    func unwatch() {
        isWatched = false
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
            guard let slot = values[attribute.index] else { continue }
            if attribute.isMutableInPlace { watch() }
            try encodeIfAsked(slot, attribute)
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
        awakeState.forgetTransientChange()
    }

    // MARK: Saving

    /// Records what was written in a block.
    func didWrite(_ kind: WrittenObject.Kind) {
        lifecycle.settle(isGone: kind == .deleted)
        guard kind != .deleted else { return }
        values.didWrite(isUpdate: kind == .updated)
        didSaveValues()
    }

    /// Records what a context for editing has committed.
    func didSave(_ entry: WrittenObject) {
        lifecycle.acknowledge(isGone: entry.row == nil)
        guard let (row, version) = entry.row else { return values.discardStreams() }
        let earlier = self.version
        values.fill(row, version)
        keepOriginals(since: earlier)
        didSaveValues()
    }

    private func didSaveValues() {
        awakeState.forgetTransientChange()
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
        fallAsleep(resetsProperties: false)
    }

    /// Records that everything that was set has been saved or discarded.
    func forgetNote() {
        lifecycle.forgetNote()
        awakeState.forgetTransientChange()
        for attribute in entity.transients { values[attribute.index]?.markSaved() }
    }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}

extension ManagedObject: Equatable {
    /// Returns a Boolean value that indicates whether two references are to the same object of the
    /// same context.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
        left === right
    }
}
