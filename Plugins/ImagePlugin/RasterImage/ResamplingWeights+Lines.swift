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
                let weights = index &* stride
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
                    unsafe sum += pair * values[index &* stride &+ place]
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
                        fromByteOffset: (index &* stride &+ place) &* 4,
                        as: SIMD4<Float>.self
                    )
                    sums += old * weight
                    place = place &+ 4
                }
                var sum = sums.sum()
                while place < count {
                    unsafe sum += line[starts[index] &+ place] * values[index &* stride &+ place]
                    place = place &+ 1
                }
                unsafe target[index] = min(max(sum, 0), full)
            }
        }
    }
}
