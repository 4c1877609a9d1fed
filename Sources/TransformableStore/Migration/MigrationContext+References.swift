extension MigrationContext {
    /// Returns the objects of a relationship of the old model that has changed or been dropped in the new model.
    ///
    /// If the new model cannot hold all of a relationship's references, for example because it has become a
    /// to-one relationship, the references that it can hold are already in place when steps run. A step
    /// uses this method to read the others:
    ///
    /// ```swift
    /// let step = MigrationStep(from: 1, to: 2) { migration in
    ///     try migration.context.forEach("Patient") { patient in
    ///         let doctors = try migration.oldObjects("doctors", of: patient)
    ///         try patient.setObject(doctors.first.map(migration.context.object), for: "doctor")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The relationship's name in the old model.
    ///   - object: An object of the new model.
    /// - Returns: The ids of the objects, in order if the relationship was ordered. They use the names that the
    ///   entities have in the new model, or those in the old model for entities that were dropped.
    /// - Throws: `StoreError` with the code `unknown-entity`, or with the code `unknown-attribute` if
    ///   the old model has no such relationship or if it has not changed in the new model.
    public func oldObjects(_ name: String, of object: ManagedObject) throws -> [ObjectID] {
        let entity = try oldEntity(of: object.entity.name)
        let links = record.references.oldLinks(of: name, in: entity.name)
        guard links.contains(where: { record.references.moved.contains($0.link) }) else {
            let isKnown = oldModel.relationships(of: entity.name).contains { $0.name == name }
            let reason =
                isKnown
                ? "the new model has not changed it; read it from the object" : "the old model has no such relationship"
            throw StoreError(.unknownAttribute, reason, entity: entity.name, attribute: name)
        }
        var found: [(position: Int64, object: ObjectID)] = []
        for link in links {
            record.take(link: link.link)
            found += try oldObjects(link.link, isFlipped: link.isFlipped, object.number)
        }
        return found.sorted { ($0.position, $0.object.number) < ($1.position, $1.object.number) }.map(\.object)
    }

    private func oldObjects(
        _ index: Int,
        isFlipped: Bool,
        _ number: Int64
    ) throws -> [(position: Int64, object: ObjectID)] {
        let (own, other) = isFlipped ? ("second", "first") : ("first", "second")
        let link = record.references.old[index]
        let entity = isFlipped ? link.first : link.second
        let sql = """
            SELECT "\(other)", "\(own)_order" FROM \(ReferenceCarrier.former) WHERE "link" = ? AND "\(own)" = ?
            """
        let rows = try connection.rows(sql, [.integer(Int64(index)), .integer(number)], count: 2)
        let name = record.succession.heir(ofEntity: entity) ?? entity
        return rows.map { row in
            let position = row.isNull(1) ? Int64.max : row.integer(1)
            return (position: position, object: ObjectID(entity: name, number: row.integer(0)))
        }
    }
}
