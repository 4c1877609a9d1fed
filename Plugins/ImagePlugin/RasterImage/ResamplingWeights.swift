internal import Foundation

/// The weights of old samples for each new sample of a line.
///
/// They are those of Lanczos's windowed sinc with three lobes, which is widened if the line becomes shorter (Turkowski,
/// Graphics Gems I).
struct ResamplingWeights {
    /// The index of the first old sample for each new sample.
    private(set) var starts: [Int] = []
    /// The weights of old samples for each new sample, whose sum is 1.
    private(set) var weights: [[Float]] = []

    init(from oldCount: Int, to newCount: Int) {
        let scale = Double(oldCount) / Double(newCount)
        let stretch = max(1, scale)
        let reach = 3 * stretch
        for index in 0..<newCount {
            let center = (Double(index) + 0.5) * scale
            let first = max(0, Int((center - reach + 0.5).rounded(.down)))
            let last = min(oldCount, Int((center + reach + 0.5).rounded(.down)))
            let raw = (first..<max(last, first + 1)).map { Self.lanczos((Double($0) + 0.5 - center) / stretch) }
            let sum = raw.reduce(0, +)
            starts.append(first)
            weights.append(raw.map { Float($0 / sum) })
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = x * .pi
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}
