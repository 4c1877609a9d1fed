internal import Foundation

/// What is known about an attribute of an object once it is used.
///
/// A slot that is not an instance of a subclass has no value.
///
/// To set a value, replace the slot. The class can be used in inlined code, so that typed access in a program is a cast
/// to a known class.
@usableFromInline
package class Slot {
    /// Whether there is a value.
    @usableFromInline
    package final let hasValue: Bool
    /// Whether the value was set and has not been written yet.
    final private(set) var isDirty = false
    /// Whether the slot may replace what is stored: either that can be decoded, or it is to be replaced even if it
    /// cannot.
    final var mayReplace = false
    /// Properties that few slots have.
    ///
    /// They are separate because every attribute that is read creates a slot.
    private final var extra: SlotExtra?

    @usableFromInline
    package init(hasValue: Bool) {
        self.hasValue = hasValue
    }

    /// Creates a slot without a value.
    @usableFromInline
    package convenience init() {
        self.init(hasValue: false)
    }

    /// Creates a slot whose stored bytes cannot be decoded.
    convenience init(failure: StoreError?) {
        self.init(hasValue: false)
        room(if: true)?.failure = failure
    }

    /// Creates a slot whose value was written as a stream, so it is not in memory.
    convenience init(streamed pending: PendingBlob?, encoded: ColumnValue?, failure: StoreError) {
        self.init(failure: failure)
        extra?.pending = pending
        extra?.encoded = encoded
        extra?.isStreamed = true
    }

    /// Returns the properties that few slots have, or `nil` if there are none and none are needed.
    private final func room(if isNeeded: Bool) -> SlotExtra? {
        if isNeeded, extra == nil { extra = SlotExtra() }
        return extra
    }

    /// Records that the value was set, or that it was changed in place.
    final func markUnsaved() {
        isDirty = true
    }

    /// Records that the value is the stored one, or that it need not be stored.
    final func markSaved() {
        isDirty = false
        encoded = nil
        written = nil
        extra?.isReplacement = false
    }

    /// Whether the value is to be written even if it is the stored one, because what is computed from it may be wrong.
    final var isReplacement: Bool { extra?.isReplacement == true }

    /// Records that the value is to replace what is stored in any case.
    final func markReplacement() {
        mayReplace = true
        room(if: true)?.isReplacement = true
    }

    /// The encoded value, if it is encoded when it is set.
    final var encoded: ColumnValue? {
        get { extra?.encoded }
        set { room(if: newValue != nil)?.encoded = newValue }
    }

    /// The bytes of a large cell that the value was read from or compared with, and the version of their row.
    final var original: (row: PackedRow, version: Int64)? {
        get { extra?.original }
        set { room(if: newValue != nil)?.original = newValue }
    }

    /// The large cell that a save has written for a value that may be changed in place, or null for a small one, until the
    /// save is committed.
    final var written: ColumnValue? {
        get { extra?.written }
        set { room(if: newValue != nil)?.written = newValue }
    }

    /// The stored blob that this value may replace, because it could be read to its end.
    final var checkedBlob: UUID? {
        get { extra?.checkedBlob }
        set { room(if: newValue != nil)?.checkedBlob = newValue }
    }

    /// The file with the bytes to store, if they were written as a stream.
    final var pending: PendingBlob? { extra?.pending }

    /// Discards the file with the bytes to store.
    final func discardPending() {
        extra?.pending = nil
    }

    /// Whether the value was set as bytes, which are stored unchanged.
    final var hasContents: Bool { extra?.hasContents == true }

    /// Keeps the bytes that the value was set as, encoded.
    final func keepContents(_ encoded: ColumnValue) {
        self.encoded = encoded
        extra?.hasContents = true
    }

    /// Whether the value was written as a stream, so it is not in memory.
    final var isStreamed: Bool { extra?.isStreamed == true }

    /// The reason why the stored bytes cannot be decoded.
    @usableFromInline
    package final var failure: StoreError? { extra?.failure }

    /// Creates a slot with a value, or without one for `nil`.
    @inlinable
    package static func holding<Value>(_ value: Value?) -> Slot {
        guard let value else { return Slot() }
        return ValueSlot(value)
    }
}

/// Creates a slot with a value.
///
/// The value is not optional. Otherwise, code that does not know its type would have to look up the optional's type
/// each time.
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

/// What a slot has in addition to its value.
private final class SlotExtra {
    var encoded: ColumnValue?
    var original: (row: PackedRow, version: Int64)?
    var written: ColumnValue?
    var checkedBlob: UUID?
    var pending: PendingBlob?
    var isStreamed = false
    var hasContents = false
    var isReplacement = false
    var failure: StoreError?
}

@available(*, unavailable)
extension Slot: Sendable {}
