/// What a child process has done so far, in memory that outlives it.
///
/// Before each step the child notes what it is about to do, so that its death names the culprit.
/// What it finds, it records.
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

    /// Makes an empty logbook.
    ///
    /// - Parameters:
    ///   - noteCapacity: How many bytes of a note are kept.
    ///   - recordCapacity: How many bytes of records are kept; later ones are dropped.
    /// - Throws: ``IsolationError`` if there is no memory.
    public init(noteCapacity: Int, recordCapacity: Int) throws(IsolationError) {
        noteEnd = Field.end + noteCapacity
        capacity = noteEnd + recordCapacity
        memory = try SharedMemory(byteCount: capacity)
        memory[number: Field.recordsEnd] = noteEnd
    }

    /// How many steps have begun since the logbook was made.
    public var ticks: Int { memory[number: Field.ticks] }

    /// The step that began last.
    public var position: StepPosition {
        StepPosition(phase: memory[number: Field.phase], step: memory[number: Field.step])
    }

    /// What the step that began last was about to do.
    public var note: [UInt8] {
        memory.read(Field.end..<(Field.end + memory[number: Field.noteCount]))
    }

    /// Notes what is about to be done.
    ///
    /// - Parameters:
    ///   - note: What it is: a text for a person, or the input itself.
    ///   - position: Where in the run.
    public func begin(_ note: some Collection<UInt8>, at position: StepPosition) {
        memory[number: Field.phase] = position.phase
        memory[number: Field.step] = position.step
        memory[number: Field.noteCount] = memory.write(note, at: Field.end, limit: noteEnd)
        memory[number: Field.ticks] += 1
    }

    /// Notes an input that is about to be tried, and ends this process if trying it takes too long.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - time: How long it may keep a processor busy; then `SIGPROF` ends the process.
    public func begin(_ input: [UInt8], within time: Duration) {
        begin(input, at: StepPosition(phase: 0, step: ticks))
        ProcessorTimer.start(time)
    }

    /// Whether all work was done: a process that ended without ``finish()`` ended early, whatever its exit status.
    public var isFinished: Bool { memory[number: Field.isFinished] != 0 }

    /// Notes that all work is done.
    public func finish() {
        memory[number: Field.isFinished] = 1
    }

    /// Keeps a record, unless there is no room left.
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

/// Where in a run a step stands: the number of its phase, and its own within the phase.
public struct StepPosition: Sendable, Comparable {
    /// The phase, from 0.
    public var phase: Int
    /// The step in its phase, from 0; -1 while the phase prepares itself.
    public var step: Int

    /// Makes a position.
    public init(phase: Int, step: Int) {
        self.phase = phase
        self.step = step
    }

    /// Orders positions as they are run.
    public static func < (left: Self, right: Self) -> Bool {
        (left.phase, left.step) < (right.phase, right.step)
    }
}
