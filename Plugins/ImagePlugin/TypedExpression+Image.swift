public import Transformable

extension TypedExpression where Value == RasterImage {
    /// An image as a PNG file.
    public static var png: Self { Self("png") }

    /// An image as a JPEG file.
    public static var jpeg: Self { Self("jpeg") }

    /// An image as a JPEG file.
    ///
    /// - Parameters:
    ///   - quality: From 1, small and coarse, to 100.
    ///   - tolerant: Whether a damaged file is accepted for what can be read of it.
    /// - Returns: The expression.
    public static func jpeg(quality: Int = 85, tolerant: Bool = false) -> Self {
        Self("jpeg(quality: \(quality), tolerant: \(tolerant))")
    }

    /// An image as the file it came from, PNG or JPEG.
    public static var image: Self { Self("image") }

    /// An image as the file it came from, PNG or JPEG.
    ///
    /// - Parameters:
    ///   - strip: Whether place, time, device, thumbnail and texts are dropped.
    ///   - tolerant: Whether a damaged JPEG is accepted for what can be read of it.
    /// - Returns: The expression.
    public static func image(strip: Bool = false, tolerant: Bool = false) -> Self {
        Self("image(strip: \(strip), tolerant: \(tolerant))")
    }
}
