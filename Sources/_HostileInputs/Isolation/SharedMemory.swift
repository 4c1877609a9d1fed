internal import Glibc

/// Memory that a process shares with its forked children.
///
/// Only the child writes to it. Meanwhile, the parent reads only the
/// numbers, to see whether the child makes progress.
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

    /// The number at an index, where each number takes 8 bytes.
    subscript(number index: Int) -> Int {
        get { unsafe bytes.load(fromByteOffset: index * 8, as: Int.self) }
        set { unsafe bytes.storeBytes(of: newValue, toByteOffset: index * 8, as: Int.self) }
    }

    /// Writes as many bytes as fit between an offset and a limit, and returns their number.
    func write(_ source: some Collection<UInt8>, at offset: Int, limit: Int) -> Int {
        let count = unsafe min(source.count, min(limit, bytes.count) - offset)
        guard count > 0 else { return 0 }
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
            .copyBytes(from: source.prefix(count))
        return count
    }

    /// Returns the bytes in a range.
    func read(_ range: Range<Int>) -> [UInt8] {
        unsafe Array(bytes[range.clamped(to: 0..<bytes.count)])
    }
}
