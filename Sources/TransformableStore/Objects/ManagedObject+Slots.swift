internal import Foundation
internal import Transformable

extension ManagedObject {
    /// Returns the slot of an attribute, with its value if there is one.
    func slot(_ attribute: StoredAttribute) throws -> Slot {
        if let slot = values[attribute.index] { return slot }
        if attribute.isTransient {
            if case .count(let name)? = attribute.derivation { return try countSlot(attribute, of: name) }
            try requireAwake()
            if let slot = values[attribute.index] { return slot }
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
        guard isFault || awakeState.hasFailed else { return }
        if isFault {
            guard let (row, version) = try context.row(entity, number) else { throw noLongerExists }
            fill(row, version)
        } else {
            try context.bringUpToDateUnlessConflicting(self)
        }
        try didLoad()
    }

    var noLongerExists: StoreError {
        StoreError(.noSuchObject, "the object no longer exists", entity: entity.name, object: id)
    }

    /// Reads the row if necessary, so that hooks have set what they set when it is read.
    private func requireAwake() throws {
        if state == .stored, !awakeState.isAwake, !context.store.hooks.isEmpty { try requireRow() }
    }

    /// Ensures that the row's version is known, because a write or deletion is checked against it.
    func requireVersion() throws {
        if state == .stored, version == 0 || (context.isEditing && isFault) { try requireRow() }
    }

    /// Replaces an attribute's value with one that was set.
    @usableFromInline
    func put(_ slot: Slot, _ index: Int) throws {
        let attribute = entity.attributes[index]
        if entity.isLink[index], try setBothSides(slot, of: index) { return }
        // It is never saved, or it is the object's initial value.
        if attribute.isTransient, context.hookState.isAwaking || !context.isWritable { return keep(slot, attribute) }
        try admit(slot, attribute)
        try encodeIfAsked(slot, attribute)
        // Undoing the change brings back the value as it is now.
        if context.isEditing { keepMutation(of: attribute) }
        context.grouped {
            context.noteStep(.slot(self, index, values[index]))
            context.resolve(place(ofAttribute: index))
        }
        slot.markUnsaved()
        keep(slot, attribute)
        note()
        if entity.isLink[index] { context.didLink(self, attribute, slot) }
    }

    /// Throws an error if a value would replace bytes that cannot be decoded, because it may be computed from a
    /// getter's stand-in value.
    func admit(_ slot: Slot, _ attribute: StoredAttribute) throws {
        guard !slot.mayReplace, let earlier = values[attribute.index] else { return }
        if !earlier.isStreamed, let failure = earlier.failure { throw kept(attribute, failure) }
        slot.mayReplace = earlier.mayReplace || !earlier.isDirty
    }

    /// Checks that the stored bytes can be decoded before a slot's value replaces them.
    ///
    /// A blob, which may be large, is read only once.
    func requireReplaceable(by slot: Slot, _ attribute: StoredAttribute) throws {
        guard !slot.mayReplace else { return }
        let (row, cell) = try stored(attribute)
        let blob = BlobRecord.uuid(in: row, cell)
        guard blob == nil || blob != slot.checkedBlob else { return }
        if let failure = try failure(of: attribute, row, cell) { throw kept(attribute, failure) }
        slot.checkedBlob = blob
    }

    /// Returns the reason why a cell, or the blob that it refers to, cannot be decoded.
    ///
    /// A blob whose stages all process pieces is only read to its end, because it may be larger than memory.
    private func failure(of attribute: StoredAttribute, _ row: PackedRow, _ cell: Int) throws -> StoreError? {
        guard attribute.failure == nil, attribute.valueType == Data.self, !attribute.hasWholeStage else {
            return try load(attribute, row, cell).failure
        }
        do {
            guard let blob = try blob(attribute, in: row, cell) else { return try load(attribute, row, cell).failure }
            let stream = try ValueStream(source(.file(blob), attribute))
            while try stream.next() != nil {}
            return nil
        } catch let error as StoreError where error.concernsStoredBytes {
            return error
        }
    }

    private func kept(_ attribute: StoredAttribute, _ failure: StoreError) -> StoreError {
        StoreError(
            .undecodable,
            "its stored bytes cannot be decoded, so they are kept; to discard them, replace the value with "
                + "--replace-damaged (in code: “replaceValue”)",
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
        slot.encoded = try attribute.encode(slot, in: place(attribute), checkingRules: context.checksRules)
    }
}

// MARK: - Changes in place

extension ManagedObject {
    /// Marks values of reference type that were changed in place as set, so that they are kept when the row is replaced.
    func keepMutations() {
        guard isWatched, !isFault, state == .stored else { return }
        for attribute in entity.columns { keepMutation(of: attribute) }
    }

    /// The same for one attribute.
    private func keepMutation(of attribute: StoredAttribute) {
        guard attribute.isMutableInPlace, state == .stored, let slot = values[attribute.index],
            isMutated(slot, attribute)
        else { return }
        slot.markUnsaved()
        note()
    }

    /// Returns a Boolean value that indicates whether a value that was read has been changed in place.
    ///
    /// If the value cannot be encoded, it counts as changed, and the save reports the error.
    private func isMutated(_ slot: Slot, _ attribute: StoredAttribute) -> Bool {
        guard !slot.isDirty, slot.failure == nil, let cell = attribute.cell else { return false }
        // The original of a large value may have been replaced in the file.
        let isBlob = attribute.isExternal && BlobRecord.uuid(in: row, cell) != nil
        if isBlob, (try? blob(attribute, in: row, cell)) == nil { return false }
        do {
            return try !isUnchanged(slot, attribute)
        } catch let error as StoreError where error.code == .conflict {
            return false
        } catch {
            return true
        }
    }
}

// MARK: - Cells

extension ManagedObject {
    /// Returns the row that contains an attribute's cell, and the cell's position in it.
    ///
    /// A number in place of bytes is the length of a large cell, which is read now. The row's version shows whether it
    /// is still the same.
    func stored(_ attribute: StoredAttribute) throws -> (row: PackedRow, cell: Int) {
        guard let cell = attribute.cell else { return (PackedRow(single: .null), 0) }
        try requireRow()
        let row = values.row
        guard attribute.isDeferrable, row.kind(cell) == .integer else { return (row, cell) }
        return (try wholeCell(attribute, version: version), 0)
    }

    /// Returns a large cell from a version of the row.
    ///
    /// - Throws: `StoreError` with the code `conflict` if the file contains another version.
    func wholeCell(_ attribute: StoredAttribute, version: Int64) throws -> PackedRow {
        let column = SQL.quoted(attribute.name)
        let list = [column] + [entity.rowSeal?.check(besides: [attribute.name])].compactMap(\.self)
        let sql = "SELECT \(list.joined(separator: ", ")) FROM \(entity.visible) WHERE \"_id\" = ? AND \"_version\" = ?"
        return try context.connected { _ in
            let statement = try context.statement(sql)
            try statement.bind(number, at: 1)
            try statement.bind(version, at: 2)
            defer { statement.reset() }
            guard try statement.step() else { throw conflict }
            return statement.packedRow(from: 0, count: 1)
        }
    }

    /// Returns the cell that a slot's value is compared with, which is in the row that was read.
    func original(of slot: Slot, _ attribute: StoredAttribute) throws -> (row: PackedRow, cell: Int) {
        if let original = slot.original, !isFault, original.version == version { return (original.row, 0) }
        let (row, cell) = try stored(attribute)
        keepOriginal(row, of: slot, attribute)
        return (row, cell)
    }

    /// Keeps the bytes of a large cell whose value may be changed in place.
    ///
    /// Once another context has written the row, the file no longer contains what the value must be compared with.
    func keepOriginal(_ row: PackedRow, of slot: Slot, _ attribute: StoredAttribute) {
        guard attribute.isMutableInPlace, context.isWritable, let cell = attribute.cell, !isFault,
            values.row.kind(cell) == .integer, attribute.isDeferrable
        else { return }
        slot.original = (row, version)
    }

    /// Keeps the bytes of such cells that a save has written or left as they were.
    ///
    /// - Parameter earlier: The version of the row before the save.
    func keepOriginals(since earlier: Int64) {
        guard isWatched else { return }
        for attribute in entity.columns where attribute.isMutableInPlace {
            guard let slot = values[attribute.index] else { continue }
            if let cell = slot.written {
                keepOriginal(PackedRow(single: cell), of: slot, attribute)
            } else if let original = slot.original, original.version == earlier {
                slot.original = (original.row, version)
            }
        }
    }

    /// Decodes an attribute from a row of the object, of whichever version.
    func load(_ attribute: StoredAttribute, from row: PackedRow) throws -> Slot {
        guard let cell = attribute.cell else { return Slot() }
        if attribute.isDeferrable, row.kind(cell) == .integer {
            // The file contains only the newest version of a large value, which must be the object's own.
            guard row == self.row else { throw conflict }
            let (whole, place) = try stored(attribute)
            return try load(attribute, whole, place)
        }
        return try load(attribute, row, cell)
    }

    func place(_ attribute: StoredAttribute) -> TransformContext {
        context.place(of: number, attribute, entity)
    }
}
