public import TransformableStore

extension Model {
    /// Makes a model of classes.
    ///
    /// - Parameters:
    ///   - types: The classes, every one that a relationship leads to among them.
    ///   - version: The version, which grows when the classes' attributes change.
    /// - Throws: `StoreError` with `invalid-model`, listing every fault: two entities of one name, an inverse
    ///   that does not point back.
    public init(of types: any Entity.Type..., version: Int = 1) throws(StoreError) {
        try self.init(of: types, version: version)
    }

    init(of types: [any Entity.Type], version: Int) throws(StoreError) {
        try self.init(version: version, entities: types.map { $0.description })
    }
}

extension Entity {
    fileprivate static var description: EntityDescription { _entitySchema.description }
}
