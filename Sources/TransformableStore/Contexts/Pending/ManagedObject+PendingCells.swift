extension ManagedObject {
    /// Returns the values that were set and have not been written yet, as cells.
    ///
    /// A value that cannot be encoded counts as missing until the save reports the error. The cell of a large value that
    /// was set as a stream refers to a blob that only the context has.
    func pendingCells() -> [(column: String, value: ColumnValue)] {
        var cells: [(column: String, value: ColumnValue)] = []
        let changed = entity.columns.filter(hasPendingCell)
        var failed: [StoredAttribute] = []
        for attribute in changed {
            guard let slot = values[attribute.index], let value = pendingCell(slot, attribute) else {
                failed.append(attribute)
                let names = [attribute.name] + attribute.projections.map(\.name)
                cells += names.map { (column: $0, value: ColumnValue.null) }
                continue
            }
            cells.append((attribute.name, value))
            let projected = try? attribute.project(slot, in: place(attribute))
            for (index, projection) in attribute.projections.enumerated() {
                cells.append((projection.name, projected?[index] ?? .null))
            }
        }
        for attribute in derived(with: changed) {
            guard let derivation = attribute.derivation else { continue }
            cells.append((attribute.name, (try? cell(attribute, by: derivation)) ?? .null))
        }
        for compound in entity.compounds(of: changed) {
            let value = failed.contains(where: compound.hasPart) ? nil : try? projected(compound)
            cells.append((compound.name, value ?? .null))
        }
        return cells
    }

    /// Returns a Boolean value that indicates whether an attribute's cell may change with the next save.
    private func hasPendingCell(_ attribute: StoredAttribute) -> Bool {
        guard let slot = values[attribute.index], slot.failure == nil || slot.isStreamed else { return false }
        return slot.isDirty || isWatched && attribute.isMutableInPlace
    }

    /// Returns the cell of a value, or `nil` if it cannot be encoded.
    private func pendingCell(_ slot: Slot, _ attribute: StoredAttribute) -> ColumnValue? {
        if let pending = slot.pending { return pending.cell }
        return try? slot.encoded ?? attribute.draft(slot, in: place(attribute))
    }
}
