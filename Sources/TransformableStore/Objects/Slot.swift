/// The value of one attribute of one object, once it is touched.
///
/// Usable from inlined code, so that a typed access in a program is a cast to a known class.
@usableFromInline
package class Slot {
    /// Whether the value differs from what is stored, as far as is known.
    package final var isDirty = false
    /// What the value is stored as, where it is encoded when it is set.
    final var encoded: ColumnValue?
    /// A file with the bytes to store, where they came as a stream.
    final var pending: PendingBlob?
    /// Whether the value came as a stream, so that it is not in memory.
    final var isStreamed = false
    /// Why the stored bytes give no value.
    @usableFromInline
    package final var failure: StoreError?

    @usableFromInline
    package init() {}

    /// Another slot with the same value, for what may be undone.
    func copy() -> Slot { Slot() }
}

/// A slot with a value; nil is no value.
@usableFromInline
package final class ValueSlot<Value>: Slot {
    @usableFromInline
    package final var value: Value?

    @usableFromInline
    package override init() {}

    override func copy() -> Slot {
        let slot = ValueSlot()
        slot.value = value
        slot.isDirty = isDirty
        slot.encoded = encoded
        slot.pending = pending
        slot.isStreamed = isStreamed
        slot.failure = failure
        return slot
    }
}

@available(*, unavailable)
extension Slot: Sendable {}
