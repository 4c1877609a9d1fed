public import Transformable

/// How thoroughly a transformer's laws are checked, and what a call may take.
public struct LawOptions: Sendable {
    /// Where samples and mutations begin; equal seeds check the same inputs.
    public var seed: UInt64 = 1
    /// How many truncations and how many flips of each value's encoded form are tried at most.
    ///
    /// A form that has more of them is sampled: its beginning, its end, and some of what lies between.
    public var damagesPerValue = 512
    /// For how many of the values, the first ones, forms of a megabyte are tried.
    ///
    /// They take longest, above all in a debug build.
    public var oversizedValues = 4
    /// How many threads use the transformer at once.
    public var threads = 4
    /// How long one call may keep a processor busy.
    public var processorTime: Duration = .seconds(2)
    /// How long one call may take on a clock.
    public var wallTime: Duration = .seconds(60)
    /// How many bytes of memory one call may take.
    public var memory = 256 << 20
    /// Whether the checks run in a child process, so that a trap or a hang is one more violation.
    ///
    /// A child has no other threads than those the checks start: turn this off for a transformer that
    /// waits for a dispatch queue or a task. Then nothing protects the process, and nothing is timed.
    public var isIsolated = true
    /// Where the values live.
    public var context = TransformContext.none

    /// Makes options with default values.
    public init() {}
}
