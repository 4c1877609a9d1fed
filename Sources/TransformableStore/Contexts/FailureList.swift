/// The errors of accessors that cannot throw, each of them once.
struct FailureList {
    /// A value that is read again and again fails in the same way.
    private struct Place: Hashable {
        let code: StoreError.Code
        let object: ObjectID?
        let attribute: String?
        let message: String
    }

    /// The errors, in the order in which they occurred.
    private(set) var errors: [StoreError] = []
    private var places: Set<Place> = []

    /// Adds an error, unless the same one is already in the list.
    mutating func add(_ error: StoreError) {
        let place = Place(
            code: error.code,
            object: error.object,
            attribute: error.attribute,
            message: error.message
        )
        guard places.insert(place).inserted else { return }
        errors.append(error)
    }
}
