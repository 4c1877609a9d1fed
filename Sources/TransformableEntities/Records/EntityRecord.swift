public import TransformableStore

/// The values of one entity object: its own until it is inserted, those of its context's object from then on.
///
/// It lies in the object itself, so that an object of a class costs one allocation beside the store's object. The
/// accessors that `@Entity` writes call it with the place of their attribute. They cannot throw, so what fails in
/// them is thrown by the `read`, `write` or `save` around them.
public struct _EntityRecord: ~Copyable {
    // The store's object; none before the insertion.
    @usableFromInline let stored = OnceReference<ManagedObject>()
    // What was set before the insertion; none if nothing was.
    private let draft = OnceReference<EntityDraft>()

    /// Makes the record of an object that is in no store yet.
    public init() {}

    deinit {
        if !isSecond { stored.borrow { $0.removeRepresentative() } }
    }

    /// The store's object; nil before the insertion.
    @inlinable public var object: ManagedObject? { stored.value }

    /// Lets the values be those of a store's object, from now on; the references wait until all objects are there.
    ///
    /// - Parameter object: The object.
    @inlinable
    public func attach(_ object: ManagedObject) {
        stored.set(object)
    }
}

/// What an object that is in no store has.
private final class EntityDraft {
    // At the places of their attributes.
    var slots: [Slot?] = []
    // By the places of their relationships.
    var references: [Int: any EntityList] = [:]
    // Whether another object of the program stands for the store's.
    var isSecond = false
    // Numbers of objects that relationships to one lead to, by the places of these; in the stead of references.
    var numbers: [Int: Int64] = [:]
}

extension _EntityRecord {
    private func makeDraft() -> EntityDraft {
        if let draft = draft.value { return draft }
        let made = EntityDraft()
        draft.set(made)
        return made
    }

    /// The values before the insertion, at the places of their attributes.
    var slots: [Slot?] { draft.value?.slots ?? [] }

    /// Where relationships lead before the insertion, by their places.
    var references: [Int: any EntityList] { draft.value?.references ?? [:] }

    func setReferences<Destination: Entity>(_ others: [Destination], _ index: Int) {
        let draft = makeDraft()
        draft.references[index] = RelatedEntities(others)
        draft.numbers[index] = nil
    }

    /// Whether another object of the program stands for the store's, whose values both have.
    private var isSecond: Bool { draft.value?.isSecond ?? false }

    /// Lets the values be those of a store's object for which another object of the program stands already.
    func attachSecond(_ object: ManagedObject) {
        makeDraft().isSecond = true
        stored.set(object)
    }

    /// The numbers of objects that relationships to one lead to, by their places.
    var referenceNumbers: [Int: Int64] { draft.value?.numbers ?? [:] }

    func setReference(number: Int64?, _ index: Int) {
        let draft = makeDraft()
        draft.references[index] = nil
        draft.numbers[index] = number
    }

    /// The references that waited for the insertion.
    func takeReferences() -> [Int: [any Entity]] {
        defer { draft.value?.references = [:] }
        return references.mapValues(\.entities)
    }
}

@available(*, unavailable)
extension _EntityRecord: Sendable {}

// MARK: - Values

extension _EntityRecord {
    /// Gives the value of an attribute that may have none.
    ///
    /// - Parameter index: The attribute's place.
    /// - Returns: The value; nil if there is none, or if it cannot be decoded.
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

    /// The slot of an attribute; nil if it cannot be read, or is not set yet.
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

    /// Gives the value of an attribute that has one.
    ///
    /// - Parameter index: The attribute's place.
    /// - Returns: The value; if a plain one cannot be read, zero or what is like it.
    @inlinable
    @_disfavoredOverload
    public func value<Value>(_ index: Int) -> Value {
        stored(index) ?? neutralValue(index)
    }

    /// Gives the value of an attribute that has an initial one.
    ///
    /// - Parameters:
    ///   - index: The attribute's place.
    ///   - initial: The initial value.
    /// - Returns: The value; the initial one if it cannot be decoded.
    @inlinable
    @_disfavoredOverload
    public func value<Value>(_ index: Int, or initial: @autoclosure () -> Value) -> Value {
        stored(index) ?? initialValue(initial(), index)
    }

    /// Gives the value of an attribute that may have none and has an initial one.
    ///
    /// - Parameters:
    ///   - index: The attribute's place.
    ///   - initial: The initial value.
    /// - Returns: The value; nil if there is none, or if it cannot be decoded.
    @inlinable
    public func value<Value>(_ index: Int, or initial: @autoclosure () -> Value?) -> Value? {
        guard object == nil, !hasDraft(index) else { return stored(index) }
        let value = initial()
        setInitial(value, index)
        return value
    }

    /// Sets an attribute.
    ///
    /// - Parameters:
    ///   - value: The value; nil takes it away.
    ///   - index: The attribute's place.
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

    /// Gives an attribute its initial value, unless it has been set.
    @usableFromInline
    func setInitial<Value>(_ value: Value?, _ index: Int) {
        if !hasDraft(index) { setDraft(.holding(value), index) }
    }
}

// MARK: - What cannot be thrown

extension _EntityRecord {
    /// The way out of a getter that has no value.
    @usableFromInline
    func neutralValue<Value>(_ index: Int) -> Value {
        guard let value = draftValue(index) ?? formerValue(index) ?? Neutral.value(of: Value.self) else {
            preconditionFailure("the attribute at place \(index) is read before it has been set")
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

    /// The same of a relationship, which was to be set as a whole or changed.
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
        self = error as? Self ?? Self(.misuse, "an attribute cannot be had", underlying: error)
    }
}
