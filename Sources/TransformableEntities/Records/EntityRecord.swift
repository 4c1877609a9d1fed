public import TransformableStore

/// The values of an entity object: its own before insertion, and those of the managed object from then on.
///
/// The record is stored inline, so that an entity object needs only one allocation in addition to the managed object.
/// The accessors that `@Entity` generates call it with the index of their attribute. Accessors cannot throw; their
/// errors are thrown by the enclosing `read`, `write`, or `save`.
public struct _EntityRecord: ~Copyable {
    // The managed object, which is missing before insertion.
    @usableFromInline let stored = SetOnceReference<ManagedObject>()
    // The values that were set before insertion, if any.
    private let draft = SetOnceReference<EntityDraft>()

    /// Creates the record of an object that is not inserted.
    public init() {}

    deinit {
        let isSecond = isSecond
        stored.borrow { $0.removeRepresentative(isSecond: isSecond) }
    }

    /// The managed object, or nil before insertion.
    @inlinable public var object: ManagedObject? { stored.value }

    /// Attaches the record to a managed object.
    ///
    /// References are connected later, once all objects exist.
    ///
    /// - Parameter object: The managed object.
    @inlinable
    public func attach(_ object: ManagedObject) {
        stored.set(object)
    }

    /// Detaches the record from a managed object that was not inserted after all.
    ///
    /// The object gets back the values that it had before.
    func detach() {
        draft.value?.isSecond = false
        stored.clear()
    }

    /// Marks the object as changed after a `@Transient` property was set.
    public func noteTransientChange() {
        stored.value?.noteTransientChange()
    }
}

/// The values of an object that is not inserted.
private final class EntityDraft {
    // Indexed by attribute.
    var slots: [Slot?] = []
    // Keyed by the index of the relationship.
    var references: [Int: any EntityList] = [:]
    // Whether another entity object already represents the managed object.
    var isSecond = false
    // The ids of related objects, keyed by the index of the to-one relationship. They replace references.
    var ids: [Int: ObjectID] = [:]
}

extension _EntityRecord {
    private func makeDraft() -> EntityDraft {
        if let draft = draft.value { return draft }
        let made = EntityDraft()
        draft.set(made)
        return made
    }

    /// The values before insertion, indexed by attribute.
    var slots: [Slot?] { draft.value?.slots ?? [] }

    /// The related objects before insertion, keyed by the index of the relationship.
    var references: [Int: any EntityList] { draft.value?.references ?? [:] }

    func setReferences<Destination: Entity>(_ others: [Destination], _ index: Int) {
        let draft = makeDraft()
        draft.references[index] = RelatedEntities(others)
        draft.ids[index] = nil
    }

    /// Whether another entity object already represents the managed object, whose values both share.
    private var isSecond: Bool { draft.value?.isSecond ?? false }

    /// Attaches the record to a managed object that another entity object already represents.
    func attachSecond(_ object: ManagedObject) {
        makeDraft().isSecond = true
        stored.set(object)
    }

    /// The ids of related objects, keyed by the index of the to-one relationship.
    var referenceIDs: [Int: ObjectID] { draft.value?.ids ?? [:] }

    func setReference(_ id: ObjectID?, _ index: Int) {
        let draft = makeDraft()
        draft.references[index] = nil
        draft.ids[index] = id
    }

    /// Forgets the references that were set before insertion.
    func forgetReferences() {
        draft.value?.references = [:]
    }
}

@available(*, unavailable)
extension _EntityRecord: Sendable {}

// MARK: - Values

extension _EntityRecord {
    /// Returns the value of an optional attribute.
    ///
    /// - Parameter index: The index of the attribute.
    /// - Returns: The value, or nil if there is none or it cannot be decoded.
    @inlinable
    public func value<Value>(_ index: Int) -> Value? {
        stored(index)
    }

    @inlinable
    func stored<Value>(_ index: Int) -> Value? {
        guard let slot = slot(index) else { return nil }
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return slot.hasValue ? converted(slot, index) : nil
    }

    /// Returns the slot of an attribute, or nil if it cannot be read or is not set yet.
    @usableFromInline
    func slot(_ index: Int) -> Slot? {
        guard stored.isSet else { return slots.indices.contains(index) ? slots[index] : nil }
        return stored.borrow { object in
            do {
                return try object.decoded(at: index)
            } catch {
                note(error, in: object)
                return nil
            }
        }
    }

    @usableFromInline
    func converted<Value>(_ slot: Slot, _ index: Int) -> Value? {
        guard let object else { return nil }
        do {
            return try object.converted(slot, at: index)
        } catch {
            note(error, in: object)
            return nil
        }
    }

