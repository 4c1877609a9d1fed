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
    // Values that were dropped from the slots, for a class's getters that have nothing else to give should the row
    // that is read next turn out to be damaged.
    private var former = SlotTable()
    // The object of a program's own class that stands for this one, if its class runs code when it goes, in which
    // the object may be asked for again.
    private weak var lastingFace: AnyObject?
    // The same for every other class, without a weak reference's cost: what holds the values lets go of it.
    private unowned var face: AnyObject?
    // Whether the context's list of what it has to write has this object.
    var isNoted = false
    // Whether the context looks for changes inside of its values when it saves.
    var isWatched = false
    // Whether it has been told that its row was read.
    var isAwake = false

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

    /// Whether it is, as far as its context knows, what was read of it.
    var isClean: Bool { state == .stored && !(isNoted && hasStoredChanges) }

    /// Whether a save has something to write of it, unless what was set turns out to be what is stored.
    var hasStoredChanges: Bool {
        entity.columns.contains { slots[$0.index]?.isDirty == true }
    }

    func fill(_ row: PackedRow, _ version: Int64) {
        if version != self.version { dropSlots { !$0.isDirty } }
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
        isAwake = false
        isNoted = false
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
    }

    /// Puts another slot in place of an attribute's.
    func replaceSlot(_ index: Int, _ slot: Slot?) -> Slot? {
        guard !slots.isEmpty || slot != nil else { return nil }
        if slots.isEmpty { slots = SlotTable(count: entity.attributes.count) }
        let earlier = slots[index]
        drop(index)
        slots[index] = slot
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
    }

    package func removeRepresentative() {
        face = nil
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
