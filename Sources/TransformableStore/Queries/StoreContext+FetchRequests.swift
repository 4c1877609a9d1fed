extension StoreContext {
    /// Fetches objects by one of the model's fetch requests.
    ///
    /// ```swift
    /// let patients = try store.read { try $0.fetch(request: "patientsOfWard", ["ward": "3B", "age": 18]) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The request's name.
    ///   - parameters: The values of the parameters in the request's condition. A `nil` value stands for null, and an
    ///     array can follow `in`.
    /// - Returns: The objects, in the request's order.
    /// - Throws: `StoreError` with the code `invalid-condition` if there is no such request, if a parameter has no value,
    ///   or if there is no such parameter, or any other error of ``fetch(_:where:sortedBy:limit:offset:)``.
    public func fetch(
        request name: String,
        _ parameters: [String: (any Sendable)?] = [:]
    ) throws -> [ManagedObject] {
        let request = try schema.model.requiredFetchRequest(name)
        return try fetch(
            request.entity,
            where: request.condition(with: parameters),
            sortedBy: request.order,
            limit: request.limit,
            offset: request.offset
        )
    }
}

extension Model {
    /// Returns the fetch request with the given name.
    ///
    /// - Parameter name: The request's name.
    /// - Returns: The request.
    /// - Throws: `StoreError` with the code `invalid-condition` if there is no such request. The error lists the
    ///   model's requests.
    package func requiredFetchRequest(_ name: String) throws(StoreError) -> FetchRequestDescription {
        if let request = fetchRequest(name) { return request }
        let names = fetchRequests.map(\.name)
        let list = names.isEmpty ? "the model has none" : "the fetch requests are \(names.joined(separator: ", "))"
        throw StoreError(.invalidCondition, "there is no fetch request “\(name)”; \(list)")
    }
}
