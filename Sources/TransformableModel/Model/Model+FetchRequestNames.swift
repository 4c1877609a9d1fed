extension Model {
    /// Checks that fetch requests name only what their entities have.
    ///
    /// Otherwise, a wrong name is found only when its request is run. A store opens nevertheless, because everything else
    /// in it can be used.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidModel`` and a fault for each request with a wrong name.
    package func requireNamesOfFetchRequests() throws(StoreError) {
        let known = RequestPaths(self)
        let faults = fetchRequests.compactMap { request -> String? in
            let order = request.order.map { $0.name.split(separator: ".").map(String.init) }
            let paths = (request.conditionParts(in: known)?.paths ?? []) + order
            let name = paths.lazy.compactMap { known.missingName(in: $0, from: request.entity) }.first
            return name.map { "the fetch request \(request.name) uses “\($0)”, which is not in the model" }
        }
        guard faults.isEmpty else { throw .invalidModel(faults) }
    }
}
