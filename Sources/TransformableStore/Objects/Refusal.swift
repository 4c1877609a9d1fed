/// Something that a setter or an insertion which cannot throw was refused: it is pending until it can be done, or is
/// given up.
final class Refusal {
    /// What a refusal is about, of which only the last one counts.
    struct Place: Hashable {
        let object: ObjectIdentifier
        let index: Int
        let isRelationship: Bool
    }

    fileprivate(set) var error: StoreError
    fileprivate let place: Place?
    // Kept, so that no other object is taken for it.
    private let object: ManagedObject?
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

extension ManagedObject {
    func place(ofAttribute index: Int) -> Refusal.Place {
        Refusal.Place(object: ObjectIdentifier(self), index: index, isRelationship: false)
    }

    func place(ofRelationship index: Int) -> Refusal.Place {
        Refusal.Place(object: ObjectIdentifier(self), index: index, isRelationship: true)
    }
}

extension StoreContext {
    /// Notes that something a setter was asked for is refused, which the block or each save throws until it is done.
    ///
    /// - Parameters:
    ///   - refusal: Why.
    ///   - retry: Does it, if it can be done by then; the next save tries.
    package func refuse(_ refusal: StoreError, retry: (() throws -> Void)? = nil) {
        note(Refusal(refusal, of: nil, place: nil, retry: retry))
    }

    /// The same of an attribute, which was to be set to another value.
    package func refuse(
        _ refusal: StoreError,
        _ object: ManagedObject,
        attributeAt index: Int,
        retry: @escaping () throws -> Void
    ) {
        note(Refusal(refusal, of: object, place: object.place(ofAttribute: index), retry: retry))
    }

    /// The same of a relationship.
    ///
    /// - Parameters:
    ///   - refusal: Why.
    ///   - object: The object.
    ///   - index: The relationship's place.
    ///   - isWhole: Whether the relationship was to be set, and not only changed.
    ///   - retry: Does it, if it can be done by then.
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
        if let place = refusal.place { resolve(place) }
        refusals.append(refusal)
        noteStep(.refusal(refusal, isTakenBack: false))
    }

    /// Forgets what was refused, since the same was set now.
    func resolve(_ place: Refusal.Place) {
        if !refusals.isEmpty { refusals.removeAll { $0.place == place } }
    }

    /// Does what was refused, as far as it can be done now.
    ///
    /// - Throws: ``StoreError``: why the first one is refused still.
    func retryRefused() throws {
        guard !refusals.isEmpty else { return }
        let waiting = refusals
        refusals = []
        for refusal in waiting {
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
        if let refusal = refusals.first { throw refusal.error }
    }

    /// Takes a refusal back, or puts it into force again.
    ///
    /// - Returns: The step that does the opposite.
    func revert(_ refusal: Refusal, isTakenBack: Bool) -> UndoLog.Step {
        if isTakenBack {
            refusals.append(refusal)
        } else if let index = refusals.firstIndex(where: { $0 === refusal }) {
            refusals.remove(at: index)
            return .refusal(refusal, isTakenBack: true)
        }
        return .refusal(refusal, isTakenBack: false)
    }
}
