internal import Foundation

/// Memory for a result whose size becomes known only when it has been written.
@safe
final class OutputBuffer {
    // Allocated in `init`; freed in `deinit`, or by the data that has taken it over.
    private var memory: UnsafeMutableRawPointer?
    private let capacity: Int

    /// Returns nil if there is not enough memory.
    ///
    /// Pages are used only when they are written to.
    init?(capacity: Int) {
        guard let memory = unsafe malloc(max(capacity, 1)) else { return nil }
        unsafe self.memory = memory
        self.capacity = capacity
    }

    deinit {
        unsafe free(memory)
    }

    var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    }

    /// Returns the first bytes, without copying large ones.
    ///
    /// The buffer is empty afterward.
    func data(count: Int) -> Data {
        precondition(count <= capacity)
        guard count > 0, let written = unsafe memory else { return Data() }
        unsafe memory = nil
        let result = unsafe realloc(written, count) ?? written
        return unsafe Data(bytesNoCopy: result, count: count, deallocator: .free)
    }
}
