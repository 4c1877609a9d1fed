public import TransformableStore

extension Model {
    /// Creates a model from entity classes.
    ///
    /// - Parameters:
    ///   - types: The classes. They must include the destinations of all relationships, and parents and children.
    ///   - version: The version of the model. Increase it whenever the classes' attributes or relationships change.
    ///   - fetchRequests: The fetch requests that programs can run by name.
    /// - Throws: `StoreError` with the code `invalid-model` if the model is invalid, for example if two entities have
    ///   the same name or an inverse relationship does not point back. The error lists every problem.
    public init(
        of types: any Entity.Type...,
        version: Int = 1,
        fetchRequests: [FetchRequestDescription] = []
    ) throws(StoreError) {
        self = try Self(of: types, version: version).with(fetchRequests: fetchRequests)
    }

    init(of types: [any Entity.Type], version: Int) throws(StoreError) {
        try self.init(version: version, entities: types.map { $0._entitySchema.description })
    }
}
