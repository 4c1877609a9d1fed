internal import Glibc

/// Bytes that a process and the children it forks see alike.
///
/// One process writes at a time: a child while it lives, and nobody once it is dead. Only the
/// numbers are read from outside meanwhile, to see whether the child gets on.
@safe final class SharedMemory {
    private let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) throws(IsolationError) {
        let flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE
        guard let base = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe base != MAP_FAILED
        else {
            throw IsolationError("cannot map \(byteCount) bytes of shared memory", errno: errno)
        }
        unsafe bytes = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    }

    deinit {
        _ = unsafe munmap(bytes.baseAddress, bytes.count)
    }

    /// The number at an index, counted in numbers of 8 bytes.
    subscript(number index: Int) -> Int {
        get { unsafe bytes.load(fromByteOffset: index * 8, as: Int.self) }
        set { unsafe bytes.storeBytes(of: newValue, toByteOffset: index * 8, as: Int.self) }
    }

    /// Writes as much as fits between an offset and a limit, and says how many bytes that is.
    func write(_ source: some Collection<UInt8>, at offset: Int, limit: Int) -> Int {
        let count = unsafe min(source.count, min(limit, bytes.count) - offset)
        guard count > 0 else { return 0 }
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
            .copyBytes(from: source.prefix(count))
        return count
    }

    /// The bytes of a range.
    func read(_ range: Range<Int>) -> [UInt8] {
        unsafe Array(bytes[range.clamped(to: 0..<bytes.count)])
    }
}
