internal import Transformable

extension ManagedObject {
    /// Writes the row of a new object, of which some cells have been encoded.
    func writeInsertion(_ ahead: EncodedCells = .none) throws {
        try context.database()
            .attempting(if: entity.hasUniqueness && !context.isEditing) {
                try context.keepingBlobs(of: entity) {
                    try insertRow(version: version) { try ahead.cell(of: $0, entity) ?? encoded($0) }
                }
            }
        context.didWrite(self, .inserted)
    }

    /// Inserts the row of an object again after another context has deleted it.
    func writeAgain() throws {
        let changed = try changedColumns(isGone: true)
        // Higher than any version that another context may have read before the row was deleted.
        try insertRow(version: version.addingReportingOverflow(1 << 32).partialValue) { attribute in
            let isWritten = attribute.derivation != nil || changed.contains { $0 === attribute }
            if isWritten { return try encoded(attribute) }
            guard let cell = attribute.cell else { return .null }
            // A large value was only in the file.
            guard !attribute.isDeferrable || row.kind(cell) != .integer else { throw isGone(attribute) }
            guard !attribute.isExternal || BlobRecord.uuid(in: row, cell) == nil else { throw isGone(attribute) }
            return row.value(cell)
        }
        context.didWrite(self, .inserted)
    }

    private func insertRow(version: Int64, _ cell: (StoredAttribute) throws -> ColumnValue) throws {
        guard !context.connection.isPipelined || entity.hasUniqueness else {
            return try sendRow(version: version, cell)
        }
        let statement = try context.connection.insertion(entity)
        try statement.bind(number, at: 1)
        try statement.bind(version, at: 2)
        var position = 0
        try forEachCell(cell) { value in
            try located { try statement.bind(value, at: position + 3) }
            if !entity.uniqueText.isEmpty { context.noteText(value, in: position, of: entity, number) }
            position += 1
        }
        try requireCombinations()
        try located { try statement.run() }
    }

    /// Inserts the row without waiting for an answer.
    private func sendRow(version: Int64, _ cell: (StoredAttribute) throws -> ColumnValue) throws {
        var cells: [ColumnValue] = []
        cells.reserveCapacity(entity.insertedCellCount + 2)
        cells.append(.integer(number))
        cells.append(.integer(version))
        try forEachCell(cell) { cells.append($0) }
        try requireCombinations()
        try context.database().change(entity.statements.insert, cells, requireChange)
    }

    /// Throws the error of a statement that has written the object's row, or one that says that there was none.
    func requireChange(_ result: Result<Int, any Error>) throws {
        var count = 0
        try located { count = try result.get() }
        guard count > 0 else { throw conflict }
    }

    /// Returns the cells of a new object's row that follow its number and version, some of which have been encoded.
    func insertedCells(_ ahead: EncodedCells) throws -> [ColumnValue] {
        var cells: [ColumnValue] = []
        cells.reserveCapacity(entity.insertedCellCount)
        try appendInsertedCells(to: &cells, ahead)
        return cells
    }

    /// Encodes the cells of a new object's row that follow its number and version.
    func appendInsertedCells(to cells: inout [ColumnValue], _ ahead: EncodedCells = .none) throws {
        try requireCombinations()
        try forEachCell {
            try ahead.cell(of: $0, entity) ?? encoded($0)
        } write: {
            cells.append($0)
        }
    }

    /// Calls a closure with the cells of a new object's row that follow its number and version, in this order.
    ///
    /// - Parameters:
    ///   - cell: Returns the cell of an attribute.
    ///   - write: A closure that is called with each cell before the next one is encoded.
    /// - Throws: `StoreError` if a projection cannot be computed, and errors thrown by the closures.
    private func forEachCell(
        _ cell: (StoredAttribute) throws -> ColumnValue,
        write: (ColumnValue) throws -> Void
    ) throws {
        // An index, because an iterator counts references to the attributes, which all threads share.
        for index in entity.columns.indices { try write(cell(entity.columns[index])) }
        for attribute in entity.projected {
            for value in try projected(attribute) { try write(value) }
        }
        for compound in entity.compounds { try write(projected(compound)) }
    }

    /// Encodes the attributes that have changed, or returns `nil` if there are none.
    func rowUpdate() throws -> RowUpdate? {
        var changed = try changedColumns()
        guard !changed.isEmpty else {
            if !context.isEditing { forgetNote() }
            return nil
        }
        // What replaces a value as a stream or as bytes is not compared with it, so the row may not have been read.
        try requireVersion()
        changed += derived(with: changed)
        let compounds = try entity.compounds(of: changed).map(projected)
        let cells = try changed.map(encoded) + changed.flatMap(projected) + compounds
        try requireCombinations { name in changed.contains { $0.name == name } }
        return RowUpdate(object: self, changed: changed, cells: cells)
    }

    /// Removes the row.
    func writeDeletion(_ connection: any EngineConnection) throws {
        guard !context.connection.isPipelined else {
            try connection.change(entity.statements.delete, [.integer(number), .integer(version)], requireChange)
            return context.didWrite(self, .deleted)
        }
        let statement = try context.statement(entity.statements.delete)
        try statement.bind(number, at: 1)
        try statement.bind(version, at: 2)
        try located { try statement.run() }
        guard connection.changedCount > 0 else { throw conflict }
        context.didWrite(self, .deleted)
    }

