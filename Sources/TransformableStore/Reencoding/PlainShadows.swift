internal import Transformable

/// Unencrypted copies of the values of confidential attributes.
enum PlainShadows {
    /// Returns the number of copies, by table and column.
    static func counts(of schema: StoreSchema, on connection: any EngineConnection) throws -> [(String, Int)] {
        let waiting = try UnfinishedReencoding.all(of: schema, on: connection).filter(\.listed.isExposed)
            .flatMap { unfinished in
                try unfinished.shadows.map { ("\($0.table).\($0.attributeName)", try $0.count(on: connection)) }
            }
        let projected = try revealing(schema)
            .map { projection in
                let sql = "SELECT count(\(SQL.quoted(projection.name))) FROM \(projection.entity.table)"
                let name = "\(projection.entity.name).\(projection.name)"
                return (name, Int(try connection.integer(sql)))
            }
        return (waiting + projected).filter { $0.1 > 0 }
    }

    /// Returns the projections of stores from earlier versions that are not keyed and that the model does not allow to
    /// be revealing.
    static func revealing(_ schema: StoreSchema) -> [(entity: StoredEntity, name: String)] {
        schema.entities.flatMap { entity in
            let projections = entity.projected.filter(\.isConfidential).flatMap(\.projections)
            let compounds = entity.compounds
                .filter { compound in
                    let names = compound.description.parts.map(\.attribute)
                    return names.contains { entity.attributeIfAny($0)?.isConfidential == true }
                }
            return (projections + compounds.map(\.projection))
                .filter { !$0.description.reveals && !$0.isKeyed }
                .map { (entity, $0.name) }
        }
    }
}

extension StoredAttribute {
    /// Whether its cells are unreadable without a key.
    var isConfidential: Bool { transformer?.traits.contains(.confidential) == true }
}

extension StoredProjection {
    /// Whether its cells reveal nothing without a key.
    ///
    /// Cells that cannot be computed in this program are assumed to be keyed.
    fileprivate var isKeyed: Bool {
        failure.map { $0.code != .revealingProjection } ?? (keys != nil)
    }
}
