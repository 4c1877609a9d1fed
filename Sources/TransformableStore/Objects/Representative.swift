/// The object of a program's own class that represents a managed object, as far as there is one.
struct Representative {
    // Set if the class runs code in its `deinit`. That code may ask for the object again.
    private weak var lasting: AnyObject?
    // The same for every other class, without the cost of a weak reference. The owner of the values clears it.
    private unowned var plain: AnyObject?
    // The same object, retained as long as the managed object has unsaved changes, because hooks can see its state.
    private var kept: AnyObject?

    fileprivate var object: AnyObject? { plain ?? lasting }

    fileprivate mutating func set(_ object: AnyObject, runsDeinit: Bool) {
        if runsDeinit { lasting = object } else { plain = object }
    }

    /// Forgets an object that does not run code when it is deinitialized.
    fileprivate mutating func removePlain() {
        plain = nil
    }

    fileprivate mutating func dismiss() -> AnyObject? {
        plain = nil
        lasting = nil
        return release()
    }

    /// Retains the object until ``release()``.
    fileprivate mutating func keep() {
        if kept == nil { kept = object }
    }

    /// Stops retaining the object, and returns it.
    ///
    /// Code of its class may run when the caller releases it.
    fileprivate mutating func release() -> AnyObject? {
        defer { kept = nil }
        return kept
    }
}

extension ManagedObject {
    /// The object of a program's own class that represents this one.
    package var representative: AnyObject? { represented.object }

    /// Makes an object of a program's own class represent this one until it is deinitialized.
    ///
    /// - Parameters:
    ///   - object: The object, which must call ``removeRepresentative(isSecond:)`` when it is deinitialized.
    ///   - runsDeinit: Whether code of its class runs before that.
    package func setRepresentative(_ object: AnyObject, runsDeinit: Bool) {
        represented.set(object, runsDeinit: runsDeinit)
        awakeState.didSetRepresentative()
        if isNoted || isWatched { keepRepresentative() }
    }

    /// Forgets the representative, which is being deinitialized.
    ///
    /// - Parameter isSecond: Whether another object represents this one as well, which it still does.
    package func removeRepresentative(isSecond: Bool) {
        if !isSecond { represented.removePlain() }
        context.lost.note(self)
    }

    /// Stops the representative from representing this object, because the object was not inserted after all.
    package func dismissRepresentative() {
        let dismissed = represented.dismiss()
        withExtendedLifetime(dismissed) {}
    }

    /// Retains the representative until its object has nothing left to save.
    func keepRepresentative() {
        // An object that is encoded on a separate thread is saved immediately.
        if !context.connection.isDetached { represented.keep() }
    }

    /// Returns the retained representative and stops retaining it.
    ///
    /// Code of its class may run when the caller releases it.
    func releaseRepresentative() -> AnyObject? {
        represented.release()
    }
}

/// The objects whose representatives are deinitialized while lists are lent for modification in place.
///
/// A new representative can get the address of one that no longer exists, so comparing addresses does not show all
/// changes of a list.
struct LostRepresentatives {
    private var lendingCount = 0
    private var objects: [ManagedObject] = []

    /// Notes the objects from now on, and returns the number of those already noted.
    mutating func begin() -> Int {
        lendingCount += 1
        return objects.count
    }

    mutating func note(_ object: ManagedObject) {
        if lendingCount > 0 { objects.append(object) }
    }

    /// Returns the objects that were noted after the first ones.
    mutating func end(after count: Int) -> ArraySlice<ManagedObject> {
        defer {
            lendingCount -= 1
            if lendingCount == 0 { objects = [] }
        }
        return objects.dropFirst(count)
    }
}

extension StoreContext {
    /// Starts to note objects whose representatives are deinitialized, until ``endLending(_:)``.
    package func beginLending() -> Int {
        lost.begin()
    }

    /// Returns the objects whose representatives were deinitialized since a call of ``beginLending()``.
    package func endLending(_ start: Int) -> ArraySlice<ManagedObject> {
        lost.end(after: start)
    }
}
