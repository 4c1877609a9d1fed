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

    /// The latest error of the change.
    private(set) var error: StoreError
    let place: Place
    /// Whether a value, a relationship, or an object was to be set or inserted as a whole, rather than modified.
    let isWhole: Bool
    // The managed object, or the object to insert. Retained, so that no other object has the same identifier.
    private let object: AnyObject
    private let retry: () throws -> Void

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

    func isAbout(_ object: ManagedObject) -> Bool { self.object === object }

    /// Makes the change if that is possible by now, and records the error if it is not.
    ///
    /// - Parameter attempt: A closure that calls another one, which makes the change.
    /// - Returns: Whether the change was made.
    func succeeds(_ attempt: (() throws -> Void) throws -> Void) -> Bool {
        do {
            try attempt(retry)
            return true
        } catch {
            self.error = error as? StoreError ?? self.error
            return false
        }
    }
}

@available(*, unavailable)
extension Refusal: Sendable {}

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
            failures.refuse(refusal)
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
        for refusal in failures.takeRefusals(of: place) {
            noteStep(.refusal(refusal, isTakenBack: true))
        }
    }

    /// Retries the rejected changes.
    ///
    /// - Throws: `StoreError`, the error of the first change that is rejected again; `CancellationError` in a block whose
    ///   task is canceled.
    func retryRefused() throws {
        guard failures.hasRefusals else { return }
        try requireUncancelled()
        try failures.retryRefused { try group($0) }
    }

    /// Reverts a refusal, or puts it into effect again.
    ///
    /// - Returns: The step that does the opposite.
    func revert(_ refusal: Refusal, isTakenBack: Bool) -> UndoLog.Step {
        if isTakenBack {
            failures.refuse(refusal)
        } else if failures.take(refusal) {
            return .refusal(refusal, isTakenBack: true)
        }
        return .refusal(refusal, isTakenBack: false)
    }
}
