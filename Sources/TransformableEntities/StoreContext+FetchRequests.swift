public import TransformableStore

extension StoreContext {
    /// Fetches objects of a class by one of the model's fetch requests.
    ///
    /// - Parameters:
    ///   - type: The entity class, which must be that of the request's entity.
    ///   - name: The request's name.
    ///   - parameters: The values of the parameters in the request's condition. A `nil` value stands for null, and an
    ///     array can follow `in`.
    /// - Returns: The objects, in the request's order.
    /// - Throws: `StoreError` with the code `invalid-condition` if there is no such request, if it is for another entity,
    ///   or if the parameters are not those of the request.
    public func fetch<Object: Entity>(
        _ type: Object.Type,
        request name: String,
        _ parameters: [String: (any Sendable)?] = [:]
    ) throws -> [Object] {
        try requireClass(type, of: type.entityName)
        let request = try store.model.requiredFetchRequest(name)
        guard request.entity == type.entityName else {
            throw StoreError(
                .invalidCondition,
                "the fetch request “\(name)” is for objects of \(request.entity)",
                entity: type.entityName
            )
        }
        return try fetch(request: name, parameters).map { try entity(of: $0) }
    }
}
