public import Synchronization

/// Storage for a reference that is set at most once and kept until the storage is destroyed.
///
/// The only exception is ``clear()``.
///
/// It is stored inline in the object it belongs to. A class that holds the reference would require another allocation,
/// and each access to a mutable property of the object would be subject to exclusivity checks.
@safe
@usableFromInline
struct SetOnceReference<Referent: AnyObject>: ~Copyable {
    // Atomic only so that a `let` can be modified, not for use by several threads: a context's objects stay with it.
    // The reference is retained by `set` and released by the deinitializer.
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

    /// Calls a closure with the reference, without retaining it.
    ///
    /// The storage keeps it alive.
    @inlinable
    func borrow<Result>(_ body: (Referent) -> Result?) -> Result? {
        guard let stored = unsafe stored.load(ordering: .relaxed) else { return nil }
        return unsafe stored._withUnsafeGuaranteedRef { body($0) }
    }

    @inlinable var isSet: Bool {
        unsafe stored.load(ordering: .relaxed) != nil
    }

    /// Sets the reference, unless it is already set.
    @usableFromInline
    func set(_ referent: Referent) {
        guard !isSet else { return }
        unsafe stored.store(.passRetained(referent), ordering: .relaxed)
    }

    /// Releases the reference.
    ///
    /// No one may be borrowing it.
    func clear() {
        unsafe stored.exchange(nil, ordering: .relaxed)?.release()
    }
}

@available(*, unavailable)
extension SetOnceReference: Sendable {}
