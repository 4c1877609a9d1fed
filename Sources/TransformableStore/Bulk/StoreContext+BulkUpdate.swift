extension StoreContext {
    /// Changes all objects that satisfy a condition, in constant memory.
    ///
    /// Memory grows with the objects only where unique values move from one to the next, as in `position += 1`.
    /// Which objects these are is found out before the first one is changed.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    ///   - progress: Is told how many objects are changed; an error that it throws ends the update.
    ///   - change: Changes an object.
    /// - Returns: How many objects there were.
    /// - Throws: ``StoreError``: an unknown name, a condition that cannot be had, or a value that cannot be stored;
    ///   and what `change` and `progress` throw.
    @discardableResult
    public func update(
        _ entity: String,
        where condition: Condition,
        progress: ((_ count: Int) throws -> Void)? = nil,
        _ change: (ManagedObject) throws -> Void
    ) throws -> Int {
        try requireWritable()
        var count = 0
        // Once values have to wait for others to change, all wait.
        var isWritten = !isEditing
        for id in try ids(entity, where: condition) {
            // Changing one object may have deleted another.
            guard let object = try objectIfAny(id) else { continue }
            try change(object)
            count += 1
            guard count.isMultiple(of: 1000) else { continue }
            // In a context for editing it is the caller who says when to save.
            if isWritten { isWritten = try succeedsIfUnique(save) }
            try progress?(count)
        }
        return count
    }
}
