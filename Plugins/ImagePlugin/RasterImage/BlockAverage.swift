/// Averages rectangular blocks of the pixels of an image whose rows arrive one by one from the top.
///
/// A filter that is applied to the averages has less to do. Pillow's `reducing_gap` works in the same way. The blocks on
/// the right and at the bottom may contain fewer pixels.
struct BlockAverage {
    /// The averages of the most recent row of blocks, and at least one more sample.
    private(set) var averages: [Float]

    private let block: BlockSize
    private let channels: Int
    private let columns: ResamplingWeights
    /// The sums of the samples of the rows that have arrived, if there are several in a block.
    private var sums: [Float]
    private var rowCount = 0
    private var remainingRows: Int

    /// Creates an average.
    ///
    /// - Parameters:
    ///   - block: The size of a block.
    ///   - width: The width of the rows.
    ///   - height: The number of rows.
    ///   - channels: The number of samples per pixel.
    init(_ block: BlockSize, width: Int, height: Int, channels: Int) {
        self.block = block
        self.channels = channels
        columns = ResamplingWeights(averaging: width, by: block.width)
        // The weights of pixels with three channels are applied to four samples at a time.
        sums = Array(repeating: 0, count: block.height > 1 ? width * channels + 4 : 0)
        averages = Array(repeating: 0, count: width.blocks(of: block.width) * channels + 4)
        remainingRows = height
    }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - line: The samples of the row, and at least four more.
    ///   - full: The largest sample.
    /// - Returns: Whether the row was the last one of its blocks, so that ``averages`` are theirs.
    mutating func add(_ line: [Float], full: Float) -> Bool {
        guard block.height > 1 else {
            columns.apply(to: line, channels: channels, full: full, into: &averages, at: 0)
            return true
        }
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
        guard rowCount == block.height || remainingRows == 0 else { return false }
        average(full: full)
        return true
    }

    private mutating func average(full: Float) {
        let scale = 1 / Float(rowCount)
        for index in sums.indices { sums[index] *= scale }
        columns.apply(to: sums, channels: channels, full: full, into: &averages, at: 0)
        for index in sums.indices { sums[index] = 0 }
        rowCount = 0
    }
}

/// The size of a block of pixels that are averaged, at least one pixel.
struct BlockSize {
    /// The width and the height of the largest block.
    ///
    /// The sum of more samples would be inexact. Square images of 200 megapixels do not need larger blocks.
    private static let largestSide = 1 << 14
    /// The ratio of the sides up to which a block is made square.
    ///
    /// If the new size is rounded to whole pixels, that alone can make one side up to 3 times as long as the other.
    private static let squareRatio = 3

    var width = 1
    var height = 1

    /// Whether blocks are single pixels.
    var isPixel: Bool { width == 1 && height == 1 }

    /// Creates blocks of single pixels.
    init() {}

    /// Creates the largest blocks of which a number of times the new size remains.
    ///
    /// They are square, unless the image is reduced much more along one axis, as a single row of pixels is.
    ///
    /// - Parameters:
    ///   - ratios: How many old pixels there are per new pixel.
    ///   - gap: How many times the new size remains.
    init(ratios: (horizontal: Double, vertical: Double), gap: Double) {
        let sides = [ratios.horizontal, ratios.vertical].map { min(max(1, Int($0 / gap)), Self.largestSide) }
        let common = min(sides[0], sides[1])
        width = sides[0] / common > Self.squareRatio ? sides[0] : common
        height = sides[1] / common > Self.squareRatio ? sides[1] : common
    }
}

extension Int {
    /// Returns the number of blocks that cover a line of this many pixels.
    func blocks(of side: Int) -> Int { (self + side - 1) / side }
}
