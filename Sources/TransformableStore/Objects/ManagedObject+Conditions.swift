internal import Transformable

extension ManagedObject {
    /// What an attribute's cell holds in the file.
    func cell(_ attribute: StoredAttribute) throws -> ColumnValue {
        guard let cell = attribute.cell else { return .null }
        try requireRow()
        return row.value(cell)
    }

    func place(_ attribute: StoredAttribute) -> TransformContext {
        context.place(of: number, attribute, entity)
    }

    /// A value that cannot be decoded satisfies no condition, nor its opposite; that is reported.
    func undecided<Value>(_ slot: Slot) throws -> Value? {
        guard let failure = slot.failure else { return nil }
        guard context.store.options.quarantine == .report else { throw failure }
        return nil
    }
}
