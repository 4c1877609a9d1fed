/// A change that a setter or an insertion that cannot throw has rejected.
///
/// It is pending until it succeeds or is discarded.
final class Refusal {
    /// The place of a refusal.
    ///
    /// Only the last refusal for a place counts.
    struct Place: Hashable {
        let object: ObjectIdentifier
        let index: Int
        let isRelationship: Bool
    }

    fileprivate(set) var error: StoreError
    fileprivate let place: Place?
    // Retained, so that no other object has the same identifier.
    fileprivate let object: ManagedObject?
    fileprivate let retry: (() throws -> Void)?

    init(_ error: StoreError, of object: ManagedObject?, place: Place?, retry: (() throws -> Void)?) {
        self.error = error
        self.object = object
        self.place = place
        self.retry = retry
    }
}

@available(*, unavailable)
extension Refusal: Sendable {}

/// The changes that were rejected and are still pending, in order.
final class RefusalList {
    private(set) var all: [Refusal] = []

    var isEmpty: Bool { all.isEmpty }

    func append(_ refusal: Refusal) {
        all.append(refusal)
    }

    /// Removes the refusals that satisfy a condition, and returns them.
    func take(where isTaken: (Refusal) -> Bool) -> [Refusal] {
        let taken = all.filter(isTaken)
        if !taken.isEmpty { all = all.filter { !isTaken($0) } }
        return taken
    }

    func clear() {
        _ = take { _ in true }
    }
}

@available(*, unavailable)
extension RefusalList: Sendable {}

extension ManagedObject {
    func place(ofAttribute index: Int) -> Refusal.Place {
        Refusal.Place(object: ObjectIdentifier(self), index: index, isRelationship: false)
    }

    func place(ofRelationship index: Int) -> Refusal.Place {
        Refusal.Place(object: ObjectIdentifier(self), index: index, isRelationship: true)
    }
}

extension StoreContext {
    /// Records that a change was rejected.
    ///
    /// The block or each save throws the error until the change succeeds.
    ///
    /// - Parameters:
    ///   - refusal: The error.
    ///   - retry: Makes the change if that is possible by then. The next save calls it.
    package func refuse(_ refusal: StoreError, retry: (() throws -> Void)? = nil) {
        note(Refusal(refusal, of: nil, place: nil, retry: retry))
    }

    /// Records that a change of an attribute was rejected.
    package func refuse(
        _ refusal: StoreError,
        _ object: ManagedObject,
        attributeAt index: Int,
        retry: @escaping () throws -> Void
    ) {
        note(Refusal(refusal, of: object, place: object.place(ofAttribute: index), retry: retry))
    }

    /// Records that a change of a relationship was rejected.
    ///
    /// - Parameters:
    ///   - refusal: The error.
    ///   - object: The object.
    ///   - index: The position of the relationship.
    ///   - isWhole: Whether the relationship was to be replaced, rather than modified.
    ///   - retry: Makes the change if that is possible by then.
    package func refuse(
        _ refusal: StoreError,
        _ object: ManagedObject,
        relationshipAt index: Int,
        isWhole: Bool,
        retry: @escaping () throws -> Void
    ) {
        let place = isWhole ? object.place(ofRelationship: index) : nil
        note(Refusal(refusal, of: object, place: place, retry: retry))
    }

    private func note(_ refusal: Refusal) {
        requireBlock(for: refusal.error)
        grouped {
            if let place = refusal.place { resolve(place) }
            refusals.append(refusal)
            noteStep(.refusal(refusal, isTakenBack: false))
        }
    }

    /// Discards a refusal because the same attribute or relationship has been set since.
    ///
    /// Undoing that change brings the refusal back.
    func resolve(_ place: Refusal.Place) {
        guard !refusals.isEmpty else { return }
        for refusal in refusals.take(where: { $0.place == place }) {
            noteStep(.refusal(refusal, isTakenBack: true))
        }
    }

    /// Removes and returns the refusals of an object's changes, which are discarded along with it or with its changes.
    func takeRefusals(of object: ManagedObject) -> [Refusal] {
        refusals.take { $0.object === object }
    }

    /// Retries the rejected changes.
    ///
    /// - Throws: `StoreError`, the error of the first change that is rejected again; `CancellationError` in a block whose
    ///   task is canceled.
    func retryRefused() throws {
        guard !refusals.isEmpty else { return }
        try requireUncancelled()
        for refusal in refusals.take(where: { _ in true }) {
            do {
                guard let retry = refusal.retry else { throw refusal.error }
                try group(retry)
            } catch {
                refusal.error = error as? StoreError ?? refusal.error
                refusals.append(refusal)
            }
        }
        try throwRefused()
    }

    func throwRefused() throws(StoreError) {
        if let refusal = refusals.all.first { throw refusal.error }
    }

    /// Reverts a refusal, or puts it into effect again.
    ///
    /// - Returns: The step that does the opposite.
    func revert(_ refusal: Refusal, isTakenBack: Bool) -> UndoLog.Step {
        if isTakenBack {
            refusals.append(refusal)
        } else if !refusals.take(where: { $0 === refusal }).isEmpty {
            return .refusal(refusal, isTakenBack: true)
        }
        return .refusal(refusal, isTakenBack: false)
    }
}

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
