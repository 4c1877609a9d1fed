internal import Transformable

extension ManagedObject {
    /// Returns the slot of an attribute, with its value if there is one.
    func slot(_ attribute: StoredAttribute) throws -> Slot {
        if let slot = slots[attribute.index] { return slot }
        if attribute.isTransient {
            if case .count(let name)? = attribute.derivation { return try countSlot(attribute, of: name) }
            try requireAwake()
            if let slot = slots[attribute.index] { return slot }
        }
        let slot: Slot
        if state == .inserted || attribute.cell == nil {
            slot = Slot()
        } else {
            slot = try load(attribute)
        }
        keep(slot, attribute)
        return slot
    }

    /// Checks that an attribute can be set, without decoding what is stored.
    @usableFromInline
    func requireSettable(_ index: Int) throws {
        // Attributes that are kept only in memory can be set in a read, too.
        if entity.attributes[index].isTransient { try context.requireOpen() } else { try context.requireWritable() }
        try requireAlive()
        if entity.attributes[index].isTransient { try requireAwake() }
        if let failure = entity.attributes[index].failure { throw failure }
        if entity.attributes[index].derivation != nil { throw derivedRefusal(entity.attributes[index]) }
        // A change that can be undone is compared with the value that was read before it.
        if context.isEditing, state == .stored { try requireRow() }
    }

    func keep(_ slot: Slot, _ attribute: StoredAttribute) {
        if slots.isEmpty { slots = SlotTable(count: entity.attributes.count) }
        slots[attribute.index] = slot
        if slot.isDirty { context.work.touch(self) }
        guard attribute.isMutableInPlace, context.isWritable else { return }
        keepRepresentative()
        guard !isWatched else { return }
        isWatched = true
        context.watch(self)
    }

    func requireAlive() throws(StoreError) {
        guard !isDeleted else {
            throw StoreError(.noSuchObject, "the object has been deleted", entity: entity.name, object: id)
        }
    }

    /// Throws an error if the object cannot be read.
    ///
    /// Hooks can read an object that is about to be deleted.
    private func requireReadable() throws(StoreError) {
        guard state == .deleted, context.hookState.isInHook else { return try requireAlive() }
    }

    func requireRow() throws {
        try requireReadable()
        guard isFault else { return }
        guard let (row, version) = try context.row(entity, number) else {
            throw StoreError(.noSuchObject, "the object no longer exists", entity: entity.name, object: id)
        }
        fill(row, version)
        try didLoad()
    }

    /// Reads the row if necessary, so that hooks have set what they set when it is read.
    private func requireAwake() throws {
        if state == .stored, !isAwake, !context.store.hooks.isEmpty { try requireRow() }
    }

    /// Ensures that the row's version is known, because a write or deletion is checked against it.
    func requireVersion() throws {
        if state == .stored, version == 0 || (context.isEditing && isFault) { try requireRow() }
    }

    /// Replaces an attribute's value with one that was set.
    @usableFromInline
    func put(_ slot: Slot, _ index: Int) throws {
        let attribute = entity.attributes[index]
        // It is never saved, or it is the object's initial value.
        if attribute.isTransient, context.hookState.isAwaking || !context.isWritable { return keep(slot, attribute) }
        try admit(slot, attribute)
        try encodeIfAsked(slot, attribute)
        // Undoing the change brings back the value as it is now.
        if context.isEditing { keepMutation(of: attribute) }
        context.grouped {
            context.noteStep(.slot(self, index, slots[index]))
            context.resolve(place(ofAttribute: index))
        }
        slot.isDirty = true
        keep(slot, attribute)
        note()
        if entity.isLink[index] { context.didLink(self, attribute, slot) }
    }

    /// Throws an error if a value would replace bytes that cannot be decoded, because it may be computed from a
    /// getter's stand-in value.
    func admit(_ slot: Slot, _ attribute: StoredAttribute) throws {
        guard !slot.mayReplace, let earlier = slots[attribute.index], !earlier.isStreamed else { return }
        if let failure = earlier.failure { throw kept(attribute, failure) }
        slot.mayReplace = earlier.mayReplace || !earlier.isDirty
    }

    /// Checks that the stored bytes can be decoded before another value replaces them.
    func requireReplaceable(_ attribute: StoredAttribute) throws {
        let (row, cell) = try stored(attribute)
        if let failure = try load(attribute, row, cell).failure { throw kept(attribute, failure) }
    }

    private func kept(_ attribute: StoredAttribute, _ failure: StoreError) -> StoreError {
        StoreError(
            .undecodable,
            "its stored bytes cannot be decoded, so they are kept; to discard them, replace the value explicitly "
                + "(replaceValue, or --replace-damaged on the command line)",
            entity: entity.name,
            attribute: attribute.name,
            object: id,
            underlying: failure.underlying ?? failure
        )
    }

    /// Encodes a value when it is set, if the attribute asks for it.
    func encodeIfAsked(_ slot: Slot, _ attribute: StoredAttribute) throws {
        guard attribute.description.encoding == .onSet, attribute.cell != nil, !slot.isStreamed, !slot.hasContents
        else { return }
        slot.encoded = try attribute.encode(slot, in: context.place(of: number, attribute, entity))
    }
}
