/// What is in memory of an object's row: the cells as they were last read, and a slot for each attribute that was used.
///
/// Three things are always true:
///
/// - An object is a fault, whose row must be read before it is used, if and only if there are no cells.
/// - A slot that is not dirty has the value of a cell, or of an attribute that is kept only in memory. It is dropped
///   before a row with a different cell takes the place of the one that was read.
/// - A dirty slot has a value that was set. It stays until the value is written or discarded.
///
/// Releasing a slot may run a program's code, which may use the same object. For that reason, slots are replaced and
/// dropped without exclusive access: only methods that release no slot are mutating.
struct ObjectValues {
    // The cells as they were last read, or `nil` for a fault.
    private var cells: PackedRow?
    /// The row's version, which every update increments.
    private(set) var version: Int64
    private var slots: SlotTable

    /// Creates the values of a fault.
    init() {
        version = 0
        slots = SlotTable()
    }

    /// Creates the values of an object whose row was read, or the empty values of a new object.
    ///
    /// - Parameters:
    ///   - row: The cells.
    ///   - version: The row's version.
    ///   - slots: Slots with values that were decoded from the cells before.
    init(row: PackedRow, version: Int64, slots: SlotTable = SlotTable()) {
        cells = row
        self.version = version
        self.slots = slots
    }

    // MARK: The row

    /// Whether the row must be read before it is used.
    var isFault: Bool { cells == nil }

    /// The cells as they were last read, or none for a fault.
    var row: PackedRow { cells ?? .empty }

    /// Adopts a row that was read.
    ///
    /// Slots with values of cells that are different in this row must have been dropped.
    mutating func fill(_ row: PackedRow, _ version: Int64) {
        cells = row
        self.version = version
    }

    /// Forgets the row's cells.
    mutating func forgetRow() {
        cells = nil
    }

    /// Records that the row was inserted or updated.
    ///
    /// Its cells are read again when they are next needed.
    mutating func didWrite(isUpdate: Bool) {
        if isUpdate { version &+= 1 }
        cells = nil
    }

    // MARK: Slots

    /// The slot of the attribute at a position, or `nil` if the attribute has not been used.
    subscript(index: Int) -> Slot? { slots[index] }

    /// Returns a Boolean value that indicates whether an attribute has a value that has not been written yet.
    func isUnsaved(_ index: Int) -> Bool { slots[index]?.isDirty == true }

    /// The slot of the attribute at a position if its value has not been written yet.
    func unsaved(_ index: Int) -> Slot? { isUnsaved(index) ? slots[index] : nil }

    /// Whether any attribute has a value that has not been written yet.
    var hasUnsaved: Bool { slots.indices.contains(where: isUnsaved) }

    /// Whether a column has a value that has not been written yet.
    func hasUnsavedColumns(of entity: StoredEntity) -> Bool { entity.columns.contains { isUnsaved($0.index) } }

    /// Whether an attribute that is kept only in memory has a value that was set since the object was last saved.
    func hasUnsavedTransients(of entity: StoredEntity) -> Bool { entity.transients.contains { isUnsaved($0.index) } }

    /// The value that the attribute at a position had before its slot was dropped, if that was to be remembered.
    func former(_ index: Int) -> Slot? { slots.former(index) }

    /// Whether there is no room for slots, because no attribute has been used.
    var lacksRoom: Bool { slots.isEmpty }

    /// Makes room for slots, where there is none yet.
    ///
    /// The table is an argument, so that it is made before exclusive access begins. Otherwise, all access to an object's
    /// values would be checked at run time.
    mutating func makeRoom(_ table: SlotTable) {
        slots = table
    }

    /// Keeps a slot, for which there must be room.
    func keep(_ slot: Slot, at index: Int) {
        slots[index] = slot
    }

    /// Marks all slots as saved.
    ///
    /// A value that was written as a stream is not in memory. It is read from the file when it is needed.
    func markSaved() {
        for index in slots.indices {
            guard let slot = slots[index] else { continue }
            slot.markSaved()
            if slot.isStreamed { slots[index] = nil }
        }
    }

    /// Discards the files of values that were written as streams, because the object is gone.
    func discardStreams() {
        for index in slots.indices { slots[index]?.discardPending() }
    }

    // MARK: Dropping slots

    /// Drops the slot of the attribute at a position.
    ///
    /// - Parameters:
    ///   - index: The position.
    ///   - remembers: Whether its value can be asked for later. Getters of a program's class return it if the row that
    ///     is read next is damaged.
    func drop(_ index: Int, remembers: Bool) {
        if remembers, slots[index]?.hasValue == true { slots.remember(index) }
        slots[index] = nil
    }

    /// Drops the values that were read, but not those that were set.
    func dropRead(of entity: StoredEntity, remembers: Bool) {
        drop(entity.columns.lazy.map(\.index), remembers: remembers) { !$0.isDirty }
    }

