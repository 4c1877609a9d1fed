internal import Transformable
internal import TransformableModel

extension StoreContext {
    /// The tenant whose objects the context reads and changes, or `nil` if there is none.
    public var tenant: Int64? { scope.tenant }

    /// Returns the tenant that an object belongs to.
    ///
    /// - Parameter object: An object of this context.
    /// - Returns: The tenant, or `nil` for a shared object, or if the model has no tenants.
    /// - Throws: `StoreError` with the code `no-such-object` if the object no longer exists.
    public func tenant(of object: ManagedObject) throws -> Int64? {
        guard object.entity.belongsToTenant else { return nil }
        guard scope == .everything else { return scope.tenant }
        return try tenant(of: object.number, in: object.entity)
    }

    /// Returns the tenant that a row belongs to, in a context that sees all tenants.
    func tenant(of number: Int64, in entity: StoredEntity) throws -> Int64 {
        if let tenant = owners[entity, number] { return tenant }
        let rows = try connected { _ in try readOwners(from: number, in: entity) }
        guard let first = rows.first, first.number == number else {
            let id = ObjectID(entity: entity.name, number: number)
            throw StoreError(.noSuchObject, "there is no such object", object: id)
        }
        owners.keep(rows, of: entity)
        return first.tenant
    }

    /// Reads the tenants of an object and, on a server, of some objects after it, because they are likely to come next.
    private func readOwners(from number: Int64, in entity: StoredEntity) throws -> [(number: Int64, tenant: Int64)] {
        let count = connection.isPipelined ? 500 : 1
        let sql = """
            SELECT "_id", \(TenantColumn.name) FROM \(SQL.main(entity.table)) WHERE "_id" >= ? ORDER BY "_id" LIMIT \(count)
            """
        let statement = try statement(sql)
        try statement.bind(number, at: 1)
        defer { statement.reset() }
        var rows: [(number: Int64, tenant: Int64)] = []
        while try statement.step() { rows.append((number: statement.integer(0), tenant: statement.integer(1))) }
        return rows
    }

    /// Makes a tenant, or none, the owner of the objects and pairs that are imported next.
    func importNext(of tenant: Int64?) throws {
        guard tenant != owners.imported else { return }
        let database = try database()
        if let tenants = database.tenants {
            try tenants.setOwner(tenant)
        } else {
            let number = tenant.map(ColumnValue.integer) ?? .null
            try database.run("UPDATE \(TenantColumn.table) SET \"number\" = ?", [number])
        }
        owners.importNext(of: tenant)
    }

    /// Throws an error if the context cannot change objects of an entity.
    func requireOwn(_ entity: StoredEntity) throws(StoreError) {
        guard !scope.allowsChanges(of: entity) else { return }
        let remedy =
            switch (entity.belongsToTenant, migration != nil) {
            case (true, false): "which belong to tenants; use --tenant with a number (in code: “write(tenant:)”)"
            case (false, false): "which are shared by all tenants; use --tenant shared (in code: “writeShared”)"
            case (true, true): "which belong to tenants; use a step that is not for shared objects"
            case (false, true): "which are shared by all tenants; use “MigrationStep.shared”"
            }
        throw StoreError(.misuse, "the context cannot change its objects, \(remedy)", entity: entity.name)
    }

    /// Throws an error if the context cannot change an object or a pair that it is about to write.
    func requireOwnChanges() throws {
        guard scope != .undivided else { return }
        for object in work.changed {
            guard !scope.allowsChanges(of: object.entity), try object.hasRowToWrite() else { continue }
            try requireOwn(object.entity)
        }
        for table in Set(work.pairs.edits.keys.map(\.table)) {
            // The objects on both sides are shared, or those on both sides belong to tenants.
            guard let owner = schema.pairTables[table]?.entities[.first] else { continue }
            try requireOwn(schema.entity(owner))
        }
    }

    /// Throws an error if the context cannot see objects of an entity, because it has no tenant.
    func requireVisible(_ entity: StoredEntity) throws(StoreError) {
        guard scope == .shared, entity.belongsToTenant else { return }
        throw StoreError(
            .tenantRequired,
            "its objects belong to tenants; use “read(tenant:)”, “write(tenant:)”, or “makeContext(tenant:)”",
            entity: entity.name
        )
    }

    /// Throws an error if a comparison depends on bytes that are different for each tenant.
    func requireOneTenant(_ attribute: StoredAttribute, of entity: StoredEntity) throws(StoreError) {
        guard scope == .everything, entity.belongsToTenant,
            attribute.transformer?.traits.contains(.contextual) == true
        else { return }
        throw StoreError(
            .unsupported,
            "its values are bound to tenants, so they can be compared only within “read(tenant:)”",
            entity: entity.name,
            attribute: attribute.name
        )
    }

    /// Throws an error if a program's own statement might name rows that the context cannot see.
    ///
    /// The tables of the model are views of the visible rows. The file's own tables can be reached by the name of their
    /// schema, and the tables that the store keeps for itself contain something of all tenants.
    func requireOwnTables(_ sql: String) throws(StoreError) {
        guard ![.undivided, .everything, .importing].contains(scope) else { return }
        let words = sql.utf8.split { byte in
            !(byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20))
        }
        for word in words.map({ String(Substring($0)).lowercased() }) {
            guard
                word == "main" || word == "set_config"
                    || ["_transformable", "_dropped", "dbstat", "sqlite_dbpage"].contains(where: word.hasPrefix)
            else { continue }
            let reason = "“\(word)” may lead to rows of other tenants; name the model's tables without a schema"
            throw StoreError(.invalidStatement, "the statement cannot be run in the context of a tenant: \(reason)")
        }
    }
}

/// The tenants that objects belong to, in a context for the objects of several tenants.
struct TenantOwners {
    /// The tenant of the objects that are being imported, or `nil` in any other context.
    private(set) var imported: Int64?
    // The tenants of the objects that were read last, by the positions of their entities.
    private var known: [Int: [Int64: Int64]] = [:]

    subscript(entity: StoredEntity, number: Int64) -> Int64? { known[entity.index]?[number] }

    /// Keeps the tenants of objects of an entity, instead of those that were read before.
    mutating func keep(_ rows: [(number: Int64, tenant: Int64)], of entity: StoredEntity) {
        known[entity.index] = Dictionary(rows.map { ($0.number, $0.tenant) }) { first, _ in first }
    }

    mutating func importNext(of tenant: Int64?) {
        imported = tenant
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether a save writes the object's row.
    ///
    /// It does not if only values that are kept in memory were set, or if the changes were undone.
    fileprivate func hasRowToWrite() throws -> Bool {
        switch state {
        case .inserted, .deleted: true
        case .stored: try hasStoredChanges || (isWatched && isMutated())
        case .gone: false
        }
    }

    /// The place of the object's entity, for values that are not bound to the object but to its tenant.
    var tenantPlace: TransformContext {
        var place = context.place(in: entity)
        if entity.belongsToTenant, context.scope == .everything {
            place.tenant = try? context.tenant(of: number, in: entity)
        }
        return place
    }
}
