/// Which hooks of a context are running.
final class HookState {
    /// What is known of an object while deletions are in progress.
    struct Mark {
        /// Whether the object was notified of its deletion.
        fileprivate(set) var isPrepared = false
    }

    /// Whether a hook is running.
    private(set) var isInHook = false
    /// Whether an object is being notified that it was fetched.
    private(set) var isAwaking = false
    /// Whether relationships include objects that are marked as deleted, while hooks run for them.
    private(set) var showsDeleted = false
    // The number of deletions in progress, each from a hook of the previous one.
    private var deletionDepth = 0
    // The objects that were notified of their deletion.
    private var prepared: [ManagedObject] = []

    func running<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isInner = isInHook
        isInHook = true
        defer { isInHook = isInner }
        return try body()
    }

    /// Runs what an object does when it is fetched.
    ///
    /// Setting transient values does not count as a change.
    func awaking<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isInner = isAwaking
        isAwaking = true
        defer { isAwaking = isInner }
        return try body()
    }

    func showingDeleted<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isInner = showsDeleted
        showsDeleted = true
        defer { showsDeleted = isInner }
        return try body()
    }

    // MARK: Deletions

    /// Runs a deletion, whose hooks may delete other objects.
    ///
    /// - Parameters:
    ///   - didEnd: A closure that is called at the end of the outermost deletion.
    ///   - body: The deletion.
    func deleting(didEnd: () -> Void, _ body: () throws -> Void) rethrows {
        deletionDepth += 1
        defer {
            deletionDepth -= 1
            if deletionDepth == 0 { didEnd() }
        }
        try body()
    }

    /// Records that an object was notified of its deletion, and returns `false` if it already was.
    func prepare(_ object: ManagedObject) -> Bool {
        guard !object.deletionMark.isPrepared else { return false }
        object.deletionMark.isPrepared = true
        prepared.append(object)
        return true
    }

    /// Runs a closure that prepares objects, all of which are forgotten again if it throws an error.
    func preparing(_ body: () throws -> Void) rethrows {
        let known = prepared.count
        do {
            try body()
        } catch {
            for object in prepared[known...] { object.deletionMark.isPrepared = false }
            prepared.removeSubrange(known...)
            throw error
        }
    }

    /// Forgets which objects were notified, once all of them are deleted or are not going to be.
    ///
    /// During a deletion, nothing is forgotten: a fetch of one of its hooks may write what is pending in a block.
    func forgetPrepared() {
        guard deletionDepth == 0 else { return }
        for object in prepared { object.deletionMark.isPrepared = false }
        prepared = []
    }
}

@available(*, unavailable)
extension HookState: Sendable {}
