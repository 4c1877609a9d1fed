public import Foundation
public import Transformable
public import TransformableImages

/// A one-way transformer that reduces an image to a small upright one, for use in `thumbnail(fit: 256) | jpeg`.
public struct ThumbnailTransformer: OneWayTransformer {
    /// The maximum width and height in pixels.
    public let side: Int

    /// Creates a transformer with a maximum width and height in pixels.
    public init(fit side: Int = 256) {
        self.side = side
    }

    /// The traits of the transformer.
    ///
    /// It is lossy.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Returns the thumbnail of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> RasterImage {
        try image.thumbnail(fit: side)
    }
}

/// A projection to a perceptual hash, which differs in only a few bits for images that look similar.
///
/// Each of the 64 bits indicates whether a pixel is darker than its right neighbor in a gray image of 9 × 8 pixels
/// (“dHash”). The hash hardly changes with the size, the format, or compression: images whose hashes differ in at most
/// about 5 bits look alike. All images of a single color have the hash 0.
public struct ImageHashTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    ///
    /// Equal images have equal hashes.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the hash of an image.
    ///
    /// The first pixel is the most significant bit.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Int64 {
        let small = try image.thumbnail(fit: 128)
            .converted(
                to: .gray8,
                background: JPEGOptions.Background(red: 255, green: 255, blue: 255)
            )
            .resized(width: 9, height: 8)
        let pixels = try Array(small.pixels)
        var hash: UInt64 = 0
        for y in 0..<8 {
            for x in 0..<8 {
                hash = hash << 1 | (pixels[y * 9 + x] < pixels[y * 9 + x + 1] ? 1 : 0)
            }
        }
        return Int64(bitPattern: hash)
    }
}

/// A projection to a ThumbHash: about 25 bytes that a client can show as a blurred preview while an image is loading.
///
/// The format is [Evan Wallace's ThumbHash](https://evanw.github.io/thumbhash/), which has decoders for many languages.
/// The hash is of the upright image in sRGB. It also contains the shape and, roughly, the alpha.
///
/// The bytes are the same as in the reference implementation, except for a channel with a single value: its terms are
/// zero instead of rounding errors, which makes no difference to decoders.
public struct ThumbHashTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the hash of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        let small = try image.thumbnail(fit: 100).converted(to: .rgba8)
        return ThumbHash(Array(try small.pixels), width: small.width, height: small.height).bytes
    }
}

/// The encoder of ThumbHash, which follows the reference implementation step by step.
private struct ThumbHash {
    /// The brightness, the yellow minus blue, the red minus green, and the alpha of each pixel.
    private var luminance: [Double] = []
    private var yellowBlue: [Double] = []
    private var redGreen: [Double] = []
    private var alpha: [Double] = []
    private let width: Int
    private let height: Int

    init(_ samples: [UInt8], width: Int, height: Int) {
        self.width = width
        self.height = height
        let average = Self.average(samples)
        for pixel in stride(from: 0, to: samples.count, by: 4) {
            let opacity = Double(samples[pixel + 3]) / 255
            func mixed(_ channel: Int) -> Double {
                average[channel] * (1 - opacity) + opacity / 255 * Double(samples[pixel + channel])
            }
            let (red, green, blue) = (mixed(0), mixed(1), mixed(2))
            luminance.append((red + green + blue) / 3)
            yellowBlue.append((red + green) / 2 - blue)
            redGreen.append(red - green)
            alpha.append(opacity)
        }
    }

    /// Returns the average color, weighted by alpha.
    private static func average(_ samples: [UInt8]) -> [Double] {
        var sums = [0.0, 0.0, 0.0]
        var total = 0.0
        for pixel in stride(from: 0, to: samples.count, by: 4) {
            let opacity = Double(samples[pixel + 3]) / 255
            for channel in 0..<3 { sums[channel] += opacity / 255 * Double(samples[pixel + channel]) }
            total += opacity
        }
        return total > 0 ? sums.map { $0 / total } : sums
    }

    var bytes: Data {
        let hasAlpha = alpha.reduce(0, +) < Double(width * height)
        // An image with alpha has fewer terms for the brightness.
        let limit = hasAlpha ? 5.0 : 7.0
        let longest = Double(max(width, height))
        let across = max(1, Int((limit * Double(width) / longest).rounded()))
        let down = max(1, Int((limit * Double(height) / longest).rounded()))
        let l = terms(luminance, max(3, across), max(3, down))
        let p = terms(yellowBlue, 3, 3)
        let q = terms(redGreen, 3, 3)
        let isLandscape = width > height
        var bits = PackedBits()
        bits.append(l.constant, 63, count: 6)
        bits.append(Int((31.5 + 31.5 * p.constant).rounded()), count: 6)
        bits.append(Int((31.5 + 31.5 * q.constant).rounded()), count: 6)
        bits.append(l.scale, 31, count: 5)
        bits.append(hasAlpha ? 1 : 0, count: 1)
        bits.append(isLandscape ? down : across, count: 3)
        bits.append(p.scale, 63, count: 6)
        bits.append(q.scale, 63, count: 6)
        bits.append(isLandscape ? 1 : 0, count: 1)
        var varying = l.varying + p.varying + q.varying
        if hasAlpha {
            let a = terms(alpha, 5, 5)
            bits.append(a.constant, 15, count: 4)
            bits.append(a.scale, 15, count: 4)
            varying += a.varying
        }
        for term in varying { bits.append(term, 15, count: 4) }
        return bits.bytes
    }

    /// Returns the cosine terms of a channel: the constant, and the others from 0 to 1 with their largest size.
    private func terms(
        _ channel: [Double],
        _ across: Int,
        _ down: Int
    ) -> (constant: Double, varying: [Double], scale: Double) {
        var constant = 0.0
        var varying: [Double] = []
        for cy in 0..<down {
            let rows = (0..<height).map { cos(Double.pi / Double(height) * Double(cy) * (Double($0) + 0.5)) }
            var cx = 0
            while cx * down < across * (down - cy) {
                let columns = (0..<width).map { cos(Double.pi / Double(width) * Double(cx) * (Double($0) + 0.5)) }
                let term = sum(channel, columns, rows) / Double(width * height)
                if cx > 0 || cy > 0 { varying.append(term) } else { constant = term }
                cx += 1
            }
        }
        let scale = varying.reduce(0) { max($0, abs($1)) }
        // The terms of a flat channel are rounding errors, which differ between versions of the C library.
        guard scale > 1e-9 else { return (constant, varying.map { _ in 0 }, 0) }
        return (constant, varying.map { 0.5 + 0.5 / scale * $0 }, scale)
    }

    private func sum(_ channel: [Double], _ columns: [Double], _ rows: [Double]) -> Double {
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width { sum += channel[x + y * width] * columns[x] * rows[y] }
        }
        return sum
    }
}

/// Numbers of a few bits each, the first one in the lowest bits of the first byte.
private struct PackedBits {
    private(set) var bytes = Data()
    private var used = 0

    mutating func append(_ fraction: Double, _ largest: Double, count: Int) {
        append(Int((largest * fraction).rounded()), count: count)
    }

    mutating func append(_ number: Int, count: Int) {
        for bit in 0..<count {
            if used % 8 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(number >> bit & 1) << UInt8(used % 8)
            used += 1
        }
    }
}
