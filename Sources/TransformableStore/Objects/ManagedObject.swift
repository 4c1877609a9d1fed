/// An object of a store: a row whose attributes are decoded when they are read.
///
/// It belongs to its context and stays in the block that the context was given to.
///
/// ```swift
/// let name = try patient.value("name", as: String.self)
/// let ssn = try patient.value("ssn", as: String?.self)
/// try patient.setValue(CGRect(x: 0, y: 0, width: 2, height: 1), for: "bed")
/// ```
public final class ManagedObject {
    /// What becomes of the object when the context saves.
    enum State {
        case inserted
        case stored
        case deleted
        /// Deleted and gone, or never written.
        case gone
    }

    /// The object's number in its entity.
    let number: Int64
    let entity: StoredEntity
    /// The context it belongs to.
    public let context: StoreContext
    var state: State
    /// Whether the row must be read before it is used.
    var isFault: Bool
    /// The cells as they were last read.
    var row: PackedRow
    /// The row's version, which every update raises by one.
    var version: Int64
    var slots = SlotTable()
    // What its relationships to many lead to, at their places, as far as its context keeps that.
    var lists: [RelatedList?] = []
    // How many times an object was looked for where no list is kept.
    var lookups = 0
    // Values that were dropped from the slots, for a class's getters that have nothing else to give should the row
    // that is read next turn out to be damaged.
    private var former = SlotTable()
    // The object of a program's own class that stands for this one, if its class runs code when it goes, in which
    // the object may be asked for again.
    private weak var lastingFace: AnyObject?
    // The same for every other class, without a weak reference's cost: what holds the values lets go of it.
    private unowned var face: AnyObject?
    // The same object for as long as something of this one is not saved: its own state is for hooks to see.
    private var keptFace: AnyObject?
    // Whether that object knows that the row was read.
    private var isFaceAwake = false
    // Whether the context's list of what it has to write has this object.
    var isNoted = false
    // Whether the context looks for changes inside of its values when it saves.
    var isWatched = false
    // Whether the context's tables of what is pending do not have it as it is.
    var isOutOfDate = false
    // Whether it has been told that its row was read.
    private(set) var isAwake = false
    // Whether it was made here, and not read since.
    private var wasInserted = false
    // Whether its hooks were told that it is about to be deleted.
    var isPrepared = false

    init(_ entity: StoredEntity, _ number: Int64, in context: StoreContext, row: PackedRow, version: Int64) {
        self.entity = entity
        self.number = number
        self.context = context
        self.row = row
        self.version = version
        state = .stored
        isFault = false
    }

    init(inserting entity: StoredEntity, _ number: Int64, in context: StoreContext) {
        self.entity = entity
        self.number = number
        self.context = context
        row = .empty
        version = 1
        state = .inserted
        isFault = false
        isNoted = true
        isAwake = true
        wasInserted = true
        isFaceAwake = true
    }

    /// An object that is only its id.
    init(fault entity: StoredEntity, _ number: Int64, in context: StoreContext) {
        self.entity = entity
        self.number = number
        self.context = context
        row = .empty
        version = 0
        state = .stored
        isFault = true
    }

    deinit {
        context.unregister(entity, number)
    }

    /// Which object it is.
    public var id: ObjectID { ObjectID(entity: entity.name, number: number) }

    /// Whether it has been deleted.
    public var isDeleted: Bool { state == .deleted || state == .gone }

    /// Whether it is new and not yet written.
    public var isInserted: Bool { state == .inserted }

    /// The attributes that were set since the object was last written, in the model's order.
    public var changedAttributes: [String] {
        entity.attributes
            .filter { slots[$0.index]?.isDirty == true && !$0.description.isInternal }
            .map(\.name)
    }

    /// Whether anything was set since the object was last written, what is kept in memory only included.
    var hasSetValues: Bool {
        slots.indices.contains { slots[$0]?.isDirty == true }
    }

    /// Whether it is, as far as its context knows, what was read of it.
    var isClean: Bool { state == .stored && !(isNoted && hasStoredChanges) }

    /// Whether a save has something to write of it, unless what was set turns out to be what is stored.
    var hasStoredChanges: Bool {
        entity.columns.contains { slots[$0.index]?.isDirty == true }
    }

    func fill(_ row: PackedRow, _ version: Int64) {
        if version != self.version {
            dropSlots { !$0.isDirty }
            context.dropLists()
        }
        self.row = row
        self.version = version
        isFault = false
    }

    /// Forgets the decoded values of the row that satisfy a test.
    private func dropSlots(where isDropped: (Slot) -> Bool) {
        for attribute in entity.columns where !slots.isEmpty {
            if let slot = slots[attribute.index], isDropped(slot) { drop(attribute.index) }
        }
    }

    private func drop(_ index: Int) {
        if representative != nil, slots[index]?.hasValue == true {
            if former.isEmpty { former = SlotTable(count: entity.attributes.count) }
            former[index] = slots[index]
        }
        slots[index] = nil
    }

    /// The value that an attribute had before its slot was dropped.
    package func formerSlot(at index: Int) -> Slot? {
        former[index]
    }

