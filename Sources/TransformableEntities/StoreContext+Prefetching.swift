public import TransformableStore

extension StoreContext {
    /// Reads the rows of objects that are not read yet, many with each statement.
    ///
    /// - Parameter objects: The objects; those whose row has gone meanwhile stay as they are.
    /// - Throws: `StoreError`: reading the file fails.
    public func prefetch(_ objects: [some Entity]) throws {
        try prefetch(objects.compactMap(\.managedObject))
    }

    /// Reads the objects that a relationship to one leads to, many with each statement.
    ///
    /// What was read stays for as long as the objects are held.
    ///
    /// - Parameters:
    ///   - objects: The objects whose relationship it is.
    ///   - keyPath: The relationship.
    /// - Returns: The objects that it leads to, each once.
    /// - Throws: `StoreError`: the property is no relationship, reading the file fails, or `undecodable` for an
    ///   attribute that must have a value.
    public func prefetch<Object: Entity, Destination: Entity>(
        _ objects: [Object],
        _ keyPath: KeyPath<Object, Destination?>
    ) throws -> [Destination] {
        let name = try Object.requirePropertyName(for: keyPath)
        try prefetch(objects)
        return try prefetched(objects.compactMap { try $0.managedObject?.object(name) })
    }

    /// Reads the objects that a relationship to many leads to, many with each statement.
    ///
    /// What was read stays for as long as the objects are held.
    ///
    /// - Parameters:
    ///   - objects: The objects whose relationship it is.
    ///   - keyPath: The relationship.
    /// - Returns: The objects that it leads to, each once.
    /// - Throws: `StoreError`: the property is no relationship, reading the file fails, or `undecodable` for an
    ///   attribute that must have a value.
    public func prefetch<Object: Entity, Destination: Entity>(
        _ objects: [Object],
        _ keyPath: KeyPath<Object, [Destination]>
    ) throws -> [Destination] {
        let name = try Object.requirePropertyName(for: keyPath)
        return try prefetched(objects.flatMap { try $0.managedObject?.objects(name) ?? [] })
    }

    private func prefetched<Destination: Entity>(_ objects: [ManagedObject]) throws -> [Destination] {
        var seen: Set<ObjectIdentifier> = []
        let objects = objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
        try prefetch(objects)
        return try objects.map { try face(of: $0) }
    }

    /// Lets an object forget what was read of it, transient values by name included: it is read again when it is
    /// touched.
    ///
    /// - Parameters:
    ///   - object: The object; a new or deleted one stays as it is.
    ///   - keepingChanges: Whether what was set stays, over what another context may have saved, so that
    ///     saving it is no conflict; otherwise it is discarded.
    /// - Throws: `StoreError` with the code `misuse` for an object of another context or one that was never
    ///   inserted, or `no-such-object` if changes are to be kept of an object that is gone.
    public func refresh(_ object: some Entity, keepingChanges: Bool = false) throws {
        try refresh(own(object.managedObject), keepingChanges: keepingChanges)
    }
}
