/// A change that a setter or an insertion that cannot throw has rejected.
///
/// It is pending until it succeeds or is discarded.
final class Refusal {
    /// What a refused change was about.
    ///
    /// A later change of the same as a whole takes the place of the refused ones.
    enum Place: Hashable {
        case attribute(ObjectIdentifier, Int)
        case relationship(ObjectIdentifier, Int)
        case insertion(ObjectIdentifier)
    }

    fileprivate(set) var error: StoreError
    fileprivate let place: Place
    /// Whether a value, a relationship, or an object was to be set or inserted as a whole, rather than modified.
    fileprivate let isWhole: Bool
    // The managed object, or the object to insert. Retained, so that no other object has the same identifier.
    fileprivate let object: AnyObject
    fileprivate let retry: () throws -> Void

    init(
        _ error: StoreError,
        of object: AnyObject,
        _ place: Place,
        isWhole: Bool = true,
        retry: @escaping () throws -> Void
    ) {
        self.error = error
        self.object = object
        self.place = place
        self.isWhole = isWhole
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
    func place(ofAttribute index: Int) -> Refusal.Place { .attribute(ObjectIdentifier(self), index) }

    func place(ofRelationship index: Int) -> Refusal.Place { .relationship(ObjectIdentifier(self), index) }
}

extension StoreContext {
    /// Records that an object was not inserted.
    ///
    /// The block or each save throws the error until the object is inserted.
    ///
    /// - Parameters:
    ///   - refusal: The error.
    ///   - object: The object.
    ///   - retry: Inserts the object if that is possible by then. The next save of a context for editing calls it.
    package func refuse(_ refusal: StoreError, insertionOf object: AnyObject, retry: @escaping () throws -> Void) {
        note(Refusal(refusal, of: object, .insertion(ObjectIdentifier(object)), retry: retry))
    }

    /// Records that a change of an attribute was rejected.
    package func refuse(
        _ refusal: StoreError,
        _ object: ManagedObject,
        attributeAt index: Int,
        retry: @escaping () throws -> Void
    ) {
        note(Refusal(refusal, of: object, object.place(ofAttribute: index), retry: retry))
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
        note(Refusal(refusal, of: object, object.place(ofRelationship: index), isWhole: isWhole, retry: retry))
    }

    private func note(_ refusal: Refusal) {
        requireBlock(for: refusal.error)
        grouped {
            if refusal.isWhole { resolve(refusal.place) }
            refusals.append(refusal)
            noteStep(.refusal(refusal, isTakenBack: false))
        }
    }

    /// Discards the refusal to insert an object, which is inserted now.
    package func resolveInsertion(of object: AnyObject) {
        resolve(.insertion(ObjectIdentifier(object)))
    }

    /// Discards the refusals of a place because the same attribute or relationship has been set since, or the same
    /// object has been inserted.
    ///
    /// Undoing that change brings them back.
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
                try group(refusal.retry)
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
