/// What is known of an object's attributes: a slot for each one that was touched, by its place in the entity.
///
/// One piece of memory, made when the first attribute is touched. An array's would be looked up by its type,
/// and checked for being shared and for exclusive access, with each attribute that a fetch reads.
@safe
struct SlotTable {
    private let buffer: SlotBuffer?

    /// A table without room.
    init() {
        buffer = nil
    }

    /// A table with room for a number of attributes.
    init(count: Int) {
        buffer = SlotBuffer.make(count)
    }

    /// Whether there is no room, since no attribute was touched.
    var isEmpty: Bool { buffer == nil }

    /// The places that there is room for.
    var indices: Range<Int> { 0..<(buffer?.count ?? 0) }

    /// The slot at a place; nil if the attribute there was not touched.
    subscript(index: Int) -> Slot? {
        get { buffer?[index] }
        nonmutating set { buffer?[index] = newValue }
    }
}

/// Slots in a row; their number is the header.
private final class SlotBuffer: ManagedBuffer<Int, Slot?> {
    static func make(_ count: Int) -> SlotBuffer {
        let buffer = create(minimumCapacity: count) { _ in count }
        unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0.initialize(repeating: nil, count: count) }
        // `create` makes an object of the class that it is called on.
        return unsafe unsafeDowncast(buffer, to: SlotBuffer.self)
    }

    deinit {
        // All elements are initialized as long as the buffer lives.
        _ = unsafe withUnsafeMutablePointers { count, slots in unsafe slots.deinitialize(count: count.pointee) }
    }

    var count: Int { header }

    subscript(index: Int) -> Slot? {
        get { unsafe withPlace(index) { unsafe $0.pointee } }
        set { unsafe withPlace(index) { unsafe $0.pointee = newValue } }
    }

    /// Lends the memory of a place.
    ///
    /// The count is read through its pointer: as a property, the run time would check each time that nobody else has
    /// access to it.
    private func withPlace<Result>(_ index: Int, _ body: (UnsafeMutablePointer<Slot?>) -> Result) -> Result {
        unsafe withUnsafeMutablePointers { count, slots in
            unsafe precondition(index >= 0 && index < count.pointee, "an attribute of another entity")
            return unsafe body(slots + index)
        }
    }
}
