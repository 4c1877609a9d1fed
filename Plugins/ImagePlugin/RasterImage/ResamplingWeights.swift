internal import Foundation

/// The weights of old samples for each new sample of a line.
///
/// They are those of Lanczos's windowed sinc with three lobes, which is widened if the line becomes shorter (Turkowski,
/// Graphics Gems I).
struct ResamplingWeights {
    /// The index of the first old sample for each new sample.
    private(set) var starts: [Int] = []
    /// The number of old samples for each new sample.
    private(set) var counts: [Int] = []
    /// The weights of each new sample, ``stride`` apart.
    ///
    /// The sum of the weights of a new sample is 1.
    private(set) var values: [Float] = []
    /// The number of weights that are reserved for each new sample.
    ///
    /// Unused ones are zero.
    let stride: Int
    /// The number of old samples.
    let oldCount: Int

    /// Creates weights that average each block of old samples.
    ///
    /// - Parameters:
    ///   - oldCount: The number of old samples.
    ///   - side: The number of samples in a block. The last block may contain fewer.
    init(averaging oldCount: Int, by side: Int) {
        self.oldCount = oldCount
        stride = side
        for start in Swift.stride(from: 0, to: oldCount, by: side) {
            let count = min(side, oldCount - start)
            starts.append(start)
            counts.append(count)
            values += Array(repeating: 1 / Float(count), count: count) + Array(repeating: 0, count: side - count)
        }
    }

    /// Creates the weights for a line.
    ///
    /// - Parameters:
    ///   - oldCount: The number of old samples.
    ///   - extent: The part of the old line that the new line shows, which can end inside the last old sample.
    ///   - newCount: The number of new samples, which is at least 1.
    init(from oldCount: Int, extent: Double, to newCount: Int) {
        self.oldCount = oldCount
        guard oldCount != newCount || extent != Double(oldCount) else {
            starts = Array(0..<newCount)
            counts = Array(repeating: 1, count: newCount)
            values = Array(repeating: 1, count: newCount)
            stride = 1
            return
        }
        let scale = extent / Double(newCount)
        let stretch = max(1, scale)
        let reach = 3 * stretch
        stride = min(oldCount, Int(reach.rounded(.up)) * 2 + 1)
        values.reserveCapacity(newCount * stride)
        for index in 0..<newCount {
            let center = (Double(index) + 0.5) * scale
            let first = max(0, Int((center - reach + 0.5).rounded(.down)))
            let last = min(oldCount, Int((center + reach + 0.5).rounded(.down)))
            append(first..<max(last, first + 1), center: center, stretch: stretch)
        }
    }

    /// Returns the index after the last old sample that contributes to a new sample.
    func end(_ index: Int) -> Int { starts[index] + counts[index] }

    private mutating func append(_ range: Range<Int>, center: Double, stretch: Double) {
        let raw = range.map { Self.lanczos((Double($0) + 0.5 - center) / stretch) }
        let sum = raw.reduce(0, +)
        starts.append(range.lowerBound)
        counts.append(range.count)
        values.append(contentsOf: raw.map { Float($0 / sum) })
        values.append(contentsOf: repeatElement(0, count: stride - range.count))
    }

    private static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = x * .pi
        // The sine of the whole angle follows from the sine of its third part.
        let third = sin(angle / 3)
        return 3 * (3 - 4 * third * third) * third * third / (angle * angle)
    }
}