    /// Forgets the row and what was decoded of it; what was set stays.
    func turnIntoFault() {
        dropSlots { !$0.isDirty }
        row = .empty
        isFault = true
    }

    /// Forgets everything that was read or set, and what is kept in memory only.
    func forget() {
        for index in slots.indices { drop(index) }
        slots = SlotTable()
        row = .empty
        isFault = true
        isNoted = false
        fallAsleep()
        if let representative { entity.description.face?.reset?(representative) }
    }

    /// Reads the row again, under what was set.
    func readAgain() throws {
        let set = entity.transients.map { slots.isEmpty ? nil : slots[$0.index] }
        turnIntoFault()
        fallAsleep()
        for attribute in entity.transients { _ = replaceSlot(attribute.index, nil) }
        try requireRow()
        // What was set goes before what the hooks have set now.
        for (attribute, slot) in zip(entity.transients, set) where slot?.isDirty == true {
            _ = replaceSlot(attribute.index, slot)
        }
    }

    /// Lets the hooks hear again that the row was read, the next time it is.
    func fallAsleep() {
        isAwake = false
        wasInserted = false
        isFaceAwake = false
    }

    /// Forgets what was set.
    func dropChanges() {
        for index in slots.indices where slots[index]?.isDirty == true { drop(index) }
        dropSlots { _ in isWatched }
    }

    /// Notes for the next save that something has changed.
    func note() {
        guard !isNoted else { return }
        isNoted = true
        context.noteChange(self)
        keepRepresentative()
        noteReferences()
    }

    /// Notes where the references lead that were read: as long as it has changes, they are what the context knows.
    private func noteReferences() {
        guard context.isEditing, state == .stored, !isFault else { return }
        for attribute in entity.references {
            guard let cell = attribute.cell, row.kind(cell) == .integer else { continue }
            context.links.note(self, attribute, row.integer(cell))
        }
    }

    /// Takes note that all that was set has been saved or given up.
    func forgetNote() {
        isNoted = false
        for attribute in entity.transients where !slots.isEmpty { slots[attribute.index]?.isDirty = false }
    }

    /// Puts another slot in place of an attribute's.
    func replaceSlot(_ index: Int, _ slot: Slot?) -> Slot? {
        guard !slots.isEmpty || slot != nil else { return nil }
        if slots.isEmpty { slots = SlotTable(count: entity.attributes.count) }
        let earlier = slots[index]
        drop(index)
        slots[index] = slot
        context.pendingTables?.note(self)
        return earlier
    }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}

// MARK: - Objects of a program's own classes

extension ManagedObject {
    /// The object of a program's own class that stands for this one.
    package var representative: AnyObject? { face ?? lastingFace }

    /// Lets an object of a program's own class stand for this one, until that object goes.
    ///
    /// - Parameters:
    ///   - face: The object, which must call ``removeRepresentative()`` when it goes.
    ///   - runsDeinit: Whether code of its class runs before that.
    package func setRepresentative(_ face: AnyObject, runsDeinit: Bool) {
        if runsDeinit { lastingFace = face } else { self.face = face }
        // Whoever was inserted here knows so, and a row that is not read yet tells it when it is.
        isFaceAwake = wasInserted
        if isNoted || isWatched { keepRepresentative() }
    }

    package func removeRepresentative() {
        face = nil
    }

    /// Keeps the representative alive until its object has nothing left to save.
    func keepRepresentative() {
        // An object that is encoded on a thread of its own is saved there and then.
        guard keptFace == nil, !context.isDetached else { return }
        keptFace = representative
    }

    /// Gives up the representative that was kept alive; code of its class may run when the caller lets go of it.
    func releaseRepresentative() -> AnyObject? {
        defer { keptFace = nil }
        return keptFace
    }

    /// Tells the representative that its object was fetched, once until it is refreshed; the row is read for that.
    package func awakeRepresentative() throws {
        guard entity.tellsOfFetches, !isFaceAwake, representative != nil else { return }
        // Reading the row tells it, too.
        if state == .stored, !isAwake { try requireRow() }
        guard !isFaceAwake, let representative else { return }
        isFaceAwake = true
        try context.awaking { try entity.description.face?.awake?(representative) }
    }
}

// MARK: - Hearing of a fetch

extension ManagedObject {
    /// Does what is due when the row has been read, once until the object is refreshed.
    func didLoad() throws {
        guard !isAwake else { return }
        isAwake = true
        for attribute in entity.eager {
            let slot = try slot(attribute)
            if let failure = slot.failure { context.record(failure) }
        }
        if !context.store.hooks.isEmpty { try context.awaking { try context.runHooks(\.awakeFromFetch, of: self) } }
        try awakeRepresentative()
    }
}

// MARK: - Writing

extension ManagedObject {
    /// Marks the object; true if the context has to know.
    func markDeleted() -> Bool {
        switch state {
        case .inserted:
            state = .gone
            return false
        case .stored:
            state = .deleted
            keepRepresentative()
            defer { isNoted = true }
            return !isNoted
        case .deleted, .gone: return false
        }
    }
}

extension ManagedObject: Equatable {
    /// Whether both are the same object of the same context.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
        left === right
    }
}
