public import Transformable

/// A small upright picture of an image: what `thumbnail(fit: 256) | jpeg` stores beside it.
public struct ThumbnailTransformer: OneWayTransformer {
    /// The longest side in pixels.
    public let side: Int

    /// Makes a transformer of a longest side in pixels.
    public init(fit side: Int = 256) {
        self.side = side
    }

    /// Loses detail, and repeats itself.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// The small image.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> RasterImage {
        try image.thumbnail(fit: side)
    }
}

/// A perceptual hash of an image: pictures that look alike differ in few bits.
///
/// Each of the 64 bits says whether a pixel is darker than its right neighbour in a grey picture of 9 × 8
/// pixels (“dHash”). It does not change with the size, the format or a little compression.
public struct ImageHashTransformer: OneWayTransformer {
    /// Makes the projection.
    public init() {}

    /// Repeats itself; equal pictures have equal hashes.
    public var traits: TransformerTraits { .deterministic }

    /// The hash's bits, the first pixel highest.
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
