/// What accessors that cannot throw have failed to do, until a save or the end of the block throws it.
///
/// Errors of reading are recorded, and thrown once. Changes that were rejected are refusals, whose errors are thrown
/// again and again until the change succeeds or is discarded.
///
/// It is a class so that no access to it lasts while a refused object is released. The deinitializer of a program's own
/// class may change other objects.
final class AccessFailures {
    /// A value that is read again and again fails in the same way.
    private struct Failure: Hashable {
        let code: StoreError.Code
        let object: ObjectID?
        let attribute: String?
        let message: String

        init(_ error: StoreError) {
            code = error.code
            object = error.object
            attribute = error.attribute
            message = error.message
        }
    }

    // The recorded errors, each of them once, in the order in which they occurred.
    private var errors: [StoreError] = []
    private var known: Set<Failure> = []
    // The changes that were rejected and are still pending, in order.
    private var refusals: [Refusal] = []

    // MARK: Errors

    /// Records an error, unless the same one is already recorded.
    func record(_ error: StoreError) {
        guard known.insert(Failure(error)).inserted else { return }
        errors.append(error)
    }

    /// Discards the recorded errors, for callers that examine every cell themselves.
    func forgetRecorded() {
        _ = takeRecorded()
    }

    private func takeRecorded() -> [StoreError] {
        defer { (errors, known) = ([], []) }
        return errors
    }

    /// Throws the error of the first refusal, or else the recorded errors, which it forgets.
    func throwFirst() throws(StoreError) {
        try throwRefused()
        guard !errors.isEmpty else { return }
        let recorded = takeRecorded()
        guard var first = recorded.first else { return }
        if recorded.count > 1 {
            first.message = "there were \(recorded.count) errors"
            first.faults = recorded.map(\.description)
        }
        throw first
    }

    // MARK: Refusals

    /// Whether any rejected change is pending.
    var hasRefusals: Bool { !refusals.isEmpty }

    func refuse(_ refusal: Refusal) {
        refusals.append(refusal)
    }

    /// Throws the error of the first refusal.
    func throwRefused() throws(StoreError) {
        if let refusal = refusals.first { throw refusal.error }
    }

    /// Tries to make the rejected changes again, in order.
    ///
    /// - Parameter attempt: A closure that calls another one, which makes the change.
    /// - Throws: `StoreError`, the error of the first change that is rejected again.
    func retryRefused(_ attempt: (() throws -> Void) throws -> Void) throws(StoreError) {
        for refusal in take(where: { _ in true }) {
            if !refusal.succeeds(attempt) { refuse(refusal) }
        }
        try throwRefused()
    }

    /// Removes a refusal, and returns whether it was pending.
    func take(_ refusal: Refusal) -> Bool {
        !take { $0 === refusal }.isEmpty
    }

    /// Removes and returns the refusals of a place, which has been changed as a whole since.
    func takeRefusals(of place: Refusal.Place) -> [Refusal] {
        take { $0.place == place }
    }

    /// Removes and returns the refusals of an object's changes, which are discarded along with it or with its changes.
    func takeRefusals(of object: ManagedObject) -> [Refusal] {
        take { $0.isAbout(object) }
    }

    /// Discards all refusals, but not the recorded errors.
    func forgetRefused() {
        _ = take { _ in true }
    }

    private func take(where isTaken: (Refusal) -> Bool) -> [Refusal] {
        guard hasRefusals else { return [] }
        let taken = refusals.filter(isTaken)
        if !taken.isEmpty { refusals = refusals.filter { !isTaken($0) } }
        return taken
    }
}

@available(*, unavailable)
extension AccessFailures: Sendable {}
