public import Synchronization

/// Room for a reference that is put there once and stays as long as the room does.
///
/// It lies within the object it belongs to, where a class that only holds the reference would be a second object,
/// and a variable of the object's own would have every access of it checked for another one under way.
@safe
@usableFromInline
struct OnceReference<Referent: AnyObject>: ~Copyable {
    // Atomic for the sake of a `let` that can be written, not of threads: objects of a context stay with it. What it
    // holds is retained once, by `set`, and released by the deinitialiser.
    @usableFromInline
    let stored = unsafe Atomic<Unmanaged<Referent>?>(nil)

    @usableFromInline
    init() {}

    deinit {
        unsafe stored.load(ordering: .relaxed)?.release()
    }

    @inlinable var value: Referent? {
        unsafe stored.load(ordering: .relaxed)?.takeUnretainedValue()
    }

    /// Gives a body the reference without retaining it: it stays for as long as the room is there.
    @inlinable
    func borrow<Result>(_ body: (Referent) -> Result?) -> Result? {
        guard let stored = unsafe stored.load(ordering: .relaxed) else { return nil }
        return unsafe stored._withUnsafeGuaranteedRef { body($0) }
    }

    @inlinable var isSet: Bool {
        unsafe stored.load(ordering: .relaxed) != nil
    }

    /// Puts a reference into its place; one that is there already stays.
    @usableFromInline
    func set(_ referent: Referent) {
        guard !isSet else { return }
        unsafe stored.store(.passRetained(referent), ordering: .relaxed)
    }
}

@available(*, unavailable)
extension OnceReference: Sendable {}
