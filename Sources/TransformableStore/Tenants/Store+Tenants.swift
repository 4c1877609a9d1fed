public import TransformableModel

// MARK: - Scopes

extension Store {
    /// Returns the scope of calls that do not name a tenant.
    ///
    /// - Throws: `StoreError` with the code `tenant-required` if the model has tenants.
    func undividedScope() throws(StoreError) -> TenantScope {
        guard schema.model.hasTenants else { return .undivided }
        if let scope = options.implicitScope { return scope }
        throw StoreError(
            .tenantRequired,
            """
            the store's model has tenants; use “read(tenant:)” or “write(tenant:)” for the objects of a tenant, \
            “writeShared” for shared objects, and “readAcrossTenants” to read the objects of all tenants
            """
        )
    }

    func scope(of tenant: Int64) throws(StoreError) -> TenantScope {
        try requireTenants()
        return .tenant(tenant)
    }

    /// The scope of work on the whole store, such as verifying it.
    var wholeScope: TenantScope { schema.model.hasTenants ? .everything : .undivided }

    private func requireTenants() throws(StoreError) {
        guard !schema.model.hasTenants else { return }
        throw StoreError(.misuse, "the store's model has no tenants; use “read” and “write” without a tenant")
    }
}

// MARK: - A tenant

extension Store {
    /// Reads the objects of a tenant, and the shared ones, from a snapshot of the store.
    ///
    /// ```swift
    /// let names = try store.read(tenant: 7) { try $0.fetch("Patient").map { try $0.value("name", as: String.self) } }
    /// ```
    ///
    /// - Parameters:
    ///   - tenant: The tenant's number.
    ///   - body: A closure that reads. Its objects are valid only inside the closure, so return only `Sendable` results.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `read` throws, and `StoreError` with the code `misuse` if the model has no tenants.
    public func read<Result: Sendable>(tenant: Int64, _ body: (StoreContext) throws -> Result) throws -> Result {
        try read(in: scope(of: tenant), body)
    }

    /// Reads the objects of a tenant, and the shared ones, from a snapshot of the store, on a separate thread.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's number.
    ///   - body: A closure that reads. Its objects are valid only inside the closure, so return only `Sendable` results.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `read` throws, and `StoreError` with the code `misuse` if the model has no tenants.
    public func read<Result: Sendable>(
        tenant: Int64,
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try await read(in: scope(of: tenant), body)
    }

    /// Changes objects of a tenant in one transaction, which is rolled back if the closure throws an error.
    ///
    /// New objects belong to the tenant. Shared objects can be read, but not changed. An object's tenant never changes.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's number.
    ///   - body: A closure that changes objects. They are valid only inside the closure, so return only `Sendable`
    ///     results. The changes are saved when the closure returns.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `write` throws, and `StoreError` with the code `misuse` if the model has no tenants or
    ///   if a shared object was changed.
    public func write<Result: Sendable>(tenant: Int64, _ body: (StoreContext) throws -> Result) throws -> Result {
        try write(in: scope(of: tenant), body)
    }

    /// Changes objects of a tenant in one transaction, on a separate thread.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's number.
    ///   - body: A closure that changes objects. They are valid only inside the closure, so return only `Sendable`
    ///     results. The changes are saved when the closure returns.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `write` throws, and `StoreError` with the code `misuse` if the model has no tenants or
    ///   if a shared object was changed.
    public func write<Result: Sendable>(
        tenant: Int64,
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try await write(in: scope(of: tenant), body)
    }

    /// Changes objects of a tenant, returns what that would do, and rolls it back.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's number.
    ///   - body: A closure that changes objects. They are valid only inside the closure, so return only `Sendable`
    ///     results.
    /// - Returns: The result of the closure, and everything that would have changed.
    /// - Throws: Any error that `write(tenant:)` would throw.
    public func rehearse<Result: Sendable>(
        tenant: Int64,
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        try rehearse(in: scope(of: tenant), body)
    }

    /// Creates a context for editing the objects of a tenant.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's number.
    ///   - policy: What happens to an object that another context has saved since it was read here.
    /// - Returns: The context. If the store is read-only, the context cannot change anything.
    /// - Throws: `StoreError` with the code `misuse` if the model has no tenants.
    public func makeContext(
        tenant: Int64,
        onConflict policy: ConflictPolicy = .fail
    ) throws(StoreError) -> sending StoreContext {
        StoreContext(editing: self, in: try scope(of: tenant), onConflict: policy)
    }

