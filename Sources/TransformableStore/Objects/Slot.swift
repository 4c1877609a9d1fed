/// What is known of one attribute of one object, once it is touched; without a subclass, that it has no value.
///
/// A value is set by putting another slot in the place of this one. Usable from inlined code, so that a typed
/// access in a program is a cast to a known class.
@usableFromInline
package class Slot {
    /// Whether there is a value.
    @usableFromInline
    package final let hasValue: Bool
    /// Whether the value differs from what is stored, as far as is known.
    final var isDirty = false
    /// Whether it may take the place of what is stored, which is known to give a value, or is to go even if it does not.
    final var mayReplace = false
    /// What few slots have, kept apart since every attribute that is read makes a slot.
    private final var extra: SlotExtra?

    @usableFromInline
    package init(hasValue: Bool) {
        self.hasValue = hasValue
    }

    /// A slot without a value.
    @usableFromInline
    package convenience init() {
        self.init(hasValue: false)
    }

    /// A slot whose stored bytes give no value.
    convenience init(failure: StoreError?) {
        self.init(hasValue: false)
        extra = SlotExtra()
        extra?.failure = failure
    }

    /// A slot whose value came as a stream, so that it is not in memory.
    convenience init(streamed pending: PendingBlob?, encoded: ColumnValue?, failure: StoreError) {
        self.init(failure: failure)
        extra?.pending = pending
        extra?.encoded = encoded
        extra?.isStreamed = true
    }

    /// What the value is stored as, where it is encoded when it is set.
    final var encoded: ColumnValue? {
        get { extra?.encoded }
        set {
            guard extra != nil || newValue != nil else { return }
            extra = extra ?? SlotExtra()
            extra?.encoded = newValue
        }
    }

    /// A file with the bytes to store, where they came as a stream.
    final var pending: PendingBlob? {
        get { extra?.pending }
        set { extra?.pending = newValue }
    }

    /// Whether the value came as bytes, which are stored as they are.
    final var hasContents: Bool { extra?.hasContents == true }

    /// Keeps bytes that the value came as, encoded.
    final func keepContents(_ encoded: ColumnValue) {
        self.encoded = encoded
        extra?.hasContents = true
    }

    /// Whether the value came as a stream, so that it is not in memory.
    final var isStreamed: Bool { extra?.isStreamed == true }

    /// Why the stored bytes give no value.
    @usableFromInline
    package final var failure: StoreError? { extra?.failure }

    /// The slot of a value, or of none.
    @inlinable
    package static func holding<Value>(_ value: Value?) -> Slot {
        guard let value else { return Slot() }
        return ValueSlot(value)
    }
}

/// A slot with a value.
///
/// The value is no optional: code that does not know its type would look up the type of one each time.
@usableFromInline
package final class ValueSlot<Value>: Slot {
    @usableFromInline
    package final let value: Value

    @usableFromInline
    package required init(_ value: Value) {
        self.value = value
        super.init(hasValue: true)
    }
}

/// What a slot has beside its value, if anything.
private final class SlotExtra {
    var encoded: ColumnValue?
    var pending: PendingBlob?
    var isStreamed = false
    var hasContents = false
    var failure: StoreError?
}

@available(*, unavailable)
extension Slot: Sendable {}