    private func isGone(_ attribute: StoredAttribute) -> StoreError {
        StoreError(
            .conflict,
            "another context has deleted the object, and this large value with it; set it with replaceValue, or refresh the object",
            entity: entity.name,
            attribute: attribute.name,
            object: id
        )
    }

    var conflict: StoreError {
        let message = "the object has been changed or deleted in the meantime; refresh it, and try again"
        return StoreError(.conflict, message, entity: entity.name, object: id)
    }

    /// Returns a Boolean value that indicates whether a value was changed in place.
    func isMutated() throws -> Bool {
        try !changedColumns().isEmpty
    }

    /// Returns the attributes whose cells would change.
    ///
    /// A value that was set to what is stored counts as unchanged. A value that is to replace what is stored counts as
    /// changed if it has projections, because they may be wrong. A value of reference type that was changed in place
    /// counts as changed.
    ///
    /// - Parameter isGone: Whether another context has deleted the row, so that no stored bytes can be lost.
    /// - Returns: The attributes.
    /// - Throws: `StoreError` with the code `undecodable` if bytes that cannot be decoded would be lost.
    func changedColumns(isGone: Bool = false) throws -> [StoredAttribute] {
        try entity.columns.filter { try isChanged($0, isGone: isGone) }
    }

    /// Returns a Boolean value that indicates whether the cell of one attribute would change.
    func isChanged(_ attribute: StoredAttribute, isGone: Bool = false) throws -> Bool {
        guard let slot = values[attribute.index] else { return false }
        guard !slot.isStreamed, !(slot.isDirty && slot.hasContents) else {
            if !isGone { try requireReplaceable(by: slot, attribute) }
            return true
        }
        guard slot.failure == nil, slot.isDirty || attribute.isMutableInPlace else { return false }
        if slot.isDirty, slot.isReplacement, entity.columns(of: [attribute]).count > 1 { return true }
        guard try !isUnchanged(slot, attribute) else {
            slot.markSaved()
            return false
        }
        if slot.isDirty { try requireReplaceable(by: slot, attribute) }
        return true
    }

    private func encoded(_ attribute: StoredAttribute) throws -> ColumnValue {
        let cell = try newCell(attribute)
        if attribute.isMutableInPlace, context.isEditing {
            // Small cells are read along with their row.
            values[attribute.index]?.written = attribute.isLarge(cell) ? cell : .null
        }
        return cell
    }

    private func newCell(_ attribute: StoredAttribute) throws -> ColumnValue {
        let slot = values[attribute.index]
        if let slot, let cell = try externalCell(slot, attribute) { return cell }
        if let encoded = slot?.encoded { return encoded }
        let place = context.place(of: number, attribute, entity)
        let value =
            try attribute.derivation.map { try cell(attribute, by: $0) }
            ?? slot.map { try attribute.encode($0, in: place, checkingRules: context.checksRules) } ?? .null
        guard value != .null || attribute.description.isOptional else {
            throw missing(attribute.name, isReference: entity.isLink[attribute.index])
        }
        return value
    }

    private func missing(_ name: String, isReference: Bool) -> StoreError {
        let message =
            switch (isReference, state == .inserted) {
            case (false, _): "it needs a value"
            case (true, true): "it needs an object; set one"
            case (true, false): "its object was deleted or removed; set another one, or delete this object as well"
            }
        return StoreError(.missingValue, message, entity: entity.name, attribute: name, object: id)
    }

    /// Checks what several columns form together: the references to families, and the composites.
    ///
    /// - Parameter isWritten: Returns whether an attribute is about to be written.
    /// - Throws: `StoreError` if a combination is invalid.
    private func requireCombinations(where isWritten: (String) -> Bool = { _ in true }) throws {
        try requireReferences()
        if entity.hasComposites { try requireWholeComposites(where: isWritten) }
    }

    /// Checks the references to families.
    ///
    /// They are stored in several columns, at most one of which can contain a number.
    private func requireReferences() throws {
        for relationship in entity.familyReferences {
            let names = try relationship.parts.compactMap { part -> String? in
                guard case .column(let index) = part.storage else { return nil }
                return try reference(entity.attributes[index]).map { _ in entity.attributes[index].name }
            }
            guard names.count <= 1 else { throw ambiguous(relationship.name, names) }
            guard !names.isEmpty || relationship.description.isOptional else {
                throw missing(relationship.name, isReference: true)
            }
        }
    }

    private func ambiguous(_ name: String, _ columns: [String]) -> StoreError {
        let list = columns.map { "“\($0)”" }.joined(separator: " and ")
        return StoreError(
            .invalidValue,
            "it can have only one object, but \(list) have a number; keep one of them, and clear the others",
            entity: entity.name,
            attribute: name,
            object: id
        )
    }

    private func projected(_ attribute: StoredAttribute) throws -> [ColumnValue] {
        guard !attribute.projections.isEmpty else { return [] }
        let slot = state == .inserted ? values[attribute.index] : try slot(attribute)
        guard let slot else { return attribute.projections.map { _ in .null } }
        return try attribute.project(slot, in: context.place(of: number, attribute, entity))
    }

    func projected(_ compound: StoredCompound) throws -> ColumnValue {
        let place = context.place(in: entity)
        return try compound.project(in: place) { try slot($0) }
    }

    func located(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as StoreError {
            error.entity = error.entity ?? entity.name
            error.object = error.object ?? id
            throw error
        }
    }
}
