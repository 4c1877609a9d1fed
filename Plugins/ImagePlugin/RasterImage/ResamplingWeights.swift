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
    /// The index of the first weight of each new sample.
    private(set) var offsets: [Int] = []
    /// The weights of the new samples, which can share them.
    ///
    /// The sum of the weights of a new sample is 1.
    private(set) var values: [Float] = []
    /// The maximum number of weights of a new sample.
    let stride: Int
    /// The number of old samples.
    private let oldCount: Int

    /// Creates weights that average each block of old samples.
    ///
    /// - Parameters:
    ///   - oldCount: The number of old samples.
    ///   - side: The number of samples in a block. The last block may contain fewer.
    init(averaging oldCount: Int, by side: Int) {
        self.oldCount = oldCount
        stride = side
        let rest = oldCount % side
        values = [side, rest].flatMap { Array(repeating: 1 / Float($0), count: $0) }
        for start in Swift.stride(from: 0, to: oldCount, by: side) {
            let isWhole = start + side <= oldCount
            starts.append(start)
            counts.append(isWhole ? side : rest)
            offsets.append(isWhole ? 0 : side)
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
            offsets = Array(repeating: 0, count: newCount)
            values = [1]
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
        offsets.append(values.count)
        values.append(contentsOf: raw.map { Float($0 / sum) })
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

extension ResamplingWeights {
    /// Scales a line.
    ///
    /// - Parameters:
    ///   - line: The old samples, and at least one more.
    ///   - channels: The number of samples per pixel.
    ///   - full: The largest sample. What the filter adds beyond it is cut off, as Pillow does between the directions.
    ///   - target: The new samples.
    ///   - start: The index of the first new sample.
    func apply(to line: [Float], channels: Int, full: Float, into target: inout [Float], at start: Int) {
        precondition(line.count > oldCount * channels && target.count >= start + starts.count * channels)
        unsafe line.withUnsafeBufferPointer { line in
            unsafe target.withUnsafeMutableBufferPointer { target in
                guard let line = line.baseAddress, let target = target.baseAddress else { return }
                let to = unsafe target + start
                switch channels {
                case 1: unsafe apply(toSamples: line, full: full, into: to)
                case 2: unsafe apply(toPairs: line, full: full, into: to)
                default: unsafe apply(toPixels: line, channels: channels, full: full, into: to)
                }
            }
        }
    }

    /// Scales a line of pixels with three or four samples each.
    ///
    /// - Parameters:
    ///   - line: The old samples. One more must be readable.
    ///   - channels: The number of samples per pixel.
    ///   - full: The largest sample.
    ///   - target: The new samples.
    @unsafe private func apply(
        toPixels line: UnsafePointer<Float>,
        channels: Int,
        full: Float,
        into target: UnsafeMutablePointer<Float>
    ) {
        let source = unsafe UnsafeRawPointer(line)
        let step = channels &* MemoryLayout<Float>.size
        unsafe values.withUnsafeBufferPointer { values in
            for index in starts.indices {
                var at = starts[index] &* step
                let weights = offsets[index]
                let count = counts[index]
                // Two sums, because an addition must wait for the previous one.
                var even = SIMD4<Float>.zero
                var odd = SIMD4<Float>.zero
                var place = 0
                while place &+ 1 < count {
                    let first = unsafe source.loadUnaligned(fromByteOffset: at, as: SIMD4<Float>.self)
                    let second = unsafe source.loadUnaligned(fromByteOffset: at &+ step, as: SIMD4<Float>.self)
                    unsafe even += first * values[weights &+ place]
                    unsafe odd += second * values[weights &+ place &+ 1]
                    at = at &+ step &* 2
                    place = place &+ 2
                }
                if place < count {
                    let last = unsafe source.loadUnaligned(fromByteOffset: at, as: SIMD4<Float>.self)
                    unsafe even += last * values[weights &+ place]
                }
                let sum = (even + odd).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: full))
                for channel in 0..<channels { unsafe target[index &* channels &+ channel] = sum[channel] }
            }
        }
    }

    /// Scales a line of pixels with two samples each.
    @unsafe private func apply(
        toPairs line: UnsafePointer<Float>,
        full: Float,
        into target: UnsafeMutablePointer<Float>
    ) {
        let source = unsafe UnsafeRawPointer(line)
        unsafe values.withUnsafeBufferPointer { values in
            for index in starts.indices {
                var sum = SIMD2<Float>.zero
                for place in 0..<counts[index] {
                    let offset = (starts[index] &+ place) &* MemoryLayout<SIMD2<Float>>.size
                    let pair = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD2<Float>.self)
                    unsafe sum += pair * values[offsets[index] &+ place]
                }
                unsafe target[index &* 2] = min(max(sum.x, 0), full)
                unsafe target[index &* 2 &+ 1] = min(max(sum.y, 0), full)
            }
        }
    }

    /// Scales a line of samples.
    ///
    /// - Parameters:
    ///   - line: The old samples.
    ///   - full: The largest sample.
    ///   - target: The new samples.
    @unsafe private func apply(
        toSamples line: UnsafePointer<Float>,
        full: Float,
        into target: UnsafeMutablePointer<Float>
    ) {
        let source = unsafe UnsafeRawPointer(line)
        unsafe values.withUnsafeBufferPointer { values in
            guard let first = values.baseAddress else { return }
            let weights = unsafe UnsafeRawPointer(first)
            for index in starts.indices {
                var sums = SIMD4<Float>.zero
                let count = counts[index]
                var place = 0
                while place &+ 4 <= count {
                    let old = unsafe source.loadUnaligned(
                        fromByteOffset: (starts[index] &+ place) &* 4,
                        as: SIMD4<Float>.self
                    )
                    let weight = unsafe weights.loadUnaligned(
                        fromByteOffset: (offsets[index] &+ place) &* 4,
                        as: SIMD4<Float>.self
                    )
                    sums += old * weight
                    place = place &+ 4
                }
                var sum = sums.sum()
                while place < count {
                    unsafe sum += line[starts[index] &+ place] * values[offsets[index] &+ place]
                    place = place &+ 1
                }
                unsafe target[index] = min(max(sum, 0), full)
            }
        }
    }
}
