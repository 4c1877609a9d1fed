/// Averages square blocks of the pixels of an image whose rows arrive one by one from the top.
///
/// A filter that is applied to the averages has less to do. Pillow's `reducing_gap` works in the same way. The blocks on
/// the right and at the bottom may contain fewer pixels.
struct BlockAverage {
    private let side: Int
    private let channels: Int
    private let columns: ResamplingWeights
    /// The sums of the samples of the rows that have arrived.
    private var sums: [Float]
    private var rowCount = 0
    private var remainingRows: Int

    /// Creates an average.
    ///
    /// - Parameters:
    ///   - side: The width and height of a block in pixels, at least 1.
    ///   - width: The width of the rows.
    ///   - height: The number of rows.
    ///   - channels: The number of samples per pixel.
    init(side: Int, width: Int, height: Int, channels: Int) {
        self.side = side
        self.channels = channels
        columns = ResamplingWeights(averaging: width, by: side)
        // The weights of pixels with three channels are applied to four samples at a time.
        sums = Array(repeating: 0, count: width * channels + 4)
        remainingRows = height
    }

    /// Adds a row.
    ///
    /// The last row of its blocks is replaced by their averages.
    ///
    /// - Parameters:
    ///   - line: The samples of the row. Further samples are ignored.
    ///   - full: The largest sample.
    /// - Returns: Whether `line` now starts with the averages.
    mutating func add(_ line: inout [Float], full: Float) -> Bool {
        let count = sums.count - 4
        precondition(line.count >= sums.count)
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            // The precondition guarantees valid indexes in both buffers.
            unsafe line.withUnsafeBufferPointer { line in
                for index in 0..<count { unsafe sums[index] += line[index] }
            }
        }
        rowCount += 1
        remainingRows -= 1
        guard rowCount == side || remainingRows == 0 else { return false }
        average(into: &line, full: full)
        return true
    }

    private mutating func average(into line: inout [Float], full: Float) {
        let scale = 1 / Float(rowCount)
        for index in sums.indices { sums[index] *= scale }
        columns.apply(to: sums, channels: channels, full: full, into: &line, at: 0)
        for index in sums.indices { sums[index] = 0 }
        rowCount = 0
    }
}

extension Int {
    /// Returns the number of blocks that cover a line of this many pixels.
    func blocks(of side: Int) -> Int { (self + side - 1) / side }
}
