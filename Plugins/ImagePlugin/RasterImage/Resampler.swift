internal import Foundation
internal import TransformableImages

/// Scales an image whose rows arrive one by one from the top.
///
/// Each row is scaled horizontally at once, so that only the few rows that a new row is made of are kept, in the new
/// width. Colors are weighted by alpha, so that the colors of transparent pixels have no effect.
///
/// ```swift
/// var resampler = Resampler(.rgba16, width: 14_000, height: 14_000, newWidth: 256, newHeight: 256)
/// for row in rows { resampler.append(row) }
/// let pixels = resampler.pixels
/// ```
struct Resampler {
    /// The new pixels in the image's format, without gaps between rows.
    ///
    /// They are complete after the last row.
    private(set) var pixels: Data

    private let format: PixelFormat
    private let channels: Int
    private let newHeight: Int
    private let columns: ResamplingWeights
    private let rows: ResamplingWeights
    /// The samples of an old row, and at least one more, because samples are read four at a time.
    private var line: [Float]
    /// What averages old rows and columns first, if it is asked for.
    private var blocks: BlockAverage?
    /// The most recent old rows in the new width, `lineSize` apart.
    private var recent: [Float]
    private let lineSize: Int
    /// The samples of a new row.
    private var sum: [Float]
    private var oldRow = 0
    private var newRow = 0

    /// Creates a resampler.
    ///
    /// - Parameters:
    ///   - format: The format of old and new pixels.
    ///   - width: The width of the old rows, at least 1.
    ///   - height: The number of old rows, at least 1.
    ///   - newWidth: The width of the new rows, at least 1.
    ///   - newHeight: The number of new rows, at least 1.
    ///   - extent: The part of the old image that the new one shows, from the upper left. By default, it is the whole
    ///     image.
    ///   - block: The size of the blocks of old pixels that are averaged before the filter is applied. Larger blocks
    ///     are faster and less exact.
    init(
        _ format: PixelFormat,
        width: Int,
        height: Int,
        newWidth: Int,
        newHeight: Int,
        extent: (width: Double, height: Double)? = nil,
        block: BlockSize = BlockSize()
    ) {
        self.format = format
        self.newHeight = newHeight
        channels = format.channelCount
        let extent = extent ?? (Double(width), Double(height))
        if !block.isPixel {
            blocks = BlockAverage(block, width: width, height: height, channels: format.channelCount)
        }
        columns = ResamplingWeights(
            from: width.blocks(of: block.width),
            extent: extent.width / Double(block.width),
            to: newWidth
        )
        rows = ResamplingWeights(
            from: height.blocks(of: block.height),
            extent: extent.height / Double(block.height),
            to: newHeight
        )
        line = Array(repeating: 0, count: width * channels + 4)
        lineSize = newWidth * channels
        recent = Array(repeating: 0, count: lineSize * rows.stride)
        sum = Array(repeating: 0, count: lineSize)
        pixels = Data(count: newWidth * newHeight * format.bytesPerPixel)
    }

    /// The largest sample.
    private var full: Float { format.bitsPerSample == 16 ? 65_535 : 255 }

    /// Adds the next row.
    ///
    /// - Parameter row: The pixels of the row. Further bytes are ignored.
    mutating func append(_ row: Span<UInt8>) {
        guard newRow < newHeight else { return }
        load(row)
        let full = full
        if blocks?.add(line, full: full) == false { return }
        let samples = blocks?.averages ?? line
        columns.apply(to: samples, channels: channels, full: full, into: &recent, at: oldRow % rows.stride * lineSize)
        oldRow += 1
        while newRow < newHeight, rows.end(newRow) <= oldRow {
            addRecentRows()
            store()
            newRow += 1
        }
    }

    /// Converts a row to floating-point numbers, with colors multiplied by alpha.
    private mutating func load(_ row: Span<UInt8>) {
        let count = line.count - 4
        precondition(row.count >= count * format.bitsPerSample / 8)
        let isWide = format.bitsPerSample == 16
        unsafe row.withUnsafeBytes { source in
            unsafe line.withUnsafeMutableBufferPointer { target in
                // The precondition guarantees valid indexes in both buffers. They are not checked, so that the loops
                // are vectorized. The same applies to the loops below.
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                if isWide {
                    for index in 0..<count {
                        let sample = unsafe from.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)
                        unsafe to[index] = Float(UInt16(littleEndian: sample))
                    }
                } else {
                    for index in 0..<count {
                        unsafe to[index] = Float(from.load(fromByteOffset: index, as: UInt8.self))
                    }
                }
            }
        }
        if format.hasAlpha { multiplyByAlpha(count) }
    }

    private mutating func multiplyByAlpha(_ count: Int) {
        let scale = 1 / full
        let channels = channels
        unsafe line.withUnsafeMutableBufferPointer { line in
            for pixel in stride(from: 0, to: count, by: channels) {
                let alpha = unsafe line[pixel + channels - 1] * scale
                for channel in 0..<channels - 1 { unsafe line[pixel + channel] *= alpha }
            }
        }
    }

    private mutating func addRecentRows() {
        let first = rows.starts[newRow]
        let weights = rows.offsets[newRow]
        let (rows, lineSize, count) = (rows, lineSize, rows.counts[newRow])
        unsafe recent.withUnsafeBufferPointer { recent in
            unsafe sum.withUnsafeMutableBufferPointer { sum in
                guard let recent = recent.baseAddress, let to = sum.baseAddress else { return }
                for index in 0..<lineSize { unsafe to[index] = 0 }
                for place in 0..<count {
                    let from = unsafe recent + (first + place) % rows.stride * lineSize
                    let weight = rows.values[weights + place]
                    for index in 0..<lineSize { unsafe to[index] += from[index] * weight }
                }
            }
        }
    }

    /// Rounds the samples of the new row, with colors divided by alpha.
    private mutating func store() {
        let isWide = format.bitsPerSample == 16
        let full = full
        if format.hasAlpha { divideByAlpha() }
        let start = newRow * lineSize * (isWide ? 2 : 1)
        let lineSize = lineSize
        unsafe sum.withUnsafeBufferPointer { sum in
            unsafe pixels.withUnsafeMutableBytes { pixels in
                guard let from = sum.baseAddress, let pixels = pixels.baseAddress else { return }
                let to = unsafe pixels + start
                for index in 0..<lineSize {
                    // Above 2²³, the lowest bit of a Float is 1, so that the addition rounds the sample.
                    let bits = unsafe (min(max(from[index], 0), full) + 8_388_608).bitPattern
                    if isWide {
                        let sample = UInt16(truncatingIfNeeded: bits).littleEndian
                        unsafe to.storeBytes(of: sample, toByteOffset: index &* 2, as: UInt16.self)
                    } else {
                        unsafe to.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: index, as: UInt8.self)
                    }
                }
            }
        }
    }

    private mutating func divideByAlpha() {
        for pixel in stride(from: 0, to: lineSize, by: channels) {
            let alpha = min(max(sum[pixel + channels - 1], 0), full)
            let scale = alpha > 0 ? full / alpha : 0
            for channel in 0..<channels - 1 { sum[pixel + channel] *= scale }
        }
    }
}
