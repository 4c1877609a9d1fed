/// What is known about an object's attributes: a slot for each attribute that was used, by its position in the entity.
///
/// The table is a single allocation, made when the first attribute is used. An array would need a type lookup and
/// checks for uniqueness and exclusive access for each attribute that a fetch reads.
@safe
struct SlotTable {
    private let buffer: SlotBuffer?

    /// Creates a table without room.
    init() {
        buffer = nil
    }

    /// Creates a table with room for a number of attributes.
    init(count: Int) {
        buffer = SlotBuffer.make(count)
    }

    /// Whether there is no room, because no attribute has been used.
    var isEmpty: Bool { buffer == nil }

    /// The positions that there is room for.
    var indices: Range<Int> { 0..<(buffer?.count ?? 0) }

    /// The slot at a position, or `nil` if the attribute has not been used.
    subscript(index: Int) -> Slot? {
        get { buffer?[index] }
        nonmutating set { buffer?[index] = newValue }
    }
}

/// Contiguous slots.
///
/// The header is their number.
private final class SlotBuffer: ManagedBuffer<Int, Slot?> {
    static func make(_ count: Int) -> SlotBuffer {
        let buffer = create(minimumCapacity: count) { _ in count }
        unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0.initialize(repeating: nil, count: count) }
        // `create` returns an instance of the class that it is called on.
        return unsafe unsafeDowncast(buffer, to: SlotBuffer.self)
    }

    deinit {
        // All elements are initialized as long as the buffer exists.
        _ = unsafe withUnsafeMutablePointers { count, slots in unsafe slots.deinitialize(count: count.pointee) }
    }

    var count: Int { header }

    subscript(index: Int) -> Slot? {
        get { unsafe withPlace(index) { unsafe $0.pointee } }
        set { unsafe withPlace(index) { unsafe $0.pointee = newValue } }
    }

    /// Calls a closure with the memory of a slot.
    ///
    /// The count is read through its pointer. As a property, it would be checked for exclusive access at run time.
    private func withPlace<Result>(_ index: Int, _ body: (UnsafeMutablePointer<Slot?>) -> Result) -> Result {
        unsafe withUnsafeMutablePointers { count, slots in
            unsafe precondition(index >= 0 && index < count.pointee, "an attribute of another entity")
            return unsafe body(slots + index)
        }
    }
}
