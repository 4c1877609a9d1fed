internal import Foundation

/// Which samples of a line make each sample of a shorter or longer one, and how much: Lanczos's windowed sinc
/// with three lobes, widened where the line shrinks (Turkowski, Graphics Gems I).
struct ResamplingWeights {
    /// For each new sample, the first old one that counts.
    private(set) var starts: [Int] = []
    /// For each new sample, the weights of the old ones from the first on; their sum is 1.
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
