import _HostileInputs

/// The duration and the limits of a run.
struct Plan {
    /// How long the run takes; nil until it is interrupted.
    var duration: Duration?
    /// How many workers run at once.
    var jobs: Int
    /// The seed.
    var seed: UInt64
    /// The time and memory that an input may take.
    var limits: IsolationLimits

    /// How long a worker stays with one subject.
    ///
    /// - Parameter count: How many subjects there are.
    /// - Returns: An equal share of the duration, and ten seconds at most, so that leaks do not add up.
    func slice(among count: Int) -> Duration {
        guard let duration else { return .seconds(10) }
        return min(.seconds(10), max(.milliseconds(200), duration * jobs / count))
    }
}