    /// Drops the values that were read from cells that are different in a newer row.
    func dropRead(of entity: StoredEntity, remembers: Bool, replacedBy newer: PackedRow) {
        guard !slots.isEmpty else { return }
        for attribute in entity.columns {
            guard let cell = attribute.cell, slots[attribute.index]?.isDirty == false,
                !row.value(cell).isIdentical(to: newer.value(cell))
            else { continue }
            drop(attribute.index, remembers: remembers)
        }
    }

    /// Drops the values of derived attributes, because the row has new ones.
    func dropDerived(of entity: StoredEntity) {
        drop(entity.derived.lazy.map(\.index), remembers: false)
    }

    /// Drops the values that are kept only in memory.
    func dropTransients(of entity: StoredEntity, evenIfSet: Bool = false) {
        drop(entity.transients.lazy.map(\.index), remembers: false) { evenIfSet || !$0.isDirty }
    }

    /// Drops the values that were set.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - isWatched: Whether values that were read may have been changed in place, so that they are dropped as well.
    ///   - remembers: Whether the values can be asked for later.
    func dropChanges(of entity: StoredEntity, isWatched: Bool, remembers: Bool) {
        drop(slots.indices, remembers: remembers) { $0.isDirty }
        if isWatched { drop(entity.columns.lazy.map(\.index), remembers: remembers) }
    }

    /// Drops all slots.
    func dropAll(remembers: Bool) {
        drop(slots.indices, remembers: remembers)
    }

    /// Drops the slots at the given positions that satisfy a test.
    private func drop(_ indices: some Sequence<Int>, remembers: Bool, where isDropped: (Slot) -> Bool = { _ in true }) {
        guard !slots.isEmpty else { return }
        for index in indices {
            if let slot = slots[index], isDropped(slot) { drop(index, remembers: remembers) }
        }
    }
}

/// A slot for each attribute that was used, by its position in the entity.
///
/// The table is a single allocation, made when the first attribute is used. An array would need a type lookup and
/// checks for uniqueness and exclusive access for each attribute that a fetch reads.
@safe
struct SlotTable {
    private let buffer: SlotBuffer?

    /// Creates a table without room.
    init() {
        buffer = nil
    }

    /// Creates a table with room for a number of attributes.
    init(count: Int) {
        buffer = SlotBuffer.make(count)
    }

    /// Whether there is no room, because no attribute has been used.
    var isEmpty: Bool { buffer == nil }

    /// The positions that there is room for.
    var indices: Range<Int> { 0..<(buffer?.count ?? 0) }

    /// The slot at a position, or `nil` if the attribute has not been used.
    subscript(index: Int) -> Slot? {
        get { buffer?[index] }
        nonmutating set { buffer?[index] = newValue }
    }

    func former(_ index: Int) -> Slot? {
        buffer?.former?[index]
    }

    /// Keeps the slot at a position as a former one.
    func remember(_ index: Int) {
        guard let buffer else { return }
        if buffer.former == nil { buffer.former = SlotBuffer.make(buffer.count) }
        buffer.former?[index] = buffer[index]
    }
}

/// Contiguous slots.
private final class SlotBuffer: ManagedBuffer<SlotBuffer.Header, Slot?> {
    struct Header {
        let count: Int
        // Slots that were dropped, if there are any to remember.
        var former: SlotBuffer?
    }

    static func make(_ count: Int) -> SlotBuffer {
        let buffer = create(minimumCapacity: count) { _ in Header(count: count) }
        unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0.initialize(repeating: nil, count: count) }
        // `create` returns an instance of the class that it is called on.
        return unsafe unsafeDowncast(buffer, to: SlotBuffer.self)
    }

    deinit {
        // All elements are initialized as long as the buffer exists.
        _ = unsafe withUnsafeMutablePointers { header, slots in
            unsafe slots.deinitialize(count: header.pointee.count)
        }
    }

    var count: Int { header.count }

    var former: SlotBuffer? {
        get { header.former }
        set { header.former = newValue }
    }

    subscript(index: Int) -> Slot? {
        get { unsafe withPlace(index) { unsafe $0.pointee } }
        set { unsafe withPlace(index) { unsafe $0.pointee = newValue } }
    }

    /// Calls a closure with the memory of a slot.
    ///
    /// The count is read through its pointer. As a property, it would be checked for exclusive access at run time.
    private func withPlace<Result>(_ index: Int, _ body: (UnsafeMutablePointer<Slot?>) -> Result) -> Result {
        unsafe withUnsafeMutablePointers { header, slots in
            unsafe precondition(index >= 0 && index < header.pointee.count, "an attribute of another entity")
            return unsafe body(slots + index)
        }
    }
}
