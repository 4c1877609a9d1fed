internal import Glibc

/// The record of what a child process has done so far, in memory that outlives the child.
///
/// Before each step, the child records what it is about to do, so that the cause of a crash is known.
/// It also records its findings.
public final class Logbook {
    private enum Field {
        static let phase = 0
        static let step = 1
        static let noteCount = 2
        static let recordsEnd = 3
        static let ticks = 4
        static let isFinished = 5
        static let end = 64
    }

    private let memory: SharedMemory
    private let noteEnd: Int
    private let capacity: Int

    /// Creates an empty logbook.
    ///
    /// - Parameters:
    ///   - noteCapacity: The maximum number of bytes in a note. Longer notes are truncated.
    ///   - recordCapacity: The maximum number of bytes in all records. Further records are dropped.
    /// - Throws: ``IsolationError`` if there is not enough memory.
    public init(noteCapacity: Int, recordCapacity: Int) throws(IsolationError) {
        noteEnd = Field.end + noteCapacity
        capacity = noteEnd + recordCapacity
        memory = try SharedMemory(byteCount: capacity)
        memory[number: Field.recordsEnd] = noteEnd
    }

    /// The number of steps that have begun since the logbook was created.
    public var ticks: Int { memory[number: Field.ticks] }

    /// The position of the last step that has begun.
    public var position: StepPosition {
        StepPosition(phase: memory[number: Field.phase], step: memory[number: Field.step])
    }

    /// The note about the last step that has begun.
    public var note: [UInt8] {
        memory.read(Field.end..<(Field.end + memory[number: Field.noteCount]))
    }

    /// Records the step that is about to begin.
    ///
    /// - Parameters:
    ///   - note: A description of the step, or its input.
    ///   - position: The position of the step.
    public func begin(_ note: some Collection<UInt8>, at position: StepPosition) {
        memory[number: Field.phase] = position.phase
        memory[number: Field.step] = position.step
        memory[number: Field.noteCount] = memory.write(note, at: Field.end, limit: noteEnd)
        memory[number: Field.ticks] += 1
    }

    /// Records an input that is about to be tried, and ends this process if trying it takes too long.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - time: The limit on processor time, after which `SIGPROF` ends the process.
    public func begin(_ input: [UInt8], within time: Duration) {
        begin(input, at: StepPosition(phase: 0, step: ticks))
        ProcessorTimer.start(time)
    }

    /// Whether all work was done.
    ///
    /// A process that ended without ``finish()`` ended early, whatever its exit status.
    public var isFinished: Bool { memory[number: Field.isFinished] != 0 }

    /// Records that all work is done.
    public func finish() {
        memory[number: Field.isFinished] = 1
    }

    /// Adds a record, unless there is no space left.
    ///
    /// - Parameter record: Any bytes.
    public func append(_ record: [UInt8]) {
        let start = memory[number: Field.recordsEnd]
        guard capacity - start >= record.count + 8 else { return }
        let count = (0..<8).map { UInt8(truncatingIfNeeded: record.count >> ($0 * 8)) }
        let end = start + memory.write(count + record, at: start, limit: capacity)
        memory[number: Field.recordsEnd] = end
    }

    /// All records, oldest first.
    public var records: [[UInt8]] {
        var rest = memory.read(noteEnd..<memory[number: Field.recordsEnd])[...]
        var records: [[UInt8]] = []
        while rest.count >= 8 {
            let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            records.append(Array(rest.dropFirst(8).prefix(count)))
            rest = rest.dropFirst(8 + count)
        }
        return records
    }
}

@available(*, unavailable)
extension Logbook: Sendable {}

/// The position of a step in a run: the number of its phase, and its number in the phase.
public struct StepPosition: Sendable, Comparable {
    /// The phase, from 0.
    public var phase: Int
    /// The step in its phase, from 0, or -1 during the preparation of the phase.
    public var step: Int

    /// Creates a position.
    public init(phase: Int, step: Int) {
        self.phase = phase
        self.step = step
    }

    /// Returns whether a position comes before another.
    public static func < (left: Self, right: Self) -> Bool {
        (left.phase, left.step) < (right.phase, right.step)
    }
}

/// Memory that a process shares with its forked children.
///
/// Only the child writes to it. Meanwhile, the parent reads only the
/// numbers, to see whether the child makes progress.
@safe private final class SharedMemory {
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
