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
