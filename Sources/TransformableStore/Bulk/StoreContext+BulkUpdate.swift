extension StoreContext {
    /// Changes all objects that satisfy a condition.
    ///
    /// Changes are written after every thousand objects, which need not stay in memory then. All objects stay in memory if
    /// unique values move from one object to another, as in `position += 1`, if an object is deleted before those that
    /// deny its deletion, if the block has changed an object that is not complete or valid yet, or if the context is
    /// one for editing. Memory also includes a list of the objects' numbers, because the closure may insert, change, or
    /// delete objects. The objects are determined before the first one is changed.
    ///
    /// If an error is thrown, earlier objects keep their changes, so let the error end the block. In a context for editing,
    /// undo them.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - progress: A closure that is called with the number of objects changed so far. If it throws an error, the
    ///     update ends.
    ///   - change: A closure that changes an object.
    /// - Returns: The number of objects.
    /// - Throws: `StoreError` if a name is unknown, if the condition is invalid, or if a value cannot be stored, and
    ///   errors thrown by `change` and `progress`.
    @discardableResult
    public func update(
        _ entity: String,
        where condition: Condition,
        progress: ((_ count: Int) throws -> Void)? = nil,
        _ change: (ManagedObject) throws -> Void
    ) throws -> Int {
        try requireWritable()
        var count = 0
        // Once values have to wait for other objects to change, all of them wait.
        var isWritten = !isEditing
        try grouped {
            try forEachExisting(ids(entity, where: condition)) { object in
                try change(object)
                count += 1
                guard count.isMultiple(of: 1000) else { return }
                // In a context for editing, the caller decides when to save.
                if isWritten { isWritten = try saveIfPossible() }
                try progress?(count)
            }
        }
        return count
    }

    /// Calls a closure with each object that exists when it is its turn, after reading many with each statement.
    private func forEachExisting(_ ids: [ObjectID], _ body: (ManagedObject) throws -> Void) throws {
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            let faults = try ids[start..<min(start + Self.batch, ids.count)]
                .map { id in try fault(schema.entity(id.entity), id.number) }
            try prefetch(faults)
            for fault in faults {
                try requireUncancelled()
                // Changing one object may have deleted another.
                if let object = try objectIfPresent(fault.id) { try body(object) }
            }
        }
    }
}
