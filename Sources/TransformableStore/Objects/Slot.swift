/// The value of one attribute of one object, once it is touched.
///
/// Usable from inlined code, so that a typed access in a program is a cast to a known class.
@usableFromInline
class Slot {
    /// Whether the value differs from what is stored, as far as is known.
    final var isDirty = false
    /// What the value is stored as, where it is encoded when it is set.
    final var encoded: ColumnValue?
    /// Why the stored bytes give no value.
    final var failure: StoreError?

    /// Another slot with the same value, for what may be undone.
    func copy() -> Slot { Slot() }
}

/// A slot with a value; nil is no value.
@usableFromInline
final class ValueSlot<Value>: Slot {
    @usableFromInline
    final var value: Value?

    override func copy() -> Slot {
        let slot = ValueSlot()
        slot.value = value
        slot.isDirty = isDirty
        slot.encoded = encoded
        slot.failure = failure
        return slot
    }
}

@available(*, unavailable)
extension Slot: Sendable {}