    /// Returns the changes to the objects of a tenant, and to the shared ones, that are committed from now on.
    ///
    /// - Parameters:
    ///   - entities: The entities to observe, including their children. If there are none, all entities are observed.
    ///   - tenant: The tenant's number.
    /// - Returns: The changes, for one reader.
    /// - Throws: `StoreError` with the code `unknown-entity` if there is no such entity, or with the code `misuse` if the
    ///   model has no tenants.
    public func changes(of entities: String..., tenant: Int64) throws(StoreError) -> StoreChanges {
        try changes(of: entities, in: scope(of: tenant))
    }

    /// Returns a fetch of the objects of a tenant that is kept up to date, in sections determined by an attribute.
    ///
    /// See ``sections(of:where:sortedBy:by:)``.
    ///
    /// - Parameters:
    ///   - entity: The entity's name. Its children are included.
    ///   - tenant: The tenant's number.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - attribute: The attribute or projection whose values determine the sections, or `nil` for a single section
    ///     with all objects.
    /// - Returns: The objects in their sections, now and after each commit.
    /// - Throws: `StoreError` if a name is unknown, if the attribute cannot determine sections, or if the model has no
    ///   tenants.
    public func sections(
        of entity: String,
        tenant: Int64,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        by attribute: String? = nil
    ) throws -> StoreSections {
        let fetch = SectionFetch(entity: entity, condition: condition, order: order, attribute: attribute)
        return try sections(fetch, in: scope(of: tenant))
    }
}

extension Store {
    /// Returns the bytes of an attribute of a tenant's object in pieces.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - id: The object's identifier.
    ///   - tenant: The tenant's number.
    /// - Returns: The bytes.
    /// - Throws: `StoreError` with the code `misuse` if the model has no tenants. The iteration throws any error that
    ///   occurs while the bytes are read.
    public func bytes(_ name: String, of id: ObjectID, tenant: Int64) throws(StoreError) -> StoredBytes {
        StoredBytes(store: self, scope: try scope(of: tenant), name: name, id: id)
    }
}

// MARK: - All tenants

extension Store {
    /// Changes shared objects in one transaction, which is rolled back if the closure throws an error.
    ///
    /// The closure cannot see the objects of any tenant.
    ///
    /// - Parameter body: A closure that changes shared objects. They are valid only inside the closure, so return only
    ///   `Sendable` results. The changes are saved when the closure returns.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `write` throws, and `StoreError` with the code `misuse` if the model has no tenants.
    public func writeShared<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try requireTenants()
        return try write(in: .shared, body)
    }

    /// Changes shared objects, returns what that would do, and rolls it back.
    ///
    /// - Parameter body: A closure that changes shared objects. They are valid only inside the closure, so return only
    ///   `Sendable` results.
    /// - Returns: The result of the closure, and everything that would have changed.
    /// - Throws: Any error that `writeShared` would throw.
    public func rehearseShared<Result: Sendable>(
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        try requireTenants()
        return try rehearse(in: .shared, body)
    }

    /// Reads the objects of all tenants from a snapshot of the store.
    ///
    /// Use this only for work on the store as a whole, such as counting. Each object's values are opened for the tenant
    /// that it belongs to, which ``StoreContext/tenant(of:)`` returns.
    ///
    /// - Parameter body: A closure that reads. Its objects are valid only inside the closure, so return only `Sendable`
    ///   results.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `read` throws, and `StoreError` with the code `misuse` if the model has no tenants.
    public func readAcrossTenants<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try requireTenants()
        return try read(in: .everything, body)
    }

    /// Reads the objects of all tenants from a snapshot of the store, on a separate thread.
    ///
    /// - Parameter body: A closure that reads. Its objects are valid only inside the closure, so return only `Sendable`
    ///   results.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that `read` throws, and `StoreError` with the code `misuse` if the model has no tenants.
    public func readAcrossTenants<Result: Sendable>(
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try requireTenants()
        return try await read(in: .everything, body)
    }
}
