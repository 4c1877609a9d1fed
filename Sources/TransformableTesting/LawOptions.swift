public import Transformable

/// The thoroughness of a check of a transformer's laws, and the limits for a single call.
public struct LawOptions: Sendable {
    /// The seed of samples and mutations.
    ///
    /// The same seed checks the same inputs.
    public var seed: UInt64 = 1
    /// The maximum number of truncations, and of bit flips, to try for each value's encoded form.
    ///
    /// If a longer form allows more, a sample is tried: at the beginning, at the end, and at some positions in between.
    public var damagesPerValue = 512
    /// The number of values, starting with the first, for which forms of about a megabyte are tried.
    ///
    /// These take the most time, especially in a debug build.
    public var oversizedValues = 4
    /// The number of threads that use the transformer at the same time.
    public var threads = 4
    /// The maximum processor time of a single call.
    public var processorTime: Duration = .seconds(2)
    /// The maximum elapsed time of a single call.
    public var wallTime: Duration = .seconds(60)
    /// The maximum memory use of a single call, in bytes.
    public var memory = 256 << 20
    /// Whether the checks run in a child process, so that a trap or a hang counts as a violation.
    ///
    /// A child process has only the threads that the checks start. Turn this option off for a transformer that waits
    /// for a dispatch queue or a task. The process is then not protected, and calls are not timed.
    public var isIsolated = true
    /// The context to encode and decode values in.
    public var context = TransformContext.none

    /// Creates options with default values.
    public init() {}
}