    /// Returns the value of a required attribute.
    ///
    /// - Parameter index: The index of the attribute.
    /// - Returns: The value. If a plain value cannot be read, the result is zero, empty text, or a similar default.
    @inlinable
    @_disfavoredOverload
    public func value<Value>(_ index: Int) -> Value {
        stored(index) ?? placeholder(index)
    }

    /// Returns the value of an attribute that has an initial value.
    ///
    /// - Parameters:
    ///   - index: The index of the attribute.
    ///   - initial: The initial value.
    /// - Returns: The value, or the initial value if it cannot be decoded.
    @inlinable
    @_disfavoredOverload
    public func value<Value>(_ index: Int, or initial: @autoclosure () -> Value) -> Value {
        stored(index) ?? initialValue(initial(), index)
    }

    /// Returns the value of an optional attribute that has an initial value.
    ///
    /// - Parameters:
    ///   - index: The index of the attribute.
    ///   - initial: The initial value.
    /// - Returns: The value, or nil if there is none or it cannot be decoded.
    @inlinable
    public func value<Value>(_ index: Int, or initial: @autoclosure () -> Value?) -> Value? {
        guard object == nil, !hasDraft(index) else { return stored(index) }
        let value = initial()
        setInitial(value, index)
        return value
    }

    /// Sets the value of an attribute.
    ///
    /// - Parameters:
    ///   - value: The value, or nil to remove it.
    ///   - index: The index of the attribute.
    @inlinable
    public func setValue<Value>(_ value: Value?, _ index: Int) {
        guard let object else { return setDraft(.holding(value), index) }
        do {
            try object._setValue(value, at: index)
        } catch {
            refuse(error, in: object, at: index) { try object._setValue(value, at: index) }
        }
    }
}

// MARK: - Before the insertion

extension _EntityRecord {
    @usableFromInline
    func hasDraft(_ index: Int) -> Bool {
        slots.indices.contains(index) && slots[index] != nil
    }

    @usableFromInline
    func draftValue<Value>(_ index: Int) -> Value? {
        guard slots.indices.contains(index) else { return nil }
        return (slots[index] as? ValueSlot<Value>)?.value
    }

    @usableFromInline
    func setDraft(_ slot: Slot, _ index: Int) {
        let draft = makeDraft()
        draft.slots += Array(repeating: nil, count: max(0, index + 1 - draft.slots.count))
        draft.slots[index] = slot
    }

    /// Sets the initial value of an attribute, unless it is already set.
    @usableFromInline
    func setInitial<Value>(_ value: Value?, _ index: Int) {
        if !hasDraft(index) { setDraft(.holding(value), index) }
    }
}

// MARK: - Errors that cannot be thrown

extension _EntityRecord {
    /// Returns a placeholder for a value that a getter cannot return.
    @usableFromInline
    func placeholder<Value>(_ index: Int) -> Value {
        guard let value = draftValue(index) ?? formerValue(index) ?? Placeholder.value(of: Value.self) else {
            let name = object.flatMap { object in
                (try? object._attributeName(at: index)).map { "“\(object.id.entity).\($0)”" }
            }
            let attribute = name ?? "the attribute at index \(index)"
            preconditionFailure("\(attribute) has no value yet; set it before you read it")
        }
        return value
    }

    private func formerValue<Value>(_ index: Int) -> Value? {
        (object?.formerSlot(at: index) as? ValueSlot<Value>)?.value
    }

    @usableFromInline
    func initialValue<Value>(_ initial: Value, _ index: Int) -> Value {
        if object == nil { setInitial(initial, index) }
        return initial
    }

    @usableFromInline
    func note(_ error: any Error, in object: ManagedObject) {
        object.context.record(StoreError(any: error))
    }

    @usableFromInline
    func refuse(
        _ error: any Error,
        in object: ManagedObject,
        at index: Int,
        _ retry: @escaping () throws -> Void
    ) {
        object.context.refuse(StoreError(any: error), object, attributeAt: index, retry: retry)
    }

    /// Records a refused change of a relationship, which was to be set as a whole or modified.
    func refuse(
        _ error: any Error,
        in object: ManagedObject,
        relationship index: Int,
        isWhole: Bool,
        _ retry: @escaping () throws -> Void
    ) {
        let error = StoreError(any: error)
        object.context.refuse(error, object, relationshipAt: index, isWhole: isWhole, retry: retry)
    }
}

extension StoreError {
    fileprivate init(any error: any Error) {
        self = error as? Self ?? Self(.misuse, "the attribute cannot be accessed", underlying: error)
    }
}
