internal import GRDB
internal import Transformable

extension ManagedObject {
    /// Writes the row of a new object.
    func writeInsertion(_ database: Database) throws {
        let statement = try context.insertion(entity)
        try statement.bind(number, at: 1)
        try statement.bind(version, at: 2)
        var position = 3
        for attribute in entity.columns {
            try statement.bind(encoded(attribute), at: position)
            position += 1
        }
        for attribute in entity.projected {
            for value in try projected(attribute) {
                try statement.bind(value, at: position)
                position += 1
            }
        }
        try located { try statement.run() }
        didWrite()
    }

    /// Encodes what the row of a new object holds after its number and version.
    func appendInsertedCells(to cells: inout [ColumnValue]) throws {
        for attribute in entity.columns { cells.append(try encoded(attribute)) }
        for attribute in entity.projected { cells += try projected(attribute) }
    }

    /// Writes the attributes that have changed, if any.
    func writeUpdate(_ database: Database) throws {
        isNoted = false
        let changed = try changedColumns()
        guard !changed.isEmpty else { return }
        let statement = try context.statement(entity.update(changed))
        var position = 1
        for value in try changed.map(encoded) + changed.flatMap(projected) {
            try statement.bind(value, at: position)
            position += 1
        }
        try statement.bind(number, at: position)
        try statement.bind(version, at: position + 1)
        try located { try statement.run() }
        guard database.changesCount > 0 else { throw conflict }
        version += 1
        didWrite()
    }

    /// Removes the row.
    func writeDeletion(_ database: Database) throws {
        isNoted = false
        let statement = try context.statement(entity.delete)
        try statement.bind(number, at: 1)
        try statement.bind(version, at: 2)
        try located { try statement.run() }
        guard database.changesCount > 0 else { throw conflict }
        state = .gone
    }

    private var conflict: StoreError {
        StoreError(.conflict, "the object has been changed or deleted meanwhile", entity: entity.name, object: id)
    }

    private func didWrite() {
        state = .stored
        isNoted = false
        // The next one who needs the cells as they are now reads them.
        isFault = true
        row = .empty
        for (index, slot) in slots.enumerated() {
            slot?.isDirty = false
            slot?.encoded = nil
            // What came as a stream is read from the file when it is asked for.
            if slot?.isStreamed == true { slots[index] = nil }
        }
    }

    /// The attributes whose cells would change.
    ///
    /// A value that was set and is what is stored counts as
    /// unchanged, and one of reference type that was changed in place as changed.
    private func changedColumns() throws -> [StoredAttribute] {
        guard !slots.isEmpty else { return [] }
        return try entity.columns.filter { attribute in
            guard let slot = slots[attribute.index] else { return false }
            guard !slot.isStreamed else { return true }
            guard slot.failure == nil, slot.isDirty || attribute.isMutableInPlace else { return false }
            guard try isUnchanged(slot, attribute) else { return true }
            slot.isDirty = false
            slot.encoded = nil
            return false
        }
    }

    private func encoded(_ attribute: StoredAttribute) throws -> ColumnValue {
        let slot = slots.isEmpty ? nil : slots[attribute.index]
        if let slot, let cell = try externalCell(slot, attribute) { return cell }
        if let encoded = slot?.encoded { return encoded }
        let place = context.place(of: number, attribute, entity)
        let value = try slot.map { try attribute.encode($0, in: place) } ?? .null
        guard value != .null || attribute.description.isOptional else {
            throw StoreError(
                .missingValue,
                "it needs a value",
                entity: entity.name,
                attribute: attribute.name,
                object: id
            )
        }
        return value
    }

    private func projected(_ attribute: StoredAttribute) throws -> [ColumnValue] {
        guard !attribute.projections.isEmpty else { return [] }
        guard !slots.isEmpty, let slot = slots[attribute.index] else {
            return attribute.projections.map { _ in .null }
        }
        return try attribute.project(slot, in: context.place(of: number, attribute, entity))
    }

    private func located(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as StoreError {
            error.entity = error.entity ?? entity.name
            error.object = error.object ?? id
            throw error
        }
    }
}
