internal import Foundation
internal import Transformable
internal import TransformableImages

/// Scales pixels: first horizontally, processing each old row once, and then vertically.
///
/// Colors are weighted by alpha, so that the colors of transparent pixels have no effect.
struct Resampler {
    private let image: RasterImage
    private let channels: Int
    private let width: Int
    private let height: Int

    init(_ image: RasterImage, width: Int, height: Int) {
        self.image = image
        self.width = width
        self.height = height
        channels = image.format.channelCount
    }

    /// Returns the new pixels in the image's format, without gaps between rows.
    func pixels() throws(TransformerError) -> Data {
        let pixels = try image.pixels
        let lineSize = image.width * channels
        var lines = [Float](repeating: 0, count: lineSize * height)
        var line = [Float](repeating: 0, count: lineSize)
        var users = RowUsers(from: image.height, to: height)
        for y in 0..<image.height {
            load(y, of: pixels, into: &line)
            for (row, weight) in users.next(y) { add(line, times: weight, to: &lines, at: row * lineSize) }
        }
        return shrunk(lines, ResamplingWeights(from: image.width, to: width))
    }

    private func add(_ line: [Float], times weight: Float, to lines: inout [Float], at start: Int) {
        precondition(start >= 0 && start + line.count <= lines.count)
        unsafe line.withUnsafeBufferPointer { source in
            unsafe lines.withUnsafeMutableBufferPointer { target in
                // The precondition guarantees valid indexes in both buffers. They are not checked, so that the loop is
                // vectorized.
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                for index in 0..<source.count {
                    unsafe to[start + index] += from[index] * weight
                }
            }
        }
    }

    /// Converts a row to floating-point numbers, with colors multiplied by alpha.
    private func load(_ row: Int, of pixels: Data, into line: inout [Float]) {
        let isWide = image.format.bitsPerSample == 16
        let start = row * image.rowStride
        let span = pixels.span
        var target = line.mutableSpan
        if isWide {
            for index in 0..<target.count {
                let at = start + index * 2
                target[index] = Float(UInt16(span[at]) | UInt16(span[at + 1]) << 8)
            }
        } else {
            for index in 0..<target.count { target[index] = Float(span[start + index]) }
        }
        guard image.format.hasAlpha else { return }
        let full: Float = isWide ? 65_535 : 255
        for pixel in stride(from: 0, to: target.count, by: channels) {
            let alpha = target[pixel + channels - 1] / full
            for channel in 0..<channels - 1 { target[pixel + channel] *= alpha }
        }
    }

    private func shrunk(_ lines: [Float], _ columns: ResamplingWeights) -> Data {
        let bytesPerSample = image.format.bitsPerSample / 8
        var result = Data(count: width * height * channels * bytesPerSample)
        var target = result.mutableSpan
        let source = lines.span
        var sums = [Float](repeating: 0, count: channels)
        for y in 0..<height {
            let line = y * image.width * channels
            for x in 0..<width {
                let weights = columns.weights[x]
                for channel in 0..<channels { sums[channel] = 0 }
                var at = line + columns.starts[x] * channels
                for weight in weights {
                    for channel in 0..<channels { sums[channel] += source[at + channel] * weight }
                    at += channels
                }
                store(sums, at: (y * width + x) * channels * bytesPerSample, in: &target)
            }
        }
        return result
    }

    private func store(_ sums: [Float], at start: Int, in target: inout MutableSpan<UInt8>) {
        let isWide = image.format.bitsPerSample == 16
        let full: Float = isWide ? 65_535 : 255
        let alpha = image.format.hasAlpha ? min(max(sums[channels - 1], 0), full) : full
        for channel in 0..<channels {
            let isColor = image.format.hasAlpha && channel < channels - 1
            let sample = isColor ? (alpha > 0 ? sums[channel] * full / alpha : 0) : sums[channel]
            let rounded = UInt16(min(max(sample, 0), full).rounded())
            if isWide {
                target[start + channel * 2] = UInt8(truncatingIfNeeded: rounded)
                target[start + channel * 2 + 1] = UInt8(truncatingIfNeeded: rounded >> 8)
            } else {
                target[start + channel] = UInt8(truncatingIfNeeded: rounded)
            }
        }
    }
}

/// Determines which new rows use an old row, and with which weights, while old rows are processed from the top.
private struct RowUsers {
    /// Nil if the height stays the same.
    private let weights: ResamplingWeights?
    // New rows use increasing ranges of old rows, so finished ones need not be examined again.
    private var first = 0

    init(from oldCount: Int, to newCount: Int) {
        weights = oldCount == newCount ? nil : ResamplingWeights(from: oldCount, to: newCount)
    }

    mutating func next(_ old: Int) -> [(row: Int, weight: Float)] {
        guard let weights else { return [(old, 1)] }
        let count = weights.starts.count
        while first < count, weights.starts[first] + weights.weights[first].count <= old { first += 1 }
        return (first..<count).prefix { weights.starts[$0] <= old }
            .compactMap { row in
                let place = old - weights.starts[row]
                return place < weights.weights[row].count ? (row, weights.weights[row][place]) : nil
            }
    }
}
