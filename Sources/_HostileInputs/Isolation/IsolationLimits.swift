/// What one step may take in a child process before it is ended.
public struct IsolationLimits: Sendable {
    /// Bytes of memory beyond what the process had when it was forked.
    public var memory: Int
    /// Time on a processor.
    public var processorTime: Duration
    /// Time on a clock, for what waits forever.
    public var wallTime: Duration

    /// Makes limits.
    public init(memory: Int, processorTime: Duration, wallTime: Duration) {
        self.memory = memory
        self.processorTime = processorTime
        self.wallTime = wallTime
    }
}
