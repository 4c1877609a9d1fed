public import Foundation
internal import Transformable

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
    // Empty until an attribute is touched.
    var slots: [Slot?] = []
    // Values that were dropped from the slots, for a class's getters that have nothing else to give should the row
    // that is read next turn out to be damaged.
    private var former: [Slot?] = []
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
    private var isAwake = false

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
        zip(entity.attributes, slots)
            .compactMap { attribute, slot in
                slot?.isDirty == true && !attribute.description.isInternal ? attribute.name : nil
            }
    }

    /// Whether it is, as far as its context knows, what was read of it.
    var isClean: Bool { state == .stored && !(isNoted && hasStoredChanges) }

    /// Whether a save has something to write of it, unless what was set turns out to be what is stored.
    var hasStoredChanges: Bool {
        zip(entity.attributes, slots).contains { $0.cell != nil && $1?.isDirty == true }
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
            if former.isEmpty { former = Array(repeating: nil, count: slots.count) }
            former[index] = slots[index]
        }
        slots[index] = nil
    }

    /// The value that an attribute had before its slot was dropped.
    package func formerSlot(at index: Int) -> Slot? {
        former.isEmpty ? nil : former[index]
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
        slots = []
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
        if slots.isEmpty { slots = Array(repeating: nil, count: entity.attributes.count) }
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

// MARK: - Slots

extension ManagedObject {
    /// The slot of an attribute, with its value if there is one.
    func slot(_ attribute: StoredAttribute) throws -> Slot {
        if !slots.isEmpty, let slot = slots[attribute.index] { return slot }
        let slot: Slot
        if state == .inserted || attribute.cell == nil {
            slot = Slot()
        } else {
            try requireReadable()
            slot = try load(attribute)
        }
        keep(slot, attribute)
        return slot
    }

    /// Checks that an attribute can be given a value: what is stored is not decoded for that.
    @usableFromInline
    func requireSettable(_ index: Int) throws {
        try context.requireWritable()
        try requireAlive()
        if let failure = entity.attributes[index].failure { throw failure }
        // A change that can be undone is compared with what was read before it.
        if context.isEditing, state == .stored { try requireRow() }
    }

    func keep(_ slot: Slot, _ attribute: StoredAttribute) {
        if slots.isEmpty {
            var first = [Slot?](repeating: nil, count: entity.attributes.count)
            first[attribute.index] = slot
            slots = first
        } else {
            slots[attribute.index] = slot
        }
        if attribute.isMutableInPlace, !isWatched, context.isWritable {
            isWatched = true
            context.watch(self)
        }
    }

    func requireAlive() throws(StoreError) {
        guard !isDeleted else {
            throw StoreError(.noSuchObject, "the object has been deleted", entity: entity.name, object: id)
        }
    }

    /// Hooks may read what is about to be deleted.
    private func requireReadable() throws(StoreError) {
        guard state == .deleted, context.isInHook else { return try requireAlive() }
    }

    func requireRow() throws {
        try requireReadable()
        guard isFault else { return }
        guard let (row, version) = try context.row(entity, number) else {
            throw StoreError(.noSuchObject, "the object is gone", entity: entity.name, object: id)
        }
        fill(row, version)
        try didLoad()
    }

    /// Sees to it that the row's version is known, against which it is written or deleted.
    func requireVersion() throws {
        if state == .stored, version == 0 { try requireRow() }
    }

    /// Puts a value that was set in the place of what was there.
    @usableFromInline
    func put(_ slot: Slot, _ index: Int) throws {
        let attribute = entity.attributes[index]
        try encodeIfAsked(slot, attribute)
        if context.isEditing { context.undoLog.add(.slot(self, index, slots.isEmpty ? nil : slots[index])) }
        slot.isDirty = true
        keep(slot, attribute)
        if attribute.cell != nil { note() }
    }

    /// Encodes a value that was set, where that is not left to the save.
    func encodeIfAsked(_ slot: Slot, _ attribute: StoredAttribute) throws {
        guard attribute.description.encoding == .onSet, attribute.cell != nil, !slot.isStreamed else { return }
        slot.encoded = try attribute.encode(slot, in: context.place(of: number, attribute, entity))
    }

    /// Does what is due when the row has been read, once until the object is refreshed.
    func didLoad() throws {
        guard !isAwake else { return }
        isAwake = true
        for attribute in entity.eager {
            let slot = try slot(attribute)
            if let failure = slot.failure { context.record(failure) }
        }
        try context.runHooks(\.awakeFromFetch, of: self)
    }
}

// MARK: - Values by name

extension ManagedObject {
    /// Gives the value of an attribute that has one.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values.
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/missingValue`` if there is none,
    ///   ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType`` or ``StoreError/Code/unknownAttribute``.
    @inlinable
    public func value<Value>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else { throw missingValue(name, Value.self) }
        return value
    }

    @usableFromInline
    func missingValue(_ name: String, _ type: any Any.Type) -> StoreError {
        StoreError(
            .missingValue,
            "it has no value; ask for “\(type)?” to have nil instead",
            entity: entity.name,
            attribute: name,
            object: id
        )
    }

    /// Gives the value of an attribute, or nil if it has none.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, decoded now if it was not yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/unknownAttribute``.
    @inlinable
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        if isComposite(name) { return try compositeValue(name, as: Value.self) }
        let slot = try decoded(name)
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return slot.hasValue ? try converted(slot, name) : nil
    }

    /// The slot of an attribute whose cell can be decoded.
    @usableFromInline
    func decoded(_ name: String) throws -> Slot {
        try decoded(entity.attribute(name))
    }

    func decoded(_ attribute: StoredAttribute) throws -> Slot {
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        return slot
    }

    /// The value of a slot of another type than the one asked for.
    @usableFromInline
    func converted<Value>(_ slot: Slot, _ name: String) throws -> Value? {
        try converted(slot, entity.attribute(name))
    }

    func converted<Value>(_ slot: Slot, _ attribute: StoredAttribute) throws -> Value? {
        try attribute.any(slot).map { try Self.convert($0, of: attribute) }
    }

    /// A value of one plain type as another that lies in a column alike.
    static func convert<Value>(_ value: Any, of attribute: StoredAttribute) throws -> Value {
        if let value = value as? Value { return value }
        if let plain = value as? any PlainValue, let target = Value.self as? any PlainValue.Type,
            let converted = try? target.init(column: plain.column()) as? Value
        {
            return converted
        }
        throw StoreError.wrongType(attribute, found: Value.self)
    }

    /// Gives the value of an attribute whose type is not known to the caller.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The value; nil if there is none.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable`` or ``StoreError/Code/unknownAttribute``.
    public func anyValue(_ name: String) throws -> Any? {
        let attribute = try entity.attribute(name)
        return try attribute.any(decoded(attribute))
    }

    /// Sets an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    @inlinable
    public func setValue<Value>(_ value: Value, for name: String) throws {
        try setValue(value as Value?, for: name)
    }

    /// Sets an attribute, or takes its value away.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    @inlinable
    public func setValue<Value>(_ value: Value?, for name: String) throws {
        if isComposite(name) { return try setComposite(name, to: value) }
        let index = try index(name)
        try requireSettable(index)
        try put(holds(Value.self, index) ? .holding(value) : slot(any: value, index), index)
    }

    @usableFromInline
    func index(_ name: String) throws -> Int {
        try entity.attribute(name).index
    }

    /// Whether an attribute's values are of a type.
    @usableFromInline
    func holds(_ type: any Any.Type, _ index: Int) -> Bool {
        entity.attributes[index].valueType == type
    }

    /// The slot of a value that may have to be converted to the attribute's type.
    @usableFromInline
    func slot(any value: Any?, _ index: Int) throws -> Slot {
        try entity.attributes[index].slot(any: value)
    }

    /// Sets an attribute to a value whose type is not known to the caller.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``. A value that cannot be stored shows when the context saves.
    public func setValue(any value: Any?, for name: String) throws {
        if isComposite(name) { return try setComposite(name, to: value) }
        let index = try index(name)
        try requireSettable(index)
        try put(slot(any: value, index), index)
    }

    /// Sets an attribute to what a person has written.
    ///
    /// - Parameters:
    ///   - text: The value in its human form: text, a number, an ISO 8601 date, what a transformer's form reads.
    ///   - name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/invalidValue`` if it is none,
    ///   ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/readOnly``.
    public func setValue(text: String, for name: String) throws {
        let attribute = try entity.attribute(name)
        try setValue(any: attribute.value(fromText: text), for: name)
    }

    /// Takes an attribute's value away.
    ///
    /// - Parameter name: The attribute's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/readOnly``.
    public func removeValue(for name: String) throws {
        try setValue(any: nil, for: name)
    }

    /// Gives what the attribute's cell in the file holds, whether it can be decoded or not.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: What is stored; ``ColumnValue/null`` for an object that is not written yet.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/noSuchObject``.
    public func storedValue(_ name: String) throws -> ColumnValue {
        let attribute = try entity.attribute(name)
        guard state != .inserted else { return .null }
        let (row, cell) = try stored(attribute)
        return row.value(cell)
    }

    /// Gives the bytes that the attribute's cell in the file holds or names, whether they can be decoded or not.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The bytes of a blob or of a text; nil for a number or where there is nothing.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/noSuchObject``.
    public func encodedBytes(_ name: String) throws -> Data? {
        let attribute = try entity.attribute(name)
        if attribute.isExternal, state != .inserted {
            let (row, cell) = try stored(attribute)
            if let blob = try blob(attribute, in: row, cell) { return try bytes(of: blob) }
        }
        return switch try storedValue(name) {
        case .blob(let bytes), .brokenText(let bytes): bytes
        case .text(let text): Data(text.utf8)
        case .null, .integer, .real: nil
        }
    }

    /// Says why an attribute's stored bytes give no value.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The failure; nil if the attribute can be read.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute`` or ``StoreError/Code/noSuchObject``.
    public func failure(of name: String) throws -> StoreError? {
        try slot(entity.attribute(name)).failure
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
